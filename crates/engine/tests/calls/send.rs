//! An embedder moves everything between threads.

use actions_engine::{Call, CallError, Engine, Outcome, Plan, Rules, RunEvent, Session, TraceRecorder};

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}
fn is_static<T: 'static>() {}

fn future_is_send<T: Send>(future: T) -> T {
    future
}

#[test]
fn everything_of_the_facade_can_be_moved_between_threads() {
    is_send::<Engine>();
    is_sync::<Engine>();
    is_static::<Engine>();
    is_send::<Session>();
    is_sync::<Session>();
    is_static::<Session>();
    is_send::<Call<'static>>();
    is_send::<Outcome>();
    is_send::<CallError>();
    is_send::<Plan>();
    is_sync::<Plan>();
    is_send::<Rules>();
    is_send::<RunEvent>();
    is_sync::<TraceRecorder>();
}

#[test]
fn the_future_of_a_call_can_be_spawned() {
    let (clock, page) = crate::map::page();
    let read = crate::map::tool(
        "t",
        serde_json::json!({}),
        serde_json::json!([crate::map::read("r")]),
        serde_json::json!("{% steps.r.ok %}"),
    );
    let engine = crate::map::engine(&crate::map::map(&[read]));
    let session = std::sync::Arc::new(crate::map::session(&engine, &clock, &page));
    let spawned = session.clone();
    let task = async move { future_is_send(spawned.call("t").run()).await.result };
    let result = crate::map::on_clock(&clock, async move { tokio::spawn(task).await.unwrap() });
    assert_eq!(result.unwrap(), serde_json::json!(true));
}
