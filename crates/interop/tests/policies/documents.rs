//! Policies as documents: the valid ones have no errors, and each broken one breaks the rule that it is named after.

use std::collections::BTreeSet;
use std::fs;

use actions_interop::a2wf::{Group, Key, RULES, ReadOptions, read};
use actions_manifest::Severity;

use crate::site::fixtures;

/// The time of the tests: 1 June 2026.
const NOW: u64 = 1_780_272_000_000;

fn options() -> ReadOptions {
    ReadOptions { draft_1_1: false, now: Some(NOW) }
}

#[test]
fn the_valid_policies_have_no_errors() {
    let mut count = 0;
    for entry in fs::read_dir(fixtures().join("valid")).unwrap() {
        let path = entry.unwrap().path();
        let reading = read(&path.display().to_string(), &fs::read(&path).unwrap(), options());
        assert!(reading.is_valid(), "{}: {:?}", path.display(), reading.first_error());
        count += 1;
    }
    assert!(count >= 6, "the fixtures are read");
}

#[test]
fn each_broken_policy_breaks_the_rule_it_is_named_after() {
    let mut broken = BTreeSet::new();
    for entry in fs::read_dir(fixtures().join("broken")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let code = name.split('_').next().unwrap().to_owned();
        let reading = read(&name, &fs::read(&path).unwrap(), options());
        let found = reading.findings.iter().find(|finding| finding.rule.code == code);
        let found = found.unwrap_or_else(|| panic!("{name}: {:?}", reading.findings));
        assert!(found.position().line >= 1 && found.help.is_some(), "{name} has a place and help");
        let others: Vec<&str> = reading
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.rule.code)
            .filter(|other| *other != code)
            .collect();
        assert!(others.is_empty(), "{name} breaks other rules too: {others:?}");
        assert_eq!(reading.is_valid(), found.rule.severity != Severity::Error, "{name}");
        broken.insert(code);
    }
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.code.to_owned()).collect();
    assert_eq!(broken, rules, "every rule has a fixture");
}

#[test]
fn a_finding_has_a_pointer_a_place_and_help() {
    let text = "{\n  \"specVersion\": \"1.0\",\n  \"identity\": { \"domain\": \"https://a.example\", \"name\": \"A\", \"inLanguage\": \"en\" },\n  \"permissions\": { \"action\": { \"search\": { \"allowed\": \"no\" } } }\n}";
    let reading = read("siteai.json", text.as_bytes(), options());
    let error = reading.first_error().unwrap();
    assert_eq!(error.rule.code, "A2WF003");
    assert_eq!(error.pointer, "/permissions/action/search/allowed");
    assert_eq!((error.position().line, error.position().column), (4, 55));
    assert_eq!(error.help.as_deref(), Some("write a boolean"));
}

#[test]
fn what_can_be_read_of_a_broken_policy_is_read() {
    let text = br#"{ "specVersion": "1.0", "permissions": { "action": {
        "search": { "allowed": true }, "checkout": { "allowed": false }, "addToCart": { "allowed": "perhaps" } } } }"#;
    let reading = read("siteai.json", text, options());
    assert!(!reading.is_valid());
    let allowed = |name: &str| reading.policy.permissions[&Key::new(Group::Action, name)].allowed;
    assert_eq!(allowed("search"), Some(true));
    assert_eq!(allowed("checkout"), Some(false));
    assert_eq!(allowed("addToCart"), None);
}

#[test]
fn of_a_key_that_stands_twice_neither_value_is_relied_on() {
    let text = br#"{ "specVersion": "1.0", "identity": { "domain": "https://a.example", "name": "A", "inLanguage": "en" },
        "permissions": { "action": { "checkout": { "allowed": true, "allowed": false } } } }"#;
    let reading = read("siteai.json", text, options());
    assert_eq!(reading.first_error().unwrap().rule.code, "J002");
}

#[test]
fn the_draft_of_1_1_is_read_only_when_it_is_wanted() {
    let text = br#"{ "specVersion": "1.1", "identity": { "name": "A", "inLanguage": "en" },
        "permissions": [
            { "action": "search", "oversight": "autonomous" },
            { "action": "purchase", "oversight": "confirmation" },
            { "action": "register", "oversight": "handover" },
            { "action": "review", "allowed": false }
        ],
        "rateLimits": { "general": "10/min" } }"#;
    let refused = read("siteai.json", text, options());
    assert_eq!(refused.first_error().unwrap().rule.code, "A2WF002");
    let reading = read("siteai.json", text, ReadOptions { draft_1_1: true, ..options() });
    assert!(reading.is_valid(), "{:?}", reading.first_error());
    let permission = |name: &str| &reading.policy.permissions[&Key::new(Group::Action, name)];
    assert_eq!(permission("search").allowed, Some(true));
    assert!(!permission("search").human_verification);
    assert!(permission("checkout").human_verification && !permission("checkout").hand_over);
    assert!(permission("createAccount").hand_over);
    assert_eq!(permission("submitReview").allowed, Some(false));
    assert!(reading.policy.denies_unlisted_actions);
    assert_eq!(reading.policy.limits.len(), 1);
}
