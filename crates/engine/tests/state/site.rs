//! Requests of `actions.site`.

use actions_dictionary::Dictionary;
use actions_engine::SiteAnswer;
use serde_json::json;

use crate::stage::{Stage, map, plain, site};

#[tokio::test]
async fn one_entry_lists_calls_and_reads() {
    let stage = Stage::new().await;
    stage.server.page("/board", "<title>Board</title><h1>Board</h1>");
    let mut here = plain(json!([{ "id": "h", "selector": "h1" }]));
    here["name"] = json!("site.here");
    here["summaries"] = json!([{ "name": "agent_context", "expression": "state.h[0]", "max_bytes": 100 }]);
    let mut elsewhere = plain(json!([]));
    elsewhere["name"] = json!("site.elsewhere");
    elsewhere["scope"] = json!({ "url_matches": "*/elsewhere" });
    let guide = json!({ "name": "guide", "description": "Tells how.", "input_schema": { "type": "object" }, "x_actions": { "static_output": { "begin": "here" } } });
    let far = json!({ "name": "far", "description": "Is not here.", "input_schema": { "type": "object" },
        "target": { "url_contains": "/elsewhere" }, "x_actions": { "static_output": 1 } });
    let session = stage.open(&map(&[here, elsewhere], &[guide, far]), "/board").await;

    let mut listed = site(&session, json!({ "mode": "list" })).await.expect("a list").to_json();
    listed["url"] = json!("…");
    insta::assert_json_snapshot!("list", listed);
    let called = site(&session, json!({ "mode": "call", "action": "guide" })).await.expect("a value");
    assert_eq!(called.to_json(), json!({ "begin": "here" }));
    let Ok(SiteAnswer::Summary(summary)) =
        site(&session, json!({ "mode": "state_summary", "projection_name": "site.here" })).await
    else {
        panic!("a summary");
    };
    assert_eq!((summary.summary, summary.summary_name.as_str()), (json!("Board"), "agent_context"));
    let mut read = site(&session, json!({ "mode": "state_read", "projection": "site.here" }))
        .await
        .expect("a state")
        .to_json();
    (read["url"], read["observed_at"]) = (json!("…"), json!("…"));
    insta::assert_json_snapshot!("state_read", read);
    let mut diff = site(&session, json!({ "mode": "state_diff", "projection": "site.here" }))
        .await
        .expect("a diff")
        .to_json();
    (diff["url"], diff["observed_at"], diff["previous_observed_at"]) = (json!("…"), json!("…"), json!("…"));
    insta::assert_json_snapshot!("state_diff", diff);
}

#[tokio::test]
async fn what_is_not_there_is_refused_by_its_code() {
    let stage = Stage::new().await;
    stage.server.page("/", "");
    let session = stage.open(&map(&[plain(json!([]))], &[]), "/").await;
    let requests = [
        (json!({ "mode": "call", "action": "nothing" }), "unknown_action"),
        (json!({ "mode": "state_read", "projection": "nothing" }), "state_projection_not_found"),
        (json!({ "mode": "state_summary", "projection": "it" }), "state_summary_not_found"),
    ];
    for (request, code) in requests {
        assert_eq!(site(&session, request).await.expect_err("a refusal").code.as_str(), code);
    }
}

/// The examples of the primitives that the engine performs itself; the others run in the tests of the primitives.
#[tokio::test]
async fn the_examples_of_the_engines_own_primitives_run() {
    let stage = Stage::new().await;
    stage.server.page("/", "<ul><li>Ideas<li>Doing<li>Done</ul>");
    let mut board = plain(json!([{ "id": "lists", "selector": "li", "many": true }]));
    board["name"] = json!("site.board");
    board["summaries"] =
        json!([{ "name": "agent_context", "expression": "{% {'list_count': $count(state.lists)} %}" }]);
    let search = json!({ "name": "search.submit", "description": "Searches.", "input_schema": { "type": "object" },
        "x_actions": { "static_output": { "ok": true } } });
    for primitive in Dictionary::builtin().iter().filter(|one| one.is_performed_by_engine()) {
        for example in &primitive.examples {
            let step = json!({ "id": "one", "primitive": primitive.name, "args": example.args });
            let tool = json!({ "name": "try", "description": "Tries.", "input_schema": { "type": "object" },
                "workflow": { "version": 1, "expression_language": "jsonata", "steps": [step],
                    "output": "{% steps.one.output %}" } });
            // A step only calls; callers also list and read.
            let request = match primitive.reads_state {
                true => json!({ "mode": "call", "action": "try" }),
                false => example.args.clone(),
            };
            let tools = if primitive.reads_state { vec![search.clone(), tool] } else { vec![search.clone()] };
            let session = stage.open(&map(std::slice::from_ref(&board), &tools), "/").await;
            let output = site(&session, request).await.expect("the example runs").to_json();
            let shown = example.output.as_object().expect("an object").keys();
            let missing: Vec<&String> = shown.filter(|key| output.get(key.as_str()).is_none()).collect();
            assert!(missing.is_empty(), "{}: {missing:?} is not in {output}", primitive.name);
        }
    }
}
