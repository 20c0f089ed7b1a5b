//! A step after a click that navigates acts on the new page, time and again.

use serde_json::{Value, json};

use crate::page::Stage;

/// How often the page is left. One in thirty clicks once ended as a defect, and one in ten reads took the old page.
const ROUNDS: usize = 60;

/// A tool that leaves the start page by its steps and returns what the next page says about itself.
fn leaves(name: &str, steps: Value) -> Value {
    let Value::Array(mut all) = steps else { panic!("steps") };
    all.insert(0, json!({ "id": "start", "primitive": "browser.navigate", "args": { "url": "/" } }));
    all.push(json!({ "id": "read", "primitive": "dom.extract", "args": {
        "extract": [{ "id": "lines", "selector": ".line", "many": true }],
    } }));
    json!({
        "name": name, "description": "Leaves the page.", "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": all, "output": "{% steps.read.output.records.lines %}" },
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_keys_and_forms_that_navigate_are_followed_by_reads_of_the_new_page() {
    let stage = Stage::with(
        "<p class=line>old</p><a id=link href=/next>Next</a><form action=/next><input id=field><button>Go</button></form>",
    )
    .await;
    // The parser gives way between the lines, so that a read that comes too early sees only some of them.
    let lines: String =
        (0..400).map(|number| format!("<p class=line>{number}</p><script></script>")).collect();
    stage.page("/next", &lines);
    let at = |selector: &str| json!({ "locator": { "selector": selector } });
    let tools = [
        leaves("by_click", json!([{ "id": "leave", "primitive": "pointer.click", "args": at("#link") }])),
        leaves(
            "by_key",
            json!([
                { "id": "focus", "primitive": "dom.focus", "args": at("#field") },
                { "id": "leave", "primitive": "keyboard.press", "args": { "key": "Enter" } },
            ]),
        ),
        leaves("by_form", json!([{ "id": "leave", "primitive": "form.submit", "args": at("form") }])),
    ];
    let session = stage.free(&tools).await;
    for round in 0..ROUNDS {
        let name = ["by_click", "by_key", "by_form"][round % 3];
        let outcome = session.call(name).run().await;
        let value = outcome
            .result
            .unwrap_or_else(|error| panic!("round {round}, {name}: {error} {:?}", error.evidence));
        assert_eq!(value.as_array().map(Vec::len), Some(400), "round {round}, {name}: {value}");
    }
}
