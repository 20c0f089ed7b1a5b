//! A section for every primitive that the engine performs.

use actions_dictionary::{Dictionary, Field};

use super::table::table;

/// Arguments, output and errors of every performed primitive.
pub(super) fn text() -> String {
    let performed = Dictionary::builtin().iter().filter(|primitive| primitive.support.is_performed());
    let section = |primitive: &actions_dictionary::Primitive| {
        let effect = if primitive.mutating { "changes the page" } else { "changes nothing" };
        let errors = primitive.errors.iter().map(|error| [format!("`{}`", error.code), error.when.clone()]);
        format!(
            "## `{}`\n\n*{}, {effect}.* {}\n\n{}{}**Errors**\n\n{}\n",
            primitive.name,
            primitive.class.as_str(),
            primitive.description,
            fields("Arguments", &primitive.arguments()),
            fields("Output", &primitive.results()),
            table(["code", "when"], errors),
        )
    };
    performed.map(section).collect()
}

fn fields(heading: &str, fields: &[Field<'_>]) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let rows = fields.iter().map(|field| {
        let name =
            if field.required { format!("`{}` (required)", field.name) } else { format!("`{}`", field.name) };
        let default = field.default.map(|value| format!(" Default `{value}`.")).unwrap_or_default();
        [name, field.kind.clone(), format!("{}{default}", field.description)]
    });
    format!("**{heading}**\n\n{}\n", table(["name", "type", "meaning"], rows))
}
