//! Popups: pages that open other pages.

use std::sync::Arc;

use actions_browser::{Call, ContextEvent, LoadState, Page, PageEvent, Point};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::stage::{Kind, Stage, click_at, heard, on_every_browser, perform, soon};

#[tokio::test]
async fn a_page_cannot_open_more_pages_than_the_limit() {
    perform(Kind::HeadlessShell, async |stage| {
        let mut events = stage.context.events();
        stage.show("<p>opener").await;
        stage.evaluate("(() => { for (let i = 0; i < 70; i += 1) open('about:blank') })()").await;
        let limit = loop {
            if let ContextEvent::PageRefused { limit } = events.recv().await.unwrap() {
                break limit;
            }
        };
        assert!(stage.context.pages().len() <= limit + 1);
        assert_eq!(stage.text("p").await, "opener");
    })
    .await;
}

/// Runs JavaScript that opens a page, and returns that page after it has loaded an element `#b`.
async fn open(stage: &Stage, source: &str) -> Arc<dyn Page> {
    let mut events = stage.page.events();
    stage.evaluate(source).await;
    let opened = heard(&mut events, |event| match event {
        PageEvent::Opened(page) => Some(page),
        _ => None,
    })
    .await;
    let main = opened.main_frame();
    let question = json!({ "locator": { "selector": "#b" }, "state": "visible", "timeout_ms": 30_000 });
    let call = Call::new(&main, "locator.wait_for", &question).repeatable();
    opened.call::<Value>(call, soon()).await.unwrap();
    opened.wait_for_load(&main, LoadState::Load, soon()).await.unwrap();
    opened
}

/// Clicks the element `#b` and returns what the page script saw of the click.
async fn confirmed_click(page: &dyn Page) -> Value {
    let main = page.main_frame();
    let question = json!({ "gesture": "g", "timeout_ms": 60_000 });
    let confirm = page.call::<Value>(Call::new(&main, "action.confirm", &question), soon());
    let send = async {
        let args = json!({
            "locator": { "selector": "#b" }, "gesture": "g", "until": "click", "gesture_timeout_ms": 5_000,
            "deadline_ms": 30_000,
        });
        let ready: Value = page.call(Call::new(&main, "action.prepare", &args), soon()).await.unwrap();
        let number = |name: &str| ready["point"][name].as_f64().unwrap();
        page.input(&click_at(Point::new(number("x"), number("y"))), soon()).await.unwrap();
    };
    futures_util::future::join(confirm, send).await.0.unwrap()
}

on_every_browser! {
    async fn a_click_in_a_popup_of_the_same_origin_is_confirmed(stage) {
        stage.show("<button id=b>Pay</button>").await;
        let popup = open(stage, "void open(location.href)").await;
        let confirmed = confirmed_click(&*popup).await;
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
    }

    async fn a_click_in_a_popup_that_its_opener_writes_is_confirmed(stage) {
        stage.show("<p>opener").await;
        let write = "(() => {
            const { document } = open('');
            document.open();
            document.write('<button id=b>Pay</button>');
            document.close();
          })()";
        let popup = open(stage, write).await;
        let confirmed = confirmed_click(&*popup).await;
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
    }

    async fn a_click_in_a_document_that_writes_itself_again_is_confirmed(stage) {
        stage.show("<p>first").await;
        stage.evaluate("document.open(), document.write('<button id=b>Pay</button>'), document.close()").await;
        let confirmed = confirmed_click(&*stage.page).await;
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
    }

    async fn a_click_in_a_frame_of_the_same_origin_reaches_the_page_script_of_its_document(stage) {
        stage.server.page("/inner", "<button id=b>Pay</button>");
        stage.show("<iframe src=/inner></iframe>").await;
        let frame = stage.frame(&stage.page.main_frame(), "iframe").await;
        let args = json!({ "locator": { "selector": "#b" }, "gesture": "g", "until": "click" });
        let _: Value = stage.page.call(Call::new(&frame, "action.prepare", &args), soon()).await.unwrap();
        stage.click(&frame, "#b").await.unwrap();
        let question = json!({ "gesture": "g", "timeout_ms": 5_000 });
        let confirmed: Value =
            stage.page.call(Call::new(&frame, "action.confirm", &question), soon()).await.unwrap();
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
    }

    async fn a_popup_is_reported_as_an_event_and_joins_the_context(stage) {
        stage.server.page("/new", "<title>New</title><p>new");
        stage.show("<a target=_blank href=/new>open</a> <button onclick='this.textContent = 1'>0</button>").await;
        let mut events = stage.page.events();
        stage.click_main("a").await.unwrap();
        let opened = heard(&mut events, |event| match event {
            PageEvent::Opened(page) => Some(page),
            _ => None,
        }).await;
        let main = opened.main_frame();
        while opened.url() != stage.server.url("/new") {
            tokio::task::yield_now().await;
        }
        opened.wait_for_load(&main, LoadState::Load, soon()).await.unwrap();
        assert_eq!(opened.title(soon()).await.unwrap(), "New");
        assert_eq!(stage.context.pages().len(), 2);
        // The opener is now in the background, but it must still work.
        assert_eq!(stage.evaluate("new Promise(done => requestAnimationFrame(() => done('painted')))").await, "painted");
        stage.click_main("button").await.unwrap();
        assert_eq!(stage.text("button").await, "1");
        opened.close(soon()).await.unwrap();
        assert_eq!(stage.context.pages().len(), 1);
    }

    async fn a_page_closed_by_its_opener_refuses_calls(stage) {
        stage.server.page("/new", "<p>new");
        stage.show("<p>opener").await;
        let mut events = stage.page.events();
        stage.evaluate("void (window.child = window.open('/new'))").await;
        let opened = heard(&mut events, |event| match event {
            PageEvent::Opened(page) => Some(page),
            _ => None,
        }).await;
        let mut its_events = opened.events();
        stage.evaluate("void window.child.close()").await;
        heard(&mut its_events, |event| matches!(event, PageEvent::Closed).then_some(())).await;
        let error = opened.evaluate("1", soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::PageClosed);
        assert_eq!(opened.close(soon()).await.map_err(|error| error.code()), Ok(()));
    }
}
