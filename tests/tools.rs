//! Runs every tool of the example site, one after the other on one page.

use std::collections::BTreeSet;
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, Deadline};
use actions_engine::{Engine, Session};
use actions_testserver::LocalSite;
use serde_json::{Value, json};

use super::root;

/// A session that remembers which tools it has run.
struct Visit {
    session: Session,
    performed: BTreeSet<String>,
}

impl Visit {
    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.performed.insert(tool.to_owned());
        let outcome = self.session.call(tool).arguments(arguments).run().await;
        outcome.result.unwrap_or_else(|error| panic!("{tool}: {error} {:?}", error.evidence))
    }

    /// Clicks to remove the only print in the cart, and leaves the confirmation dialog open.
    async fn ask_for_removal(&self) {
        let click = actions_dictionary::Dictionary::builtin().get("pointer.click").expect("a primitive");
        let stage = self.session.stage();
        let deadline = Deadline::after(&*stage.clock(), Duration::from_secs(30));
        let target = json!({ "locator": { "selector": ".line-remove" } });
        let clicked = actions_primitives::perform(&stage, click, target, deadline).await;
        clicked.unwrap_or_else(|failure| panic!("{failure:?}"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_of_the_example_site_works() {
    let site = LocalSite::serve(&root(), "example.com").await.expect("a site");
    let engine = Engine::load(site.map("")).expect("a map");
    let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
    let session = engine.open(&browser).await.expect("a page");
    let mut visit = Visit { session, performed: BTreeSet::new() };

    visit.call("site.guide", json!({})).await;
    let text = visit.call("page.text", json!({})).await;
    assert!(text.to_string().len() > 100, "{text}");
    assert_eq!(visit.call("newsletter.subscribe", json!({ "email": "ada@mail.example" })).await["ok"], true);

    assert_eq!(visit.call("search.submit", json!({ "query": "maps" })).await["total"], 17);
    let first = visit.call("results.read", json!({})).await;
    assert_eq!((&first["page"], &first["pages"]), (&json!(1), &json!(3)), "{first}");
    let all = visit.call("results.collect_all", json!({})).await;
    assert_eq!(all["results"].as_array().map(Vec::len), Some(17), "{all}");
    let second = visit.call("results.read_page", json!({ "page": 2 })).await;
    assert_eq!(second["page"], 2, "{second}");
    let id = second["results"][0]["id"].clone();
    let opened = visit.call("result.open", json!({ "id": id })).await;
    let item = visit.call("item.read", json!({})).await;
    assert_eq!((&item["id"], &item), (&id, &opened));
    let estimate = visit.call("shipping.estimate", json!({ "region": "islands" })).await;
    assert_eq!(estimate["region"], "islands");

    let add = json!({ "item_id": "night-trams", "copies": 2 });
    assert_eq!(visit.call("cart.add", add.clone()).await["copies"], 2);
    let cart = visit.call("cart.read", json!({})).await;
    assert!(cart.to_string().contains("night-trams"), "{cart}");
    visit.ask_for_removal().await;
    visit.call("dialog.keep_print", json!({})).await;
    assert_eq!(visit.call("cart.read", json!({})).await, cart, "the cart stays as it is");
    visit.ask_for_removal().await;
    visit.call("dialog.confirm_removal", json!({})).await;
    let empty = visit.call("cart.read", json!({})).await;
    assert!(!empty.to_string().contains("night-trams"), "{empty}");
    visit.call("cart.add", add.clone()).await;
    visit.call("cart.read", json!({})).await;
    let removed = visit.call("cart.remove", json!({ "item_id": "night-trams" })).await;
    assert_eq!(removed, json!({ "removed": "night-trams", "left": [] }));
    visit.call("cart.add", add).await;
    visit.call("cart.read", json!({})).await;
    assert_eq!(visit.call("cart.clear", json!({})).await["cleared"], true);

    let catalogue = visit.call("catalogue.load_all", json!({})).await;
    assert!(catalogue.to_string().contains("night-trams"), "{catalogue}");

    let declared: BTreeSet<String> = engine.tools().collect();
    assert_eq!(visit.performed, declared, "every tool of the map has been run");
    visit.session.close().await;
    browser.close().await;
}
