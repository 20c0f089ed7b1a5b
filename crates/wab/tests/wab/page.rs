//! The bridge in a page: the objects, their errors, and the event that says they are there.

use std::time::Duration;

use actions_engine::browser::{Deadline, SystemClock};
use actions_wab::{BridgeOptions, Permission, Permissions};
use serde_json::{Value, json};

use crate::stage::Stage;

/// Runs a script as one of the page, which uses the bridge.
async fn run(stage: &Stage, source: &str) -> Value {
    let deadline = Deadline::after(&SystemClock, Duration::from_secs(60));
    let page = stage.page();
    page.evaluate(source, deadline).await.unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_the_page_has_the_objects_of_the_protocol() {
    let stage = Stage::new().await;
    stage.page_is_ready().await;
    let listed =
        run(&stage, "AICommands.getActions().then((actions) => actions.map((action) => action.name))").await;
    assert_eq!(listed, json!(["menu_view", "menu_search", "order_place", "page_bottom"]));
    let found = run(&stage, "AICommands.execute('menu_search', { query: 'soup' })").await;
    assert_eq!(found["total"], 2);
    let one = run(&stage, "AICommands.getAction('order_place').then((action) => action.x_name)").await;
    assert_eq!(one, "order.place");
    let whole = run(&stage, "__wab_bidi.send({ id: 7, method: 'wab.ping', params: {} })").await;
    assert_eq!((&whole["id"], &whole["result"]["status"]), (&json!(7), &json!("ok")));
    let context = run(&stage, "__wab_bidi.getContext()").await;
    assert_eq!(context["session"]["authenticated"], false);
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_failures_are_errors_with_the_code_of_the_protocol() {
    let withheld = Permissions::of([Permission::Scroll]);
    let stage = Stage::with(BridgeOptions { withheld, ..BridgeOptions::default() }).await;
    stage.page_is_ready().await;
    let code = |call: &str| {
        format!("{call}.then(() => 'no error', (error) => [error instanceof Error, error.code])")
    };
    let denied = run(&stage, &code("AICommands.execute('page_bottom')")).await;
    assert_eq!(denied, json!([true, "PERMISSION_DENIED"]));
    let absent = run(&stage, &code("AICommands.readContent('#absent')")).await;
    assert_eq!(absent, json!([true, "SELECTOR_NOT_FOUND"]));
    let key = run(&stage, &code("AICommands.authenticate('a-wrong-key')")).await;
    assert_eq!(key, json!([true, "INVALID_TOKEN"]));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_events_reach_those_who_subscribe_in_the_page() {
    let stage = Stage::new().await;
    stage.page_is_ready().await;
    let heard = run(
        &stage,
        "new Promise(async (resolve) => {
           await __wab_bidi.subscribe(['actionExecuted'], resolve);
           await AICommands.execute('menu_search', { query: 'soup' });
         })",
    )
    .await;
    assert_eq!((&heard["event"], &heard["data"]["name"]), (&json!("actionExecuted"), &json!("menu_search")));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_a_new_document_is_ready_before_its_own_scripts_run() {
    let stage = Stage::new().await;
    stage.page_is_ready().await;
    stage.server.page("/next", "<title>Next</title><script>window.early = typeof AICommands</script>");
    let deadline = Deadline::after(&SystemClock, Duration::from_secs(60));
    let page = stage.page();
    let next = stage.server.url("/next");
    page.navigate(&next, actions_engine::browser::LoadState::Load, deadline).await.unwrap();
    assert_eq!(run(&stage, "early").await, "object");
    stage.page_is_ready().await;
    let info = run(&stage, "AICommands.getPageInfo()").await;
    assert_eq!(info["title"], "Next");
    stage.end().await;
}
