//! Popups: pages that open other pages.

use actions_browser::{ContextEvent, LoadState, PageEvent};
use actions_protocol::ErrorCode;

use crate::stage::{Kind, heard, on_every_browser, perform, soon};

#[tokio::test]
async fn a_page_cannot_open_more_pages_than_the_limit() {
    perform(Kind::HeadlessShell, async |stage| {
        let mut events = stage.context.events();
        stage.show("<p>opener").await;
        stage.evaluate("(() => { for (let i = 0; i < 70; i += 1) open('about:blank') })()").await;
        let limit = loop {
            match events.recv().await.unwrap() {
                ContextEvent::PageRefused { limit } => break limit,
                ContextEvent::PageOpened { .. } | ContextEvent::PageClosed { .. } => {}
            }
        };
        assert!(stage.context.pages().len() <= limit + 1);
        assert_eq!(stage.text("p").await, "opener");
    })
    .await;
}

on_every_browser! {
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
