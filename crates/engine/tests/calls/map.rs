//! Maps, pages and sessions for the tests of calls.

use std::future::Future;
use std::sync::Arc;

use actions_engine::browser::fake::FakePage;
use actions_engine::{Engine, Session};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;

pub(crate) const ORIGIN: &str = "https://fixture.example";

/// A map of these tools.
pub(crate) fn map(tools: &[Value]) -> Value {
    json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": ORIGIN, "name": "Fixture" },
        "tools": tools,
    })
}

/// A tool with a workflow.
pub(crate) fn tool(name: &str, properties: Value, steps: Value, output: Value) -> Value {
    json!({
        "name": name, "description": "A tool.",
        "input_schema": { "type": "object", "properties": properties, "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output },
    })
}

/// A step that reads.
pub(crate) fn read(id: &str) -> Value {
    json!({ "id": id, "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } })
}

pub(crate) fn engine(map: &Value) -> Engine {
    Engine::from_bytes("actions.json", map.to_string().as_bytes()).unwrap()
}

/// A page that shows a heading and takes text, and the clock it lives by.
pub(crate) fn page() -> (AutoClock, Arc<FakePage>) {
    let clock = AutoClock::default();
    let page = FakePage::new(Arc::new(clock.clone()));
    page.goes_to(&format!("{ORIGIN}/"), false);
    page.on_call("locator.text_content", |_| json!({ "ok": { "text": "Maps" } }));
    page.on_call("locator.wait_for", |_| json!({ "ok": { "matched": true } }));
    page.on_call("viewport.scroll", |_| {
        let (before, after) = (json!({ "scroll_x": 0, "scroll_y": 0 }), json!({ "scroll_x": 0, "scroll_y": 10 }));
        json!({ "ok": {
            "moved": true, "target": "page", "before": before, "after": after, "delta_x": 0, "delta_y": 10, "at_end": false,
        } })
    });
    (clock, page)
}

pub(crate) fn session(engine: &Engine, clock: &AutoClock, page: &Arc<FakePage>) -> Session {
    engine.on_page(page.clone(), Arc::new(clock.clone()))
}

/// Runs a future on a runtime of one thread, on the clock.
pub(crate) fn on_clock<T>(clock: &AutoClock, future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(clock.run(future))
}
