//! The time at which a state was read.

use std::time::Duration;

use actions_engine::browser::TestClock;
use serde_json::json;

use crate::stage::{imagined, map, plain, read};

#[tokio::test]
async fn a_state_says_when_it_was_read_by_the_clock_it_was_given() {
    let clock = TestClock::new();
    clock.advance(Duration::from_millis(61_005));
    let session = imagined(&map(&[plain(json!([]))], &[]), &clock, || json!({}));
    let reading = read(&session).await.expect("a state");
    assert_eq!(reading.observation.observed_at.as_str(), "2026-01-01T00:01:01.005Z");
}
