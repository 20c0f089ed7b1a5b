use super::{actions, seen, stdout};

#[test]
fn the_dictionary_is_listed() {
    let listed = stdout(&actions(&["primitives"]));
    assert!(listed.lines().any(|line| line.starts_with("locator.element_info ")), "{listed}");
}

#[test]
fn a_primitive_is_shown_in_full() {
    insta::assert_snapshot!(seen(&actions(&["primitives", "page.info"])));
}

#[test]
fn a_misspelt_primitive_is_wrong_usage_with_a_hint() {
    insta::assert_snapshot!(seen(&actions(&["primitives", "pointer.clik"])));
}

#[test]
fn the_dictionary_is_json_on_demand() {
    let all: serde_json::Value =
        serde_json::from_str(&stdout(&actions(&["primitives", "--format", "json"]))).expect("JSON");
    assert!(all.as_array().expect("an array").len() > 60);
}
