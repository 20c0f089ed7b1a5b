//! A snapshot of every primitive in one line.

use actions_dictionary::Dictionary;

#[test]
fn the_table_of_primitives() {
    let mut table = String::new();
    for primitive in Dictionary::builtin().iter() {
        let effect = if primitive.mutating { "mutating" } else { "reading" };
        let own: Vec<&str> = primitive
            .errors
            .iter()
            .filter(|error| error.group.is_none())
            .map(|error| error.code.as_str())
            .collect();
        let mut groups: Vec<&str> =
            primitive.errors.iter().filter_map(|error| error.group.as_deref()).collect();
        groups.dedup();
        let roles = [
            (primitive.idempotent_observer, "observes"),
            (primitive.human_visible, "visible"),
            (primitive.takes_focus, "focuses"),
            (primitive.writes_at_focus, "writes"),
            (primitive.recipe_step, "recipe"),
            (primitive.calls_tool, "calls"),
            (primitive.reads_state, "state"),
        ];
        let roles: Vec<&str> = roles.iter().filter(|(has, _)| *has).map(|(_, role)| *role).collect();
        let row = format!(
            "{:<32} {:<10} {:<8} ({}) [{}] {}",
            primitive.name,
            primitive.class.as_str(),
            effect,
            roles.join(" "),
            groups.join(" "),
            own.join(" ")
        );
        table.push_str(row.trim_end());
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}
