//! Sessions and browsers begin, grow old, get lost and end.

use std::time::Duration;

use actions_browser::{ContextOptions, Deadline, StorageState};
use actions_runtime::{EndReason, Retirement, Route, RuntimeEvent, RuntimeOptions, ToolCall};

use crate::stage::{Stage, until, wait_for};

#[tokio::test]
async fn sessions_share_a_browser_and_no_cookies() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let first = runtime.open(stage.open("first")).await.unwrap();
    let lease = first.lease(&Route::Current).await.unwrap();
    let deadline = Deadline::after(&*lease.stage().clock(), Duration::from_secs(30));
    lease.page().evaluate("document.cookie = 'user=ada'; location.reload()", deadline).await.unwrap();
    until("the page reloads", || !lease.page().url().is_empty()).await;
    drop(lease);
    let second = runtime.open(stage.open("second")).await.unwrap();
    let user = async |session: &actions_runtime::RuntimeSession| {
        session.call(ToolCall::of("user.read")).await.result.unwrap()
    };
    assert_eq!(user(&second).await, "nobody is logged in");
    assert_eq!(user(&first).await, "ada");
    assert_eq!(stage.launches(), 1);

    let state: StorageState = first.lease(&Route::Current).await.unwrap().storage_state(None).await.unwrap();
    let context = ContextOptions { storage_state: Some(state), ..ContextOptions::default() };
    let third = runtime.open(stage.open("third").context(context)).await.unwrap();
    assert_eq!(user(&third).await, "ada", "a saved storage state logs in");
    runtime.close().await;
}

#[tokio::test]
async fn an_old_browser_is_replaced_for_new_sessions_and_closes_with_its_last_one() {
    let stage = Stage::new().await;
    let options = RuntimeOptions::default().retirement(Retirement::default().sessions(2));
    let runtime = stage.runtime(options);
    let first = runtime.open(stage.open("first")).await.unwrap();
    runtime.open(stage.open("second")).await.unwrap();
    runtime.open(stage.open("third")).await.unwrap();
    assert_eq!(stage.launches(), 2);
    first.call(ToolCall::of("log.read")).await.result.expect("a session keeps its browser");
    runtime.end("first").await.unwrap();
    runtime.end("second").await.unwrap();
    let names = runtime.names();
    assert_eq!(names, ["third"]);
    runtime.close().await;
}

#[tokio::test]
async fn a_browser_reports_its_memory() {
    let stage = Stage::new().await;
    let options = RuntimeOptions::default().retirement(Retirement::default().memory(1));
    let runtime = stage.runtime(options);
    runtime.open(stage.open("first")).await.unwrap();
    runtime.open(stage.open("second")).await.unwrap();
    assert_eq!(stage.launches(), 2, "one byte is too much, so every session gets a browser of its own");
    runtime.close().await;
}

#[tokio::test]
async fn a_session_that_no_client_uses_ends_and_one_in_use_does_not() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default().idle(Duration::from_secs(1)));
    let mut events = runtime.events();
    let used = runtime.open(stage.open("used")).await.unwrap();
    // Before the other session opens, which may take longer than a session may be idle.
    let lease = used.lease(&Route::Current).await.unwrap();
    runtime.open(stage.open("idle")).await.unwrap();
    wait_for(&mut events, |event| {
        matches!(event, RuntimeEvent::SessionEnded { session, reason: EndReason::Idle } if session == "idle")
    })
    .await;
    assert_eq!(runtime.names(), ["used"]);
    drop(lease);
    wait_for(
        &mut events,
        |event| matches!(event, RuntimeEvent::SessionEnded { session, .. } if session == "used"),
    )
    .await;
    let error = used.call(ToolCall::of("log.read")).await.result.unwrap_err();
    assert_eq!(error.code.as_str(), "browser_lost");
    runtime.close().await;
}

#[tokio::test]
async fn losing_the_browser_ends_its_calls_and_is_reported_for_every_session() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let mut events = runtime.events();
    let first = runtime.open(stage.open("first")).await.unwrap();
    let second = runtime.open(stage.open("second")).await.unwrap();
    let waiting = first.call(ToolCall::of("log.wait"));
    let killing = async {
        tokio::task::yield_now().await;
        stage.kill_browser();
    };
    let (outcome, ()) = tokio::join!(waiting, killing);
    assert_eq!(outcome.result.unwrap_err().code.as_str(), "browser_lost");
    let mut reported = Vec::new();
    while reported.len() < 2 {
        if let RuntimeEvent::BrowserLost { session, .. } = events.recv().await.unwrap() {
            reported.push(session);
        }
    }
    reported.sort();
    assert_eq!(reported, ["first", "second"]);

    let error = second.call(ToolCall::of("log.read")).await.result.unwrap_err();
    assert_eq!(error.code.as_str(), "browser_lost", "nothing is repeated on a fresh page");
    assert!(second.info().await.lost.is_some());
    let third = runtime.open(stage.open("third")).await.expect("a new session gets a new browser");
    third.call(ToolCall::of("log.read")).await.result.unwrap();
    runtime.close().await;
}

#[tokio::test]
async fn ending_a_session_cancels_its_call() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default());
    let session = runtime.open(stage.open("work")).await.unwrap();
    let waiting = session.call(ToolCall::of("log.wait"));
    let ending = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        runtime.end("work").await.unwrap();
    };
    let (outcome, ()) = tokio::join!(waiting, ending);
    assert_eq!(outcome.result.unwrap_err().code.as_str(), "cancelled");
    runtime.close().await;
}

#[tokio::test]
async fn names_are_checked_taken_and_freed() {
    let stage = Stage::new().await;
    let runtime = stage.runtime(RuntimeOptions::default().most_sessions(2));
    for name in ["", "../work", ".work", "a b", &"x".repeat(65)] {
        let error = runtime.open(stage.open(name)).await.unwrap_err();
        assert_eq!(error.code.as_str(), "wrong_usage", "{name}");
    }
    runtime.open(stage.open("work")).await.unwrap();
    let error = runtime.open(stage.open("work")).await.unwrap_err();
    assert_eq!(error.code.as_str(), "wrong_usage");
    let unreachable = stage.open("lost").url("http://127.0.0.1:1/");
    assert_eq!(runtime.open(unreachable).await.unwrap_err().code.as_str(), "unsafe_state");
    runtime.open(stage.open("lost")).await.expect("a session that did not open leaves its name free");
    let error = runtime.open(stage.open("third")).await.unwrap_err();
    assert_eq!(error.code.as_str(), "permission_denied");
    runtime.end("work").await.unwrap();
    runtime.open(stage.open("third")).await.unwrap();
    assert_eq!(runtime.end("work").await.unwrap_err().code.as_str(), "runtime_not_found");
    runtime.close().await;
}
