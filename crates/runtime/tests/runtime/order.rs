//! Calls on one page run in order, and no call is lost or doubled.

use actions_engine::{CancellationToken, Millis, PageId};
use actions_runtime::{Route, RuntimeOptions, RuntimeSession, ToolCall};
use futures_util::future::join_all;
use serde_json::json;

use crate::stage::Stage;

/// Opens pages until the session has this many, by the page's own script.
async fn open_pages(session: &RuntimeSession, count: usize) -> Vec<PageId> {
    let lease = session.lease(&Route::Current).await.unwrap();
    let tabs = lease.stage();
    let tabs = tabs.services().tabs().expect("a session has tabs");
    let clock = lease.stage().clock();
    let deadline = actions_browser::Deadline::after(&*clock, std::time::Duration::from_secs(30));
    let start = lease.page().url();
    while lease.pages().len() < count {
        let tab = tabs.open(deadline).await.unwrap();
        tab.page.navigate(&start, actions_browser::LoadState::Load, deadline).await.unwrap();
    }
    lease.pages().into_iter().map(|page| page.id).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_calls_on_eight_pages_from_four_clients_arrive_once_and_in_order() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let session = runtime.open(stage.open("work")).await.unwrap();
    let pages = open_pages(&session, 8).await;
    // Each client makes its calls one after the other; so each page must see the calls of one client in their order.
    let clients = (0..4).map(|client| {
        let (session, pages) = (session.clone(), pages.clone());
        async move {
            for number in 0..25 {
                let page = pages[(client + number) % pages.len()];
                let arguments = json!({ "line": format!("{client}-{number:02}") });
                let call = ToolCall::of("log.append").arguments(arguments).on(Route::Page(page));
                let outcome = session.call(call).await;
                outcome.result.unwrap_or_else(|error| panic!("{client}-{number}: {error:?}"));
            }
        }
    });
    join_all(clients).await;
    let mut seen = Vec::new();
    for page in pages {
        let outcome = session.call(ToolCall::of("log.read").on(Route::Page(page))).await;
        let log = outcome.result.unwrap();
        let lines: Vec<String> =
            log.as_str().unwrap().split(';').filter(|line| !line.is_empty()).map(str::to_owned).collect();
        for client in 0..4 {
            let of_client: Vec<_> =
                lines.iter().filter(|line| line.starts_with(&format!("{client}-"))).collect();
            assert!(of_client.is_sorted(), "page {page}: {lines:?}");
        }
        seen.extend(lines);
    }
    seen.sort();
    let mut expected: Vec<String> =
        (0..4).flat_map(|client| (0..25).map(move |number| format!("{client}-{number:02}"))).collect();
    expected.sort();
    assert_eq!(seen, expected);
    runtime.close().await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_or_times_out_does_not_hold_up_the_next() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let session = runtime.open(stage.open("work")).await.unwrap();
    let cancel = CancellationToken::new();
    let waiting = session.call(ToolCall::of("log.wait").cancelled_by(cancel.clone()));
    let cancelling = async {
        tokio::task::yield_now().await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(waiting, cancelling);
    assert_eq!(outcome.result.unwrap_err().code.as_str(), "cancelled");

    let late = session.call(ToolCall::of("log.wait").timeout(Millis(300)));
    let after = session.call(ToolCall::of("log.read"));
    let (late, after) = tokio::join!(late, after);
    assert_eq!(late.result.unwrap_err().code.as_str(), "handler_timeout");
    assert_eq!(after.result.unwrap(), "");
    runtime.close().await;
}

#[tokio::test]
async fn a_tool_that_no_map_of_the_session_has_is_refused_with_the_names_of_those_it_has() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let session = runtime.open(stage.open("work")).await.unwrap();
    let error = session.call(ToolCall::of("log.apend")).await.result.unwrap_err();
    assert_eq!(error.code.as_str(), "unknown_action");
    assert_eq!(error.evidence["tools"], json!(["log.append", "log.read", "log.wait", "user.read"]));
    runtime.close().await;
}
