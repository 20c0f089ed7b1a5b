//! Cancelled and dropped calls end at once and leave the session usable.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use actions_engine::browser::fake::Behaviour;
use actions_engine::{CancellationToken, RunEvent};
use actions_protocol::{ErrorCode, Millis};
use futures_util::FutureExt;
use futures_util::future::poll_fn;
use serde_json::{Value, json};

use crate::map::{engine, map, on_clock, page, read, session, tool};

fn patient_tool() -> Value {
    let mut settling = read("first");
    settling["settle_after"] = json!({ "delay_ms": 10 });
    let mut retried = read("second");
    retried["retry_until"] = json!("{% index = 2 %}");
    retried["max_attempts"] = json!(3);
    tool("t", json!({}), json!([settling, retried, read("third")]), json!("{% steps.third.output.text %}"))
}

#[test]
fn a_call_that_is_cancelled_at_any_event_ends_and_lets_the_next_one_run() {
    let engine = engine(&map(&[patient_tool()]));
    let mut cancelled = 0;
    for moment in 0.. {
        let (clock, page) = page();
        page.on_call("page.change", |_| Behaviour::<Value>::Hangs);
        let session = session(&engine, &clock, &page);
        let token = CancellationToken::new();
        let seen = AtomicUsize::new(0);
        let watch = |_: &RunEvent| {
            if seen.fetch_add(1, Ordering::Relaxed) == moment {
                token.cancel();
            }
        };
        let (first, second) = on_clock(&clock, async {
            let first = session.call("t").observer(&watch).cancelled_by(token.clone()).run().await;
            (first.result, session.call("t").run().await.result)
        });
        match first {
            Err(error) => {
                assert_eq!(error.code, ErrorCode::Cancelled);
                cancelled += 1;
            }
            Ok(_) => assert!(moment > 0, "cancelled before anything happened"),
        }
        assert_eq!(second.unwrap(), json!("Maps"));
        if seen.load(Ordering::Relaxed) <= moment {
            break;
        }
    }
    assert!(cancelled > 3, "{cancelled}");
}

#[test]
fn a_call_may_be_dropped_wherever_it_waits() {
    let engine = engine(&map(&[patient_tool()]));
    for turns in 0.. {
        let (clock, page) = page();
        page.on_call("page.change", |_| Behaviour::<Value>::Hangs);
        let session = session(&engine, &clock, &page);
        let (ended, next) = on_clock(&clock, async {
            let ended = {
                let mut call = Box::pin(session.call("t").run());
                let mut left = turns;
                poll_fn(|context| match call.poll_unpin(context) {
                    std::task::Poll::Ready(_) => std::task::Poll::Ready(true),
                    std::task::Poll::Pending if left == 0 => std::task::Poll::Ready(false),
                    std::task::Poll::Pending => {
                        left -= 1;
                        std::task::Poll::Pending
                    }
                })
                .await
            };
            (ended, session.call("t").run().await.result)
        });
        assert_eq!(next.unwrap(), json!("Maps"), "after {turns} turns");
        if ended {
            assert!(turns > 2, "the call waited {turns} times");
            return;
        }
    }
}

#[test]
fn everything_that_has_begun_ends_when_a_call_is_cancelled() {
    let (clock, page) = page();
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    let call =
        json!({ "id": "call", "primitive": "actions.site", "args": { "mode": "call", "action": "inner" } });
    let engine = engine(&map(&[
        tool("inner", json!({}), json!([read("inside")]), json!(null)),
        tool("outer", json!({}), json!([call]), json!(null)),
    ]));
    let session = session(&engine, &clock, &page);
    let token = CancellationToken::new();
    let lines = Mutex::new(Vec::new());
    let watch = |event: &RunEvent| {
        let event = json!(event);
        let within = event["within"].as_array().map_or(0, Vec::len);
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        let step = text("step_id") + &text("id");
        lines.lock().unwrap().push(format!("{within} {} {step} {}", text("event"), event["error"]["code"]));
        if text("event") == "primitive_started" && step == "inside" {
            token.cancel();
        }
    };
    let call = session.call("outer").observer(&watch).cancelled_by(token.clone()).timeout(Millis(5_000));
    let outcome = on_clock(&clock, call.run());
    let lines = lines.into_inner().unwrap();
    assert_eq!(
        lines[lines.len() - 6..],
        [
            "1 primitive_finished inside \"cancelled\"",
            "1 step_finished inside \"cancelled\"",
            "1 call_finished  \"cancelled\"",
            "0 primitive_finished call \"cancelled\"",
            "0 step_finished call \"cancelled\"",
            "0 call_finished  \"cancelled\"",
        ]
    );
    assert_eq!(
        outcome.steps.iter().map(|step| (step.id.as_str(), step.ok)).collect::<Vec<_>>(),
        [("call", false)]
    );
}

#[test]
fn a_call_that_is_cancelled_while_it_waits_for_its_turn_ends_at_once() {
    let (clock, page) = page();
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    let engine = engine(&map(&[tool("t", json!({}), json!([read("r")]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let token = CancellationToken::new();
    let code = on_clock(&clock, async {
        let first = session.call("t").run();
        let second = session.call("t").cancelled_by(token.clone()).run();
        let (mut first, mut second) = (Box::pin(first), Box::pin(second));
        assert!(poll_fn(|context| std::task::Poll::Ready(first.poll_unpin(context).is_pending())).await);
        assert!(poll_fn(|context| std::task::Poll::Ready(second.poll_unpin(context).is_pending())).await);
        token.cancel();
        tokio::select! {
            biased;
            ended = second => ended.result.unwrap_err().code,
            _ = first => panic!("the first call ended before the second one"),
        }
    });
    assert_eq!(code, ErrorCode::Cancelled);
}

#[test]
fn dropping_a_session_does_not_wait() {
    use actions_engine::browser::fake::FakeBrowser;
    use actions_engine::browser::{Browser, ContextOptions, Deadline};
    use std::sync::Arc;

    let (clock, page) = page();
    let browser = FakeBrowser::new(Arc::new(clock.clone()));
    browser.prepare(page);
    let engine = engine(&map(&[patient_tool()]));
    let left_open = on_clock(&clock, async {
        let deadline = Deadline::after(&clock, std::time::Duration::from_secs(5));
        let context = browser.new_context(ContextOptions::default(), deadline).await.unwrap();
        let session = engine.open_in(&*browser, context.clone(), None).await.unwrap();
        assert_eq!(context.pages().len(), 1);
        drop(session);
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        context.pages().len()
    });
    assert_eq!(left_open, 0, "the page it opened is closed");
    // Without a runtime nothing can close the page, and dropping the session still does not wait.
    let (_, page) = crate::map::page();
    drop(crate::map::session(&engine, &clock, &page));
}
