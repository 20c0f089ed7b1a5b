use std::sync::Arc;
use std::time::Duration;

use actions_engine::Engine;
use actions_engine::browser::TestClock;
use actions_engine::browser::fake::{Behaviour, FakePage};
use serde_json::json;

use crate::stage::{map, plain, read};

#[tokio::test]
async fn a_state_says_when_it_was_read_by_the_clock_it_was_given() {
    let clock = TestClock::new();
    clock.advance(Duration::from_millis(61_005));
    let page = FakePage::new(Arc::new(clock.clone()));
    page.goes_to("https://fixture.example/", false);
    page.on_call("dom.extract", |_| {
        let seen = json!({ "records": {}, "selector_counts": {}, "missing_required_fields": [],
            "url": "https://fixture.example/", "title": "", "elsewhere": [] });
        Behaviour::Gives(json!({ "ok": seen }))
    });
    let engine = Engine::from_bytes("actions.json", map(&[plain(json!([]))], &[]).to_string().as_bytes());
    let session = engine.expect("a valid map").on_page(page, Arc::new(clock));
    let reading = read(&session).await.expect("a state");
    assert_eq!(reading.observation.observed_at.as_str(), "2026-01-01T00:01:01.005Z");
}
