//! A page that does not answer when it is asked to report its signals: a call that waits for that ends in its own time.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::fake::{Behaviour, FakeBrowser, FakePage};
use actions_browser::{Browser, Clock, TestClock};
use actions_engine::{CallError, CancellationToken, Engine, ErrorCode, Millis, Outcome};
use actions_runtime::{Launcher, OpenSession, Runtime, RuntimeOptions, RuntimeSession, ToolCall};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::stage::tool;

/// How far the clock moves at once.
const TICK: Duration = Duration::from_millis(50);

/// How long a page may take to be asked for its signals. A call with less time must not wait as long.
const ASKING: Duration = Duration::from_secs(3);

struct Fake(Arc<FakeBrowser>);

#[async_trait]
impl Launcher for Fake {
    async fn launch(&self) -> Result<Arc<dyn Browser>, CallError> {
        Ok(self.0.clone())
    }
}

/// A session on a page that answers neither the request to report its signals nor a step.
async fn silent(clock: &TestClock) -> (Runtime, RuntimeSession) {
    let ports: Arc<dyn Clock> = Arc::new(clock.clone());
    let (browser, page) = (FakeBrowser::new(ports.clone()), FakePage::new(ports));
    page.on_call("hear", |_| Behaviour::<Value>::Hangs);
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    browser.prepare(page);
    let read = json!([
        { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#log" } } },
    ]);
    let map = json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": "https://log.example", "name": "Log" },
        "tools": [tool("log.read", &json!({ "type": "object" }), read, "{% steps.read.output.text %}")],
        "signals": [{ "name": "log.changed", "description": "A signal.", "event": "log:changed", "ingestion": "enabled" }],
    });
    let map = Engine::from_bytes("log.json", map.to_string().as_bytes()).expect("a valid map");
    let runtime = Runtime::new(Fake(browser), RuntimeOptions::default());
    let session = runtime.open(OpenSession::named("work").map(map)).await.unwrap();
    (runtime, session)
}

/// Makes a call while the clock moves. Returns how it ended, and after how long by the clock.
async fn called(clock: &TestClock, session: &RuntimeSession, call: ToolCall<'_>) -> (Outcome, Duration) {
    let begun = clock.now();
    let moving = async {
        loop {
            // Everything that can go on without more time does.
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            clock.advance(TICK);
        }
    };
    tokio::select! {
        biased;
        outcome = session.call(call) => (outcome, clock.now() - begun),
        () = moving => unreachable!("the clock moves for ever"),
    }
}

#[tokio::test]
async fn a_call_on_a_page_that_does_not_report_its_signals_ends_by_its_own_time() {
    let clock = TestClock::new();
    let (_runtime, session) = silent(&clock).await;
    let (outcome, took) = called(&clock, &session, ToolCall::of("log.read").timeout(Millis(1_000))).await;
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::HandlerTimeout);
    assert!(took >= Duration::from_secs(1) && took < Duration::from_millis(1_500), "{took:?}");
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_it_waits_for_signals_ends_at_once() {
    let clock = TestClock::new();
    let (_runtime, session) = silent(&clock).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let later = clock.sleep_until(clock.now() + Duration::from_millis(400));
    tokio::spawn(async move {
        later.await;
        stop.cancel();
    });
    let (outcome, took) = called(&clock, &session, ToolCall::of("log.read").cancelled_by(cancel)).await;
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::Cancelled);
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[tokio::test]
async fn a_call_with_enough_time_waits_until_the_page_was_asked() {
    let clock = TestClock::new();
    let (_runtime, session) = silent(&clock).await;
    let (outcome, took) = called(&clock, &session, ToolCall::of("log.read").timeout(Millis(10_000))).await;
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::HandlerTimeout);
    assert!(took >= Duration::from_secs(10) && took < Duration::from_millis(10_500), "{took:?}");
    // Its steps had the time that was left after the wait.
    let steps = outcome.duration;
    assert!(steps < Duration::from_secs(10) - ASKING + TICK, "{steps:?}");
}
