//! The dictionary, the validator, the targets of tools and the page script know the same locators.

use std::collections::BTreeSet;

use actions_dictionary::Dictionary;
use actions_engine::Session;
use actions_manifest::{Options, validate};
use actions_primitives::{Failure, perform};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::page::{Stage, deadline, tool};

const PAGE: &str = r#"<h2 id="h">Files</h2><p id="p">Nothing</p>
<div id="box"><button id="b" class="b" title="all" aria-pressed="true">Save all <i>now</i></button></div>
<iframe srcdoc="<p id=inner>Inside</p>"></iframe>"#;

/// Locators that find exactly one element of the page; together they have every key.
fn samples() -> Vec<Value> {
    vec![
        json!({ "selector": "#b" }),
        json!({ "selectors": [".absent", "#b"] }),
        json!({ "selector": ".absent", "fallback_selectors": ["#b"] }),
        json!({ "xpath": "//button" }),
        json!({ "role": "button", "name": "Save all now" }),
        json!({ "role": "button", "name_contains": "all" }),
        json!({ "selector": "button", "text": "Save" }),
        json!({ "selector": "button", "text_equals": "Save all now" }),
        json!({ "selector": "button", "text_contains": "all" }),
        json!({ "selector": "button", "text_matches": "^Save \\w+" }),
        json!({ "role": "button", "name_matches": "(all|none) now$" }),
        json!({ "role": "button", "name": "SAVE ALL NOW", "ignore_case": true }),
        json!({ "role": "button", "states": { "pressed": true } }),
        json!({ "role": "heading", "states": { "level": 2 } }),
        json!({ "selector": "div", "has": { "role": "button" } }),
        json!({ "selector": "h2, p", "not": { "selector": "i" }, "nth": -1 }),
        json!({ "selector": "#inner", "frame": "iframe" }),
        json!({ "selector": "button", "within": { "selector": "#box" } }),
        json!({ "selector": "h2, p, button", "nth": 1 }),
        json!({ "selector": "i", "retarget": { "closest": "div", "selector": "button" } }),
        json!({ "selector": "button", "strict": true }),
    ]
}

async fn look(session: &Session, locator: &Value) -> Result<Value, Failure> {
    let info = Dictionary::builtin().get("locator.element_info").unwrap();
    perform(&session.stage(), info, json!({ "locator": locator }), deadline(session)).await
}

#[tokio::test]
async fn every_key_of_a_locator_is_known_everywhere() {
    let stage = Stage::with(PAGE).await;
    let declared = Dictionary::builtin().get("locator.element_info").unwrap().input_schema();
    let declared: BTreeSet<&String> =
        declared["$defs"]["locator"]["properties"].as_object().unwrap().keys().collect();
    let samples = samples();
    let used: BTreeSet<&String> =
        samples.iter().flat_map(|sample| sample.as_object().unwrap().keys()).collect();
    assert_eq!(used, declared, "the samples have every key of the dictionary and no other");

    // As the locator of a step: the dictionary checks it before the page sees it.
    let session = stage.confined(&[]).await;
    for sample in &samples {
        look(&session, sample).await.unwrap_or_else(|failure| panic!("{sample}: {failure:?}"));
    }

    // As the target of a tool: the validator, the planner and the page.
    let format = actions_manifest::json_schema();
    let known = format["$defs"]["target"]["properties"].as_object().unwrap();
    let in_targets: Vec<&Value> = samples
        .iter()
        .filter(|sample| sample.as_object().unwrap().keys().all(|key| known.contains_key(key)))
        .collect();
    for key in ["text_matches", "name_matches", "ignore_case", "states", "has", "not", "nth"] {
        assert!(in_targets.iter().any(|sample| sample.get(key).is_some()), "{key} is no key of a target");
    }
    let tools: Vec<Value> = in_targets
        .iter()
        .enumerate()
        .map(|(number, target)| {
            let mut tool = tool(&format!("t{number}"), &json!([]));
            tool["target"] = (*target).clone();
            tool
        })
        .collect();
    let session = stage.confined(&tools).await;
    for (number, target) in in_targets.iter().enumerate() {
        let outcome = session.call(format!("t{number}")).run().await;
        assert!(outcome.result.is_ok(), "{target}: {:?}", outcome.result);
    }
}

#[tokio::test]
async fn the_validator_and_the_page_refuse_the_same_patterns() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[]).await;
    let patterns = [
        "Save",
        "^Save.*now$",
        "[a-z]+",
        "[^x-z]",
        "\\d",
        "\\D\\w\\W\\s\\S",
        "(a|b)",
        "(?:a|b)",
        "a{2}",
        "a{2,}",
        "a{2,3}",
        "a*b+c?",
        "\\.",
        "\\/",
        "\\n\\t\\r",
        "[\\d_]",
        "a|",
        "()",
        ".",
        "-",
        "[-a]",
        "[a-]",
        "{",
        "a{",
        "]",
        "}",
        "(?i)a",
        "(?=a)",
        "(?!a)",
        "(?<n>a)",
        "(a)\\1",
        "\\bword",
        "a*?",
        "a+?",
        "a??",
        "a{2}?",
        "\\p{L}",
        "[[:alpha:]]",
        "[a&&b]",
        "a**",
        "^*",
        "$+",
        "(",
        ")",
        "[",
        "[z-a]",
        "a{3,2}",
        "\\x41",
        "\\u0041",
        "\\0",
        "a{1001}",
        "(a{40}){40}",
        "*",
        "+a",
        "?",
        "a|*",
        "\\",
    ];
    let mut disagree = Vec::new();
    for pattern in patterns {
        let locator = json!({ "selector": "button", "text_matches": pattern });
        let steps =
            json!([{ "id": "look", "primitive": "locator.element_info", "args": { "locator": locator } }]);
        let map = json!({ "protocol": "actions.json", "version": 1, "tools": [tool("t", &steps)] });
        let validation = validate("actions.json", map.to_string().as_bytes(), &Options::default());
        let refused = validation.findings.iter().any(|finding| finding.rule.code == "L004");
        let page_refuses = match look(&session, &locator).await {
            Ok(_) => false,
            Err(failure) => failure.code != ErrorCode::TargetNotFound,
        };
        if refused != page_refuses {
            disagree.push(format!(
                "{pattern}: the validator {}",
                if refused { "refuses it" } else { "accepts it" }
            ));
        }
    }
    assert!(disagree.is_empty(), "{disagree:#?}");
}
