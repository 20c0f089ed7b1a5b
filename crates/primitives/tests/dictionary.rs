//! Checks that the dictionary marks exactly the primitives of the table as performed.

use std::collections::BTreeSet;

use actions_dictionary::Dictionary;

#[test]
fn the_dictionary_marks_as_performed_exactly_what_is_performed() {
    let promised: BTreeSet<&str> = Dictionary::builtin()
        .iter()
        .filter(|primitive| !primitive.is_performed_by_engine())
        .map(|primitive| primitive.name.as_str())
        .collect();
    let performed: BTreeSet<&str> = actions_primitives::performed().collect();
    assert_eq!(promised, performed);
}
