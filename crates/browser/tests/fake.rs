//! The fake driver behaves as the driver ports promise.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::fake::{Behaviour, FakeBrowser, FakePage, Performed};
use actions_browser::{
    Browser, Call, ContextOptions, Deadline, Dialog, DialogAnswer, DialogKind, Error, LoadState,
    NavigationFailure, Page, PageEvent, TestClock,
};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

fn stage() -> (Arc<TestClock>, Arc<FakePage>, Arc<dyn Page>, Deadline) {
    let clock = Arc::new(TestClock::new());
    let page = FakePage::new(clock.clone());
    let deadline = Deadline::after(&*clock, Duration::from_secs(5));
    (clock, page.clone(), page, deadline)
}

fn alert() -> Dialog {
    Dialog { kind: DialogKind::Alert, message: "hi".to_owned(), default_prompt: None, url: String::new() }
}

#[tokio::test]
async fn a_call_that_hangs_times_out_at_its_deadline() {
    let (clock, fake, page, deadline) = stage();
    fake.on_call("locator.wait_for", |_| Behaviour::Hangs);
    let main = page.main_frame();
    let asked = page.clone();
    let waiting = tokio::spawn(async move {
        asked.call::<Value>(Call::new(&main, "locator.wait_for", &json!({})), deadline).await
    });
    tokio::task::yield_now().await;
    clock.advance(Duration::from_secs(5));
    assert_eq!(waiting.await.unwrap().unwrap_err().code(), ErrorCode::Timeout);
}

#[tokio::test]
async fn a_dialog_ends_waiting_calls_and_refuses_new_ones() {
    let (_clock, fake, page, deadline) = stage();
    fake.on_call("locator.wait_for", |_| Behaviour::Hangs);
    let mut events = page.events();
    let main = page.main_frame();
    let asked = page.clone();
    let waiting = tokio::spawn(async move {
        asked.call::<Value>(Call::new(&main, "locator.wait_for", &json!({})), deadline).await
    });
    tokio::task::yield_now().await;
    fake.open_dialog(alert());
    assert_eq!(waiting.await.unwrap().unwrap_err().code(), ErrorCode::DialogOpen);
    assert_eq!(page.input(&[], deadline).await.unwrap_err().code(), ErrorCode::DialogOpen);
    assert!(matches!(events.recv().await.unwrap(), PageEvent::DialogOpened(_)));
    page.answer_dialog(DialogAnswer::Dismiss, deadline).await.unwrap();
    page.input(&[], deadline).await.unwrap();
    assert_eq!(fake.take_performed().len(), 3);
}

#[tokio::test]
async fn navigations_succeed_or_fail_and_can_be_awaited() {
    let (_clock, fake, page, deadline) = stage();
    fake.on_navigate(|url| match url {
        "https://gone.example/" => Err(NavigationFailure::Aborted),
        url => Ok(url.to_owned()),
    });
    let mark = page.navigation_mark();
    page.navigate("https://a.example/", LoadState::Load, deadline).await.unwrap();
    let seen = page.wait_for_navigation(mark, LoadState::Load, deadline).await.unwrap();
    assert_eq!(seen.url, "https://a.example/");
    let error = page.navigate("https://gone.example/", LoadState::Load, deadline).await.unwrap_err();
    assert!(matches!(error, Error::NavigationFailed { reason: NavigationFailure::Aborted, .. }));
    fake.goes_to("https://a.example/#x", true);
    assert_eq!(page.url(), "https://a.example/#x");
    page.go(-1, LoadState::Load, deadline).await.unwrap();
    assert_eq!(page.url(), "https://a.example/");
    assert_eq!(fake.performed().iter().filter(|done| matches!(done, Performed::Navigate(_))).count(), 2);
}

#[tokio::test]
async fn losing_the_browser_fails_calls_on_its_pages() {
    let clock = Arc::new(TestClock::new());
    let browser = FakeBrowser::new(clock.clone());
    let deadline = Deadline::after(&*clock, Duration::from_secs(5));
    let context = browser.new_context(ContextOptions::default(), deadline).await.unwrap();
    let page = context.new_page(deadline).await.unwrap();
    browser.lose("killed");
    assert_eq!(page.evaluate("1", deadline).await.unwrap_err().code(), ErrorCode::BrowserLost);
    assert_eq!(context.new_page(deadline).await.err().unwrap().code(), ErrorCode::BrowserLost);
    assert_eq!(browser.lost().await.code(), ErrorCode::BrowserLost);
}
