//! Handlers: functions of the page.

use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::page::{Stage, deadline, round_trips};

const PAGE: &str = "<h1>Maps</h1><script>
  const circle = {}; circle.circle = circle;
  let deep = {}; for (let i = 0; i < 500; i += 1) deep = { deep };
  window.site = {
    ping: () => 'pong',
    leave: () => { location.href = 'http://elsewhere.example/'; return 'left'; },
    circle: () => circle,
    deep: () => deep,
  };
</script>";

fn handler(name: &str) -> Value {
    json!({ "name": name, "description": "A tool.", "input_schema": { "type": "object" }, "x_actions": { "handler": format!("site.{name}") } })
}

#[tokio::test]
async fn what_a_handler_set_off_is_waited_for_on_a_confined_page() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[handler("ping")]).await;
    session.call("ping").run().await.result.unwrap();
    let args = [json!({})];
    let stage = session.stage();
    let by_hand = stage.call_page_function("site.ping", &args, deadline(&session));
    let (_, by_hand) = round_trips(&session, by_hand).await;
    let (outcome, engine) = round_trips(&session, session.call("ping").run()).await;
    assert_eq!(outcome.result.unwrap(), "pong");
    assert_eq!(engine, by_hand + 1);
}

#[tokio::test]
async fn a_handler_that_leaves_the_surface_fails() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[handler("leave")]).await;
    let error = session.call("leave").run().await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::UnsafeState, "{error:?}");
}

#[tokio::test]
async fn a_value_that_cannot_be_serialised_is_a_failure_of_the_page() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&[handler("circle"), handler("deep"), handler("ping")]).await;
    for name in ["circle", "deep"] {
        let error = session.call(name).run().await.result.unwrap_err();
        assert_eq!(error.code, ErrorCode::ScriptFailed, "{name}: {error:?}");
    }
    assert_eq!(session.call("ping").run().await.result.unwrap(), "pong");
}
