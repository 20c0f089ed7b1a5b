//! Tests of `actions explain`.

use super::{actions, seen, stdout};

#[test]
fn explain_prints_the_story_of_a_rule() {
    insta::assert_snapshot!(seen(&actions(&["explain", "w009"])));
}

#[test]
fn explain_prints_the_meaning_of_an_error_code() {
    let output = actions(&["explain", "click_not_received"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert!(stdout(&output).contains("pointer.click: "), "{}", seen(&output));
}

#[test]
fn an_unknown_code_is_wrong_usage_with_a_hint() {
    insta::assert_snapshot!(seen(&actions(&["explain", "target_not_fond"])));
}

#[test]
fn every_rule_and_every_error_code_is_explained() {
    let listed = stdout(&actions(&["explain"]));
    for line in listed.lines() {
        let code = line.split("  ").next().expect("a code");
        let output = actions(&["explain", code]);
        assert_eq!(output.status.code(), Some(0), "{code}: {}", seen(&output));
    }
}
