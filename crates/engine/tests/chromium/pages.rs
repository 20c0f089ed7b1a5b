//! A session has a current page and knows the others.

use std::time::Duration;

use actions_dictionary::Dictionary;
use actions_engine::browser::LoadState;
use actions_engine::{PageId, Session, SessionPage, SiteRequest};
use actions_primitives::perform;
use futures_util::future::join_all;
use serde_json::json;

use crate::page::{Stage, deadline, script, tool};

/// A page that shows the fragment of its address.
const PAGE: &str = "<p id=word></p><script>word.textContent = location.hash.slice(1)</script>";

/// A tool that reads the word of the page.
fn read() -> serde_json::Value {
    let steps = json!([
        { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#word" } } },
    ]);
    let mut read = tool("word.read", &steps);
    read["workflow"]["output"] = json!("{% steps.read.output.text %}");
    read
}

/// Waits until the session has a number of open pages, and returns them.
async fn pages(session: &Session, count: usize) -> Vec<SessionPage> {
    let opened = async {
        while session.pages().len() != count {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), opened).await.expect("the pages open or close");
    let pages = session.pages();
    for SessionPage { page, .. } in &pages {
        page.wait_for_load(&page.main_frame(), LoadState::Load, deadline(session)).await.unwrap();
    }
    pages
}

#[tokio::test]
async fn calls_run_on_the_current_page_and_the_session_remembers_across_pages() {
    let steps = json!([{ "id": "task", "primitive": "task.add", "args": { "text": "Read the word" } }]);
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[read(), tool("task.add", &steps)]).await;
    script(&session, "void open('/#popup')").await;
    let popup = pages(&session, 2).await.pop().unwrap();
    assert_eq!(popup.opener, Some(PageId(1)));
    assert!(!popup.is_current, "a page that a page opens does not become the current one by itself");
    session.switch_to(popup.id).unwrap();
    assert_eq!(session.call("word.read").run().await.result.unwrap(), "popup");
    session.call("task.add").run().await.result.unwrap();

    session.switch_to(PageId(1)).unwrap();
    assert_eq!(session.call("word.read").run().await.result.unwrap(), "");
    session.call("task.add").run().await.result.unwrap();
    let list = Dictionary::builtin().get("task.list").unwrap();
    let tasks = perform(&session.stage(), list, json!({}), deadline(&session)).await.unwrap();
    assert_eq!(tasks["total"], 2, "the queue belongs to the session, not to a page");

    popup.page.close(deadline(&session)).await.unwrap();
    let error = session.switch_to(popup.id).unwrap_err();
    assert_eq!(error.code.as_str(), "page_closed");
    let error = session.on(popup.id).call("word.read").run().await.result.unwrap_err();
    assert_eq!(error.code.as_str(), "page_closed");
}

#[tokio::test]
async fn the_step_that_opens_a_page_reports_it() {
    let html = "<a id=blank target=_blank href='/#blank'>blank</a><button onclick=\"window.open('/#script')\">script</button>";
    let click = |name: &str, selector: &str| {
        let steps = json!([
            { "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": selector } } },
        ]);
        let mut tool = tool(name, &steps);
        tool["workflow"]["output"] = json!("{% steps.click.output.opened_pages %}");
        tool
    };
    let stage = Stage::with(html).await;
    let session = stage.confined(&[click("link.click", "#blank"), click("button.click", "button")]).await;
    let name = session.name();
    for (number, tool) in [(2, "button.click"), (3, "link.click"), (4, "button.click")] {
        let opened = session.call(tool).run().await.result.unwrap();
        assert_eq!(opened[0]["page"], number, "{tool}: {opened}");
        assert_eq!(opened[0]["runtime_id"], format!("{name}-{number}"));
        assert_eq!(opened.as_array().map(Vec::len), Some(1));
    }
}

#[tokio::test]
async fn a_popup_that_closes_itself_returns_to_its_opener() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[read()]).await;
    script(&session, "void open('/#first')").await;
    let first = pages(&session, 2).await.pop().unwrap();
    script(&session.on(first.id), "void open('/#second')").await;
    let second = pages(&session, 3).await.pop().unwrap();
    assert_eq!(second.opener, Some(first.id));
    session.switch_to(PageId(1)).unwrap();
    session.switch_to(second.id).unwrap();
    script(&session, "setTimeout(close, 0)").await;
    pages(&session, 2).await;
    assert_eq!(session.page_id(), first.id, "not the page that was current before");
    assert_eq!(session.call("word.read").run().await.result.unwrap(), "first");
}

#[tokio::test]
async fn calls_on_different_pages_run_side_by_side() {
    let wait = json!([{ "id": "wait", "primitive": "locator.wait_for", "args": {
        "locator": { "selector": "#word.done" }, "state": "attached", "timeout_ms": 20000 } }]);
    let done = json!([
        { "id": "done", "primitive": "transfer.write",
          "args": { "label": "done", "format": "text/plain", "value": "yes" } },
    ]);
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[tool("word.wait", &wait), tool("word.done", &done)]).await;
    for word in ["a", "b", "c"] {
        script(&session, &format!("void open('/#{word}')")).await;
    }
    let all = pages(&session, 4).await;
    // Every page but the first waits until a script on the first page has changed it, which happens after a call there.
    let views: Vec<Session> = all.iter().skip(1).map(|page| session.on(page.id)).collect();
    let waits = join_all(views.iter().map(|view| view.call("word.wait").run()));
    let first = session.on(PageId(1));
    let frees = async {
        first.call("word.done").run().await.result.unwrap();
        for view in &views {
            script(view, "word.className = 'done'").await;
        }
    };
    let (outcomes, ()) = tokio::join!(waits, frees);
    for outcome in outcomes {
        outcome.result.unwrap();
    }
}

#[tokio::test]
async fn the_tools_of_the_page_itself_are_listed_within_bounds() {
    let html = "<p>Shop</p><script>
        const tool = (name, more) => document.modelContext.registerTool({ name, description: 'd'.repeat(5000),
            inputSchema: { type: 'object', properties: {} }, execute: () => 1, ...more });
        tool('cart.add', {}); tool('cart.read', { annotations: { readOnlyHint: true } });
        for (let i = 0; i < 300; i += 1) tool(`many-${i}`, {});</script>";
    let stage = Stage::with(html).await;
    let session = stage.confined(&[read()]).await;
    let listed = session.listing(None, None).await.unwrap().page_tools;
    assert_eq!(listed.len(), 100);
    let named = |name: &str| listed.iter().find(|tool| tool.name == name).expect("it is listed");
    assert!(!named("cart.add").reads_only && named("cart.read").reads_only);
    assert!(listed.iter().all(|tool| tool.description.len() == 1_000));
    let site = session.site(SiteRequest::List).run().await.result.unwrap().to_json();
    assert_eq!(site["page_tools"].as_array().map(Vec::len), Some(100));
}
