//! A map of a shop with states, transitions, context and a login, on a page that shows what a test wants.

use std::sync::{Arc, Mutex};

use actions_engine::browser::fake::{Behaviour, FakePage, Performed};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::map::{ORIGIN, page, read, tool};

/// The selectors that match something on the page.
#[derive(Clone, Default)]
pub(crate) struct Shown(Arc<Mutex<Vec<String>>>);

impl Shown {
    /// Replaces what is on the page.
    pub(crate) fn set(&self, selectors: &[&str]) {
        *self.0.lock().unwrap() = selectors.iter().map(|one| (*one).to_owned()).collect();
    }

    fn has(&self, locator: &Value) -> bool {
        self.0.lock().unwrap().iter().any(|one| locator["selector"] == one.as_str())
    }
}

/// A page that shows what a test wants, and answers the questions of states and targets about it.
pub(crate) fn shop() -> (AutoClock, Arc<FakePage>, Shown) {
    let (clock, page) = page();
    let shown = Shown::default();
    let seen = shown.clone();
    page.on_call("locator.tally", move |args| {
        let counts = args["locators"].as_array().unwrap().iter().map(|locator| {
            let count = u64::from(seen.has(locator));
            json!({ "ok": { "attached": count, "rendered": count } })
        });
        json!({ "ok": { "counts": counts.collect::<Vec<_>>() } })
    });
    let seen = shown.clone();
    page.on_call("locator.resolve", move |args| {
        let elements =
            if seen.has(&args["locator"]) { vec![json!({ "rendered": true })] } else { Vec::new() };
        json!({ "ok": {
            "candidate_count": elements.len(), "matched_by": "selector", "matched_selector": null,
            "identity": "unchecked", "elements": elements,
        } })
    });
    page.on_call("page.change", |_| Behaviour::Hangs);
    (clock, page, shown)
}

/// Where the page goes.
pub(crate) fn goes_to(page: &FakePage, path: &str) {
    page.goes_to(&format!("{ORIGIN}{path}"), false);
}

/// A state that is current while a selector matches.
pub(crate) fn state(name: &str, selector: &str) -> Value {
    json!({ "name": name, "description": "A state.", "diagnostics": [{ "target": { "selector": selector } }] })
}

/// A state that cannot be recognised.
pub(crate) fn undiagnosed(name: &str) -> Value {
    json!({ "name": name, "description": "A state." })
}

/// A tool that reads the heading.
pub(crate) fn reading(name: &str) -> Value {
    tool(name, json!({}), json!([read("heading")]), json!("{% steps.heading.output.text %}"))
}

/// How often the page was asked to count elements.
pub(crate) fn tallies(page: &FakePage) -> usize {
    let performed = page.take_performed();
    let asked = performed
        .iter()
        .filter(|one| matches!(one, Performed::Call { function, .. } if function == "locator.tally"));
    asked.count()
}
