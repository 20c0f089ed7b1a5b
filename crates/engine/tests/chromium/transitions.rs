//! Transitions, traversals and lost logins on pages that load, change and redirect.

use actions_engine::Session;
use serde_json::{Value, json};

use crate::page::Stage;

const PAGE: &str = "<h1 id=account>Ada</h1><ul id=list></ul><button id=more>More</button>
    <a id=old href='/login'>Old link</a>
    <script>
      more.addEventListener('click', () => {
        const at = list.children.length;
        more.disabled = true;
        list.dataset.busy = true;
        setTimeout(() => {
          for (let i = at; i < Math.min(at + 3, 8); i += 1) list.append(Object.assign(document.createElement('li'), { textContent: i }));
          more.disabled = list.children.length === 8;
          list.dataset.busy = false;
          list.dataset.full = list.children.length === 8;
        }, 50);
      });
    </script>";

fn clicking(name: &str, selector: &str, then: &Value, output: &str) -> Value {
    let mut steps = vec![json!({
        "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": selector } },
    })];
    steps.extend(then.as_array().unwrap().iter().cloned());
    json!({
        "name": name, "description": "A tool.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": {
            "version": 1, "expression_language": "jsonata", "steps": steps,
            "output": output,
        },
    })
}

async fn opened(stage: &Stage) -> Session {
    let state = |name: &str, selector: &str| json!({ "name": name, "description": "A state.", "diagnostics": [{ "target": { "selector": selector } }] });
    let settled = json!([
        { "id": "ready", "primitive": "locator.wait_for",
          "args": { "locator": { "selector": "#list[data-busy='false']" }, "state": "attached" } },
        { "id": "count", "primitive": "dom.observe.attributes", "args": { "selector": "#list > li", "attributes": ["text"] } },
    ]);
    let tools = [
        clicking("more", "#more", &settled, "{% steps.count.output.match_count %}"),
        clicking("old", "#old", &json!([]), "{% steps.click.ok %}"),
    ];
    let sections = json!({
        "states": [
            state("signed_in", "#account"), state("signed_out", "form#login"),
            state("growing", "#more:enabled"), state("full", "#list[data-full='true']"),
        ],
        "transitions": [
            { "name": "grow", "from": "growing", "to": ["growing", "full"], "tool": "more",
              "convergence": { "complete_when": "{% 'full' in states %}", "max_attempts": 10 } },
        ],
        "x_actions": { "auth_check": "signed_in", "login_state": "signed_out" },
    });
    stage.with_map(&tools, &sections).await
}

#[tokio::test]
async fn a_traversal_waits_for_each_attempt_and_ends_when_the_page_says_so() {
    let stage = Stage::with(PAGE).await;
    let session = opened(&stage).await;
    let outcome = session.traverse("grow").run().await;
    assert!(outcome.result.unwrap(), "{:?}", outcome.values);
    assert_eq!(outcome.values, [3, 6, 8], "three items at a time, eight in all");
    let error = session.call("more").run().await.result.unwrap_err();
    assert_eq!((error.code.as_str(), &error.evidence["required"]), ("state_mismatch", &json!(["growing"])));
    assert_eq!(error.evidence["current"], json!(["signed_in", "full"]));
}

#[tokio::test]
async fn a_click_that_leads_to_the_login_page_has_lost_the_login() {
    let stage = Stage::with(PAGE).await;
    stage.page("/login", "<form id=login><input type=password></form>");
    let session = opened(&stage).await;
    session.check_auth(None).await.unwrap();
    let error = session.call("old").run().await.result.unwrap_err();
    assert_eq!(error.code.as_str(), "auth_lost");
    assert!(error.evidence["url"].as_str().unwrap().ends_with("/login"), "{:?}", error.evidence);
    assert!(error.mutated, "the click happened");
    let error = session.check_auth(None).await.unwrap_err();
    assert_eq!((error.code.as_str(), &error.evidence["state"]), ("auth_lost", &json!("signed_out")));
}
