//! The dictionary promises exactly what the table performs.

use std::collections::BTreeSet;

use actions_dictionary::Dictionary;

#[test]
fn the_dictionary_marks_as_performed_exactly_what_is_performed() {
    let promised: BTreeSet<&str> = Dictionary::builtin()
        .iter()
        .filter(|primitive| primitive.support.is_performed())
        .map(|primitive| primitive.name.as_str())
        .collect();
    // A step that calls another tool is performed by the engine itself.
    let performed: BTreeSet<&str> = actions_primitives::performed().chain(["actions.site"]).collect();
    assert_eq!(promised, performed);
}
