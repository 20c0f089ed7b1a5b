//! A section for locators, and one for every primitive that the engine performs.

use actions_dictionary::{Dictionary, Field, fields};

use super::table::table;

/// The keys of a locator, then arguments, output and errors of every performed primitive.
pub(super) fn text() -> String {
    let section = |primitive: &actions_dictionary::Primitive| {
        let effect = if primitive.mutating { "changes the page" } else { "changes nothing" };
        let errors = primitive.errors.iter().map(|error| [format!("`{}`", error.code), error.when.clone()]);
        format!(
            "## `{}`\n\n*{}, {effect}.* {}\n\n{}{}**Errors**\n\n{}\n",
            primitive.name,
            primitive.class.as_str(),
            primitive.description,
            table_of("Arguments", &primitive.arguments()),
            table_of("Output", &primitive.results()),
            table(["code", "when"], errors),
        )
    };
    let sections: String = Dictionary::builtin().iter().map(section).collect();
    format!("{}{sections}", locator())
}

/// The keys of a locator, as the schemas of primitives define them.
fn locator() -> String {
    let mut schemas =
        Dictionary::builtin().iter().map(|primitive| &primitive.input_schema()["$defs"]["locator"]);
    let schema = schemas.find(|schema| schema.is_object()).expect("primitives take locators");
    let description = schema["description"].as_str().unwrap_or_default();
    format!("## Locators\n\n{description}\n\n{}", table_of("Keys", &fields(schema)))
}

fn table_of(heading: &str, fields: &[Field<'_>]) -> String {
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
