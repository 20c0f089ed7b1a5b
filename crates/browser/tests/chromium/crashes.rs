//! Pages whose process crashes.

use actions_browser::{LoadState, PageEvent};
use actions_protocol::ErrorCode;

use crate::stage::{heard, on_every_browser, soon};

on_every_browser! {
    async fn a_crash_ends_what_waits_and_a_navigation_brings_the_page_back(stage) {
        stage.show("<p>alive").await;
        let mut events = stage.page.events();
        let waiting = stage.page.evaluate("new Promise(() => {})", soon());
        let crashing = async {
            assert_eq!(stage.text("p").await, "alive");
            // The answer of the browser to this is of no interest: the page is gone.
            let _ = stage.page.navigate("chrome://crash", LoadState::Load, soon()).await;
        };
        let (waited, ()) = tokio::join!(waiting, crashing);
        assert_eq!(waited.unwrap_err().code(), ErrorCode::PageCrashed);
        heard(&mut events, |event| matches!(event, PageEvent::Crashed).then_some(())).await;
        assert_eq!(stage.page.evaluate("1", soon()).await.unwrap_err().code(), ErrorCode::PageCrashed);
        stage.goto("/").await;
        assert_eq!(stage.text("p").await, "alive");
    }
}
