//! Calls that are dropped in the middle of a gesture leave the page usable.

use std::task::Poll;

use actions_engine::Session;
use futures_util::FutureExt;
use futures_util::future::poll_fn;
use serde_json::{Value, json};

use crate::page::{Stage, script, tool};

/// A button, something that follows the pointer, and something the browser drags.
const PAGE: &str = "<style>div { position: absolute; width: 60px; height: 60px; background: #ccc }</style>
<button>Go</button>
<div id=handle style='left: 20px; top: 60px'></div>
<div id=cargo draggable=true style='left: 20px; top: 160px'></div>
<div id=goal style='left: 320px; top: 110px'></div>
<script>
  window.clicks = 0; window.held = 0; window.started = 0;
  addEventListener('mousedown', () => { window.held += 1; }, true);
  addEventListener('mouseup', () => { window.held = 0; }, true);
  document.querySelector('button').onclick = (event) => { window.clicks += 1; };
  cargo.ondragstart = (event) => { window.started += 1; event.dataTransfer.setData('text/plain', 'cargo'); };
  goal.ondragover = (event) => event.preventDefault();
</script>";

fn tools() -> [Value; 3] {
    let drag = |from: &str| {
        let ends = json!({ "from": { "selector": from }, "to": { "selector": "#goal" }, "steps": 200, "move_delay_ms": 60 });
        json!([{ "id": "drag", "primitive": "pointer.drag", "args": ends }])
    };
    let click = json!([{ "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } }]);
    [tool("click", &click), tool("drag", &drag("#handle")), tool("carry", &drag("#cargo"))]
}

/// Begins a call and drops it when it has waited this often; whether it ended before.
async fn ended_within(session: &Session, tool: &str, waits: usize) -> bool {
    let mut call = Box::pin(session.call(tool).run());
    let mut left = waits;
    poll_fn(|context| match call.poll_unpin(context) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending if left == 0 => Poll::Ready(false),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

#[tokio::test]
async fn a_click_may_be_dropped_wherever_it_waits() {
    let stage = Stage::with(PAGE).await;
    let session = stage.free(&tools()).await;
    for waits in 0.. {
        let ended = ended_within(&session, "click", waits).await;
        let before = script(&session, "window.clicks").await;
        session
            .call("click")
            .run()
            .await
            .result
            .unwrap_or_else(|error| panic!("after {waits} waits: {error:?}"));
        let after = script(&session, "window.clicks").await;
        assert!(after.as_u64() > before.as_u64(), "after {waits} waits: {before} {after}");
        assert_eq!(script(&session, "window.held").await, 0, "after {waits} waits");
        if ended {
            assert!(waits > 1, "the call waited {waits} times");
            return;
        }
    }
}

/// Drops a drag as soon as the page has seen it begin, and proves that the session works as before.
async fn dropped_half_way(tool: &str, begun: &str) {
    let stage = Stage::with(PAGE).await;
    let session = stage.free(&tools()).await;
    {
        let mut call = Box::pin(session.call(tool).run());
        loop {
            tokio::select! {
                biased;
                outcome = &mut call => panic!("it ended before it was dropped: {:?}", outcome.result),
                begun = script(&session, begun) => if begun != 0 { break },
            }
        }
    }
    session.call("click").run().await.result.unwrap();
    assert_eq!(script(&session, "window.clicks").await, 1);
    assert_eq!(script(&session, "window.held").await, 0, "the button is up");
}

#[tokio::test]
async fn a_drag_that_is_dropped_half_way_lets_go_of_the_button() {
    dropped_half_way("drag", "window.held").await;
}

#[tokio::test]
async fn a_drag_and_drop_that_is_dropped_half_way_is_over() {
    dropped_half_way("carry", "window.started").await;
}

/// The moment the page has started a drag that the engine has not heard of yet is one of these.
#[tokio::test]
async fn a_drag_and_drop_may_be_dropped_wherever_it_waits() {
    let stage = Stage::with(PAGE).await;
    let session = stage.free(&tools()).await;
    for waits in 0.. {
        assert!(!ended_within(&session, "carry", waits).await, "the drag takes seconds");
        let before = script(&session, "window.clicks").await;
        let clicked = session.call("click").run().await.result;
        clicked.unwrap_or_else(|error| panic!("after {waits} waits: {error:?}"));
        let after = script(&session, "window.clicks").await;
        assert!(after.as_u64() > before.as_u64(), "after {waits} waits: {before} {after}");
        assert_eq!(script(&session, "window.held").await, 0, "after {waits} waits");
        // Well into the drag.
        if script(&session, "window.started").await.as_u64() > Some(4) {
            return;
        }
    }
}
