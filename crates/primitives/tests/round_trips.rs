//! Counts the round trips of each primitive on an ordinary page, because round trips dominate its duration.

use std::time::Duration;

use actions_browser::chromium::{LaunchOptions, launch};
use actions_browser::{Browser, ContextOptions, Deadline, LoadState};
use actions_dictionary::Dictionary;
use actions_primitives::{Permits, Stage, perform};
use actions_testserver::TestServer;
use serde_json::json;

const PAGE: &str = "<title>Ordinary</title>
    <button id=b>Go</button><a id=over href=#there>Over</a><input id=field value=one>
    <label><input type=checkbox id=c> Box</label><select id=s><option>one<option>two</select>
    <section><ul><li class=row>one<li class=row>two</ul></section><div style=\"height: 3000px\"></div><p id=there>There</p>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_takes_one_round_trip_and_a_click_two() {
    let at = |selector: &str| json!({ "locator": { "selector": selector } });
    let extract = json!([{ "id": "rows", "selector": ".row", "many": true }]);
    let table = [
        ("page.info", json!({}), 1),
        ("locator.element_info", at("#b"), 1),
        ("locator.text_content", at("#b"), 1),
        ("locator.value", at("#field"), 1),
        ("locator.wait_for", at("#b"), 1),
        ("dom.observe.visible", json!({ "selector": "button" }), 1),
        ("dom.observe.attributes", json!({ "selector": "a", "attributes": ["href"] }), 1),
        ("dom.snapshot_text", json!({}), 1),
        ("dom.list_sections", json!({ "item_selector": "li" }), 1),
        ("dom.extract", json!({ "extract": extract }), 1),
        ("browser.extract_elements", json!({ "item_selector": "li", "fields": [{ "name": "text" }] }), 1),
        ("dom.focus", at("#field"), 1),
        ("form.select_option", json!({ "locator": { "selector": "#s" }, "value": "two" }), 1),
        ("pointer.click", at("#b"), 2),
        ("form.set_checked", json!({ "locator": { "selector": "#c" }, "checked": true }), 4),
        ("text.insert", json!({ "text": "two", "mode": "replace", "target": { "selector": "#field" } }), 3),
        ("text.type", json!({ "text": "twenty characters ok", "target": { "selector": "#field" } }), 3),
        ("pointer.move", at("#b"), 2),
        ("keyboard.press", json!({ "key": "Shift" }), 2),
    ];
    let server = TestServer::start().await.expect("a server");
    server.page("/", PAGE);
    let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
    let soon = || Deadline::after(&*browser.clock(), Duration::from_secs(30));
    let context = browser.new_context(ContextOptions::default(), soon()).await.expect("a context");
    let page = context.new_page(soon()).await.expect("a page");
    let stage = Stage::new(page.clone(), browser.clock(), Permits::default());
    // On a slow machine a call may be repeated, so the lowest of three counts is compared.
    let mut fewest = vec![u64::MAX; table.len()];
    for _ in 0..3 {
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.expect("the page loads");
        for ((name, args, _), fewest) in table.iter().zip(&mut fewest) {
            let primitive = Dictionary::builtin().get(name).expect("a primitive");
            let before = page.counters();
            let answer = perform(&stage, primitive, args.clone(), soon()).await;
            let cost = page.counters() - before;
            assert!(answer.is_ok(), "{name}: {answer:?}");
            *fewest = cost.round_trips.min(*fewest);
        }
    }
    browser.close().await;
    let seen: Vec<(&str, u64)> =
        table.iter().zip(fewest).map(|((name, ..), fewest)| (*name, fewest)).collect();
    let wanted: Vec<(&str, u64)> = table.iter().map(|(name, _, wanted)| (*name, *wanted)).collect();
    assert_eq!(seen, wanted);
}
