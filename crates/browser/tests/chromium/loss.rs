//! The browser process dies: every call fails with `browser_lost`.

use std::time::{Duration, Instant};

use actions_browser::{Browser, Call, ContextOptions, Error, LoadState, PageEvent};
use actions_protocol::ErrorCode;
use actions_testserver::Response;
use chromiumoxide_cdp::cdp::browser_protocol::browser::CrashParams;
use serde_json::{Value, json};

use crate::stage::{heard, on_every_browser, soon};

on_every_browser! {
    async fn when_the_browser_dies_pending_and_later_calls_fail_at_once(stage) {
        stage.server.route("/hang", |_| Response::hang());
        stage.show("<p>alive").await;
        let mut events = stage.page.events();
        let other = stage.context.new_page(soon()).await.unwrap();
        let main = stage.page.main_frame();
        let never = json!({ "locator": { "selector": "#never" }, "timeout_ms": 60_000 });
        let hang = stage.server.url("/hang");
        let waiting = stage.page.call::<Value>(Call::new(&main, "locator.wait_for", &never).repeatable(), soon());
        let loading = other.navigate(&hang, LoadState::Load, soon());
        let dying = async {
            stage.server.asked_for("/hang").await;
            // The browser crashes before it can answer.
            drop(stage.browser.session().unwrap().send(CrashParams {}, soon()));
            stage.browser.lost().await
        };
        let (waited, loaded, lost) = tokio::join!(waiting, loading, dying);
        for error in [waited.unwrap_err(), loaded.unwrap_err(), lost] {
            assert_eq!(error.code(), ErrorCode::BrowserLost, "{error:?}");
        }
        heard(&mut events, |event| matches!(event, PageEvent::Closed).then_some(())).await;
        // Later calls fail at once, without a retry.
        let asked = Instant::now();
        for error in [
            stage.page.evaluate("1", soon()).await.unwrap_err(),
            stage.page.navigate(&hang, LoadState::Load, soon()).await.unwrap_err(),
            stage.page.close(soon()).await.unwrap_err(),
            stage.context.new_page(soon()).await.err().unwrap(),
            stage.browser.new_context(ContextOptions::default(), soon()).await.err().unwrap(),
        ] {
            assert!(matches!(error, Error::BrowserLost { .. }), "{error:?}");
        }
        assert!(asked.elapsed() < Duration::from_secs(30));
    }
}
