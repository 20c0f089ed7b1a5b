//! Console messages, uncaught exceptions and failed requests as page events.

use std::time::Duration;

use actions_browser::{
    ConsoleLevel, ConsoleMessage, ContextOptions, FailedRequest, LoadState, Page, PageEvent, RequestFailure,
    SystemClock, UncaughtException,
};
use actions_testserver::Response;
use tokio::sync::broadcast::Receiver;

use crate::stage::{heard, on_every_browser, soon};

async fn console(events: &mut Receiver<PageEvent>) -> ConsoleMessage {
    heard(events, |event| if let PageEvent::Console(message) = event { Some(message) } else { None }).await
}

async fn exception(events: &mut Receiver<PageEvent>) -> UncaughtException {
    heard(events, |event| if let PageEvent::Exception(exception) = event { Some(exception) } else { None })
        .await
}

async fn failed(events: &mut Receiver<PageEvent>) -> FailedRequest {
    heard(events, |event| if let PageEvent::RequestFailed(request) = event { Some(request) } else { None })
        .await
}

on_every_browser! {
    async fn console_messages_of_every_frame_are_events(stage) {
        let inner = stage.server.url_on("other.localhost", "/inner");
        stage.server.page("/inner", "<script>console.warn('from', 'the frame', { a: 1 })</script>");
        stage.server.page("/", format!("<script>\nconsole.error('no', new Error('x').message)</script><iframe src='{inner}'></iframe>"));
        let mut events = stage.page.events();
        let before = stage.page.counters();
        stage.goto("/").await;
        assert_eq!((stage.page.counters() - before).commands, 1);
        let outer = console(&mut events).await;
        assert_eq!((outer.level, outer.text.as_str(), outer.line), (ConsoleLevel::Error, "no x", Some(2)));
        assert_eq!(outer.url, Some(stage.server.url("/")));
        let framed = console(&mut events).await;
        assert_eq!((framed.level, framed.text.as_str()), (ConsoleLevel::Warning, "from the frame {a: 1}"));
        assert_eq!(framed.url, Some(inner));
    }

    async fn uncaught_exceptions_and_rejections_are_events(stage) {
        stage.server.page("/", "<script>\nthrow new TypeError('thrown')</script><script>Promise.reject('rejected')</script>");
        let mut events = stage.page.events();
        stage.goto("/").await;
        let thrown = exception(&mut events).await;
        assert!(thrown.text.starts_with("TypeError: thrown"), "{thrown:?}");
        assert_eq!((thrown.url, thrown.line), (Some(stage.server.url("/")), Some(2)));
        assert_eq!(exception(&mut events).await.text, "rejected");
    }

    async fn a_flood_of_messages_is_cut_and_counted(stage) {
        const FLOOD: u64 = 2_000;
        let mut events = stage.page.events();
        stage.show(&format!(
            "<script>for (let n = 0; n < {FLOOD}; n++) console.log('x'.repeat(10000), {{ n }})</script>"
        )).await;
        let (mut passed, mut dropped) = (0, 0);
        let deadline = soon();
        while passed + dropped < FLOOD {
            assert!(deadline.remaining(&SystemClock) > Duration::ZERO, "{passed} messages and {dropped} dropped ones were reported");
            // The number of dropped messages is reported with the next message that passes.
            stage.evaluate("console.log('again')").await;
            tokio::time::sleep(Duration::from_millis(100)).await;
            while let Ok(event) = events.try_recv() {
                match event {
                    PageEvent::ReportsDropped { count } => dropped += count,
                    PageEvent::Console(message) if message.text.starts_with("xxx") => {
                        passed += 1;
                        assert!(message.text.len() < 3_000, "{} bytes", message.text.len());
                    }
                    _ => {}
                }
            }
        }
        assert!(passed > 0 && dropped > 0, "{passed} messages and {dropped} dropped ones were reported");
    }

    async fn failed_requests_of_every_frame_are_events(stage) {
        use actions_browser::Browser;
        let options = ContextOptions { report_failed_requests: true, ..ContextOptions::default() };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        let inner = stage.server.url_on("other.localhost", "/inner");
        stage.server.route("/gone", |_| Response::status(404));
        stage.server.route("/error", |_| Response::status(503));
        stage.server.route("/broken", |_| Response::broken());
        stage.server.page("/inner", "<script>fetch('/error', { method: 'POST' })</script>");
        stage.server.page("/", format!(
            "<link rel=icon href='data:,'><img src=/gone onerror=\"document.body.append(
                Object.assign(document.createElement('iframe'), {{ src: '{inner}' }}))\">"
        ));
        let mut events = page.events();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let gone = FailedRequest::new("GET", &stage.server.url("/gone"), "Image", RequestFailure::Status(404));
        assert_eq!(failed(&mut events).await, gone);
        let error = stage.server.url_on("other.localhost", "/error");
        assert_eq!(failed(&mut events).await, FailedRequest::new("POST", &error, "Fetch", RequestFailure::Status(503)));
        page.evaluate("void fetch('/broken').catch(() => {})", soon()).await.unwrap();
        let broken = failed(&mut events).await;
        assert_eq!((broken.url, broken.resource.as_str()), (stage.server.url("/broken"), "Fetch"));
        assert!(matches!(&broken.failure, RequestFailure::Network(text) if text.starts_with("net::ERR_")), "{:?}", broken.failure);
    }
}

#[tokio::test]
async fn a_fake_page_emits_what_a_test_wants_reported() {
    let page = actions_browser::fake::FakePage::new(std::sync::Arc::new(actions_browser::TestClock::new()));
    let port: std::sync::Arc<dyn Page> = page.clone();
    let mut events = port.events();
    let message = ConsoleMessage::new(ConsoleLevel::Error, "no").at("https://a.example/x.js", 7);
    page.emit(PageEvent::Console(message.clone()));
    assert_eq!(console(&mut events).await, message);
}
