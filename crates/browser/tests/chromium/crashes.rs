//! Crashes of renderer processes: pages and frames report them and recover by navigation.

use actions_browser::{
    Call, ContextOptions, Error, Frames, Lifecycle, LoadState, Navigation, Page, PageEvent, Scripting,
};
use actions_protocol::ErrorCode;
use chromiumoxide_cdp::cdp::browser_protocol::page::CrashParams;
use serde_json::{Value, json};

use crate::stage::{heard, on_every_browser, soon};

on_every_browser! {
    async fn a_page_crash_ends_waiting_calls_and_a_navigation_recovers_the_page(stage) {
        stage.show("<p>alive").await;
        let mut events = stage.page.events();
        let waiting = stage.page.evaluate("new Promise(() => {})", soon());
        let crashing = async {
            assert_eq!(stage.text("p").await, "alive");
            // Ignore the result: the page crashes.
            let _ = stage.page.navigate("chrome://crash", LoadState::Load, soon()).await;
        };
        let (waited, ()) = tokio::join!(waiting, crashing);
        assert_eq!(waited.unwrap_err().code(), ErrorCode::PageCrashed);
        heard(&mut events, |event| matches!(event, PageEvent::Crashed).then_some(())).await;
        assert_eq!(stage.page.evaluate("1", soon()).await.unwrap_err().code(), ErrorCode::PageCrashed);
        stage.goto("/").await;
        assert_eq!(stage.text("p").await, "alive");
    }

    async fn a_crashed_frame_refuses_calls_until_it_loads_a_document(stage) {
        stage.server.page("/leaf", "<p>leaf</p>");
        let leaf = stage.server.url_on("localhost", "/leaf");
        stage.server.page("/", format!("<p>outer</p><iframe src='{leaf}'></iframe>"));
        let context = stage.browser.new_chromium_context(ContextOptions::default(), soon()).await.unwrap();
        let page = context.new_chromium_page(soon()).await.unwrap();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let main = page.main_frame();
        let frame = page.frames().into_iter().find(|frame| frame.parent.as_ref() == Some(&main)).unwrap().id;
        let port: &dyn Page = page.as_ref();
        let read = json!({ "locator": { "selector": "p" } });
        let text_in = async |frame| port.call::<Value>(Call::new(frame, "locator.text_content", &read).repeatable(), soon()).await;
        let never = json!({ "locator": { "selector": "#never" }, "timeout_ms": 60_000 });
        let mut events = page.events();
        let waiting = port.call::<Value>(Call::new(&frame, "locator.wait_for", &never), soon());
        let crashing = async {
            assert_eq!(text_in(&frame).await.unwrap()["text"], "leaf");
            // The process crashes before it can answer.
            drop(page.frame_session(&frame).unwrap().send(CrashParams {}, soon()));
        };
        let (waited, ()) = tokio::join!(waiting, crashing);
        assert!(matches!(waited.unwrap_err(), Error::FrameCrashed { frame: crashed } if crashed == frame));
        heard(&mut events, |event| matches!(event, PageEvent::FrameCrashed(crashed) if crashed == frame).then_some(())).await;
        let error = text_in(&frame).await.unwrap_err();
        assert!(matches!(error, Error::FrameCrashed { .. }), "{error:?}");
        assert_eq!(error.code(), ErrorCode::FrameDetached);
        assert_eq!(text_in(&main).await.unwrap()["text"], "outer", "the page is still alive");

        page.evaluate("void (document.querySelector('iframe').src += '?again')", soon()).await.unwrap();
        heard(&mut events, |event| match event {
            PageEvent::Navigated(navigated) => (navigated.frame == frame).then_some(()),
            _ => None,
        }).await;
        assert_eq!(text_in(&frame).await.unwrap()["text"], "leaf");
    }
}
