//! Pages are found by number, id, address or title, and several maps share them.

use actions_engine::CallError;
use actions_runtime::{
    MapVersion, OpenSession, Route, RuntimeEvent, RuntimeOptions, RuntimeSession, ToolCall,
};
use serde_json::json;

use crate::stage::{Stage, tool, until, wait_for};

async fn read(session: &RuntimeSession, route: &str) -> Result<String, CallError> {
    let outcome = session.call(ToolCall::of("log.read").on(Route::matching(route))).await;
    outcome.result.map(|value| value.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_page_is_found_by_number_id_address_or_title() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let mut events = runtime.events();
    let session = runtime.open(stage.open("work")).await.unwrap();
    let lease = session.lease(&Route::Current).await.unwrap();
    let deadline =
        actions_browser::Deadline::after(&*lease.stage().clock(), std::time::Duration::from_secs(30));
    lease.page().evaluate("void open('/popup')", deadline).await.unwrap();
    wait_for(&mut events, |event| {
        matches!(event, RuntimeEvent::PageNavigated { page, url, .. } if page.0 == 2 && url.ends_with("/popup"))
    })
    .await;
    let popup = lease.pages().pop().unwrap().page;
    popup.wait_for_load(&popup.main_frame(), actions_browser::LoadState::Load, deadline).await.unwrap();
    drop(lease);

    for route in ["2", "work-2", "/POPUP", "popup"] {
        assert_eq!(read(&session, route).await.unwrap(), "from the popup", "{route}");
    }
    let error = read(&session, "127.0.0.1").await.unwrap_err();
    assert_eq!(error.code.as_str(), "ambiguous_runtime");
    assert_eq!(error.evidence["pages"].as_array().unwrap().len(), 2);
    let error = read(&session, "no such page").await.unwrap_err();
    assert_eq!(error.code.as_str(), "runtime_not_found");
    let known: Vec<_> =
        error.evidence["pages"].as_array().unwrap().iter().map(|page| &page["title"]).collect();
    assert_eq!(known, ["Log", "Popup"]);

    let info = session.info().await;
    assert_eq!(info.pages[1].runtime_id, "work-2");
    assert_eq!((info.pages[0].current, info.pages[1].current), (true, false));
    runtime.close().await;
}

#[tokio::test]
async fn several_maps_share_the_pages_and_the_first_that_applies_wins() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let constant = |value: &str| {
        let output = format!("{{% '{value}' %}}");
        tool("name", &json!({ "type": "object" }), json!([]), &output)
    };
    let mut elsewhere = constant("elsewhere");
    elsewhere["x_actions"] = json!({ "binding": { "target_url_contains": "/elsewhere" } });
    let other = tool(
        "title",
        &json!({ "type": "object" }),
        json!([{ "id": "info", "primitive": "page.info" }]),
        "{% steps.info.output.title %}",
    );
    let open = OpenSession::named("work")
        .map(stage.engine("first.json", &[elsewhere]))
        .map(stage.engine("second.json", &[constant("second"), other]))
        .map(stage.engine("third.json", &[constant("third")]));
    let session = runtime.open(open).await.unwrap();
    assert_eq!(session.maps(), ["first.json", "second.json", "third.json"]);
    let call = async |tool: &str| session.call(ToolCall::of(tool)).await.result.unwrap();
    assert_eq!(call("name").await, "second", "the tool of the first map does not apply to the page");
    assert_eq!(call("title").await, "Log");

    session.set_maps(&[MapVersion::of(stage.engine("third.json", &[constant("third")]))]);
    assert_eq!(call("name").await, "third", "maps are replaced without losing the page");
    until("the session is idle again", || session.views().len() == 1).await;
    runtime.close().await;
}
