//! Runs the cases in `fixtures/script/*/cases.json`: a page, a call, and the expected answer.
//!
//! A case has `it` (a description), `call` and `args`, and `expect`: JSON pointers into the answer with the expected
//! values, where `*` stands for every item of an array. `has` lists substrings instead of whole values. `page` is
//! JavaScript that runs in the page before the call.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::Value;

use crate::stage::{fixtures, perform};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    it: String,
    page: Option<String>,
    call: String,
    args: Value,
    #[serde(default)]
    expect: BTreeMap<String, Value>,
    #[serde(default)]
    has: BTreeMap<String, String>,
}

macro_rules! fixtures_with_cases {
    ($($name:ident)*) => {
        $(#[tokio::test] async fn $name() { perform_cases(stringify!($name)).await; })*

        #[test]
        fn every_fixture_with_cases_has_its_test() {
            let mut known = vec![$(stringify!($name)),*];
            known.sort_unstable();
            let mut found: Vec<String> = std::fs::read_dir(fixtures()).unwrap()
                .map(|entry| entry.unwrap())
                .filter(|entry| entry.path().join("cases.json").exists())
                .map(|entry| entry.file_name().into_string().unwrap())
                .collect();
            found.sort_unstable();
            assert_eq!(known, found);
        }
    };
}

fixtures_with_cases! { clobbered facts fetch forms locators reads scrolling shadow text waiting }

/// Runs the cases of a fixture in order, on one page, and reports every failure.
async fn perform_cases(fixture: &str) {
    let text = std::fs::read_to_string(fixtures().join(fixture).join("cases.json")).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    perform(async |stage| {
        let mut wrong = String::new();
        stage.open(fixture).await;
        for case in &cases {
            if let Some(source) = &case.page {
                stage.evaluate(source).await;
            }
            let answer = stage.call(&case.call, &case.args).await;
            for complaint in complaints(case, &answer) {
                let _ = write!(wrong, "\n{fixture}: {}\n  {complaint}\n  in {answer}\n", case.it);
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    })
    .await;
}

fn complaints(case: &Case, answer: &Value) -> Vec<String> {
    let mut found = Vec::new();
    assert!(!case.expect.is_empty() || !case.has.is_empty(), "{} expects nothing", case.it);
    for (pointer, wanted) in &case.expect {
        let seen = at(answer, pointer);
        if seen.as_ref() != Some(wanted) {
            found.push(format!("{pointer} should be {wanted}, and is {}", shown(seen.as_ref())));
        }
    }
    for (pointer, part) in &case.has {
        let seen = at(answer, pointer);
        if !seen.as_ref().and_then(Value::as_str).is_some_and(|text| text.contains(part.as_str())) {
            found.push(format!("{pointer} should contain {part:?}, and is {}", shown(seen.as_ref())));
        }
    }
    found
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".to_owned(), Value::to_string)
}

/// Returns the value at a JSON pointer; `*` collects the values at the rest of the pointer from every item.
fn at(value: &Value, pointer: &str) -> Option<Value> {
    match pointer.split_once("/*") {
        None => value.pointer(pointer).cloned(),
        Some((array, rest)) => {
            let items = value.pointer(array)?.as_array()?;
            Some(items.iter().map(|item| at(item, rest).unwrap_or_default()).collect())
        }
    }
}
