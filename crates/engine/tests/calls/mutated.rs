//! An error says whether the call may have changed something.

use actions_engine::browser::{Dialog, DialogKind};
use actions_engine::{EventKind, Rules, RunEvent};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::map::{ORIGIN, engine, map, on_clock, page, read, session, tool};

fn click() -> Value {
    json!({ "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "#go" } } })
}

/// The code of a call whose click is prepared with this answer, and whether it counts as a change.
fn clicked(prepared: Value) -> (ErrorCode, bool) {
    let (clock, page) = page();
    page.on_call("action.prepare", move |_| prepared.clone());
    page.on_call("action.confirm", |_| json!({ "error": { "code": "target_detached", "message": "gone" } }));
    let engine = engine(&map(&[tool("t", json!({}), json!([click()]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let error = on_clock(&clock, session.call("t").run()).result.unwrap_err();
    (error.code, error.mutated)
}

fn refused(code: &str) -> Value {
    json!({ "error": { "code": code, "message": "no" } })
}

#[test]
fn what_fails_before_anything_was_sent_has_changed_nothing() {
    for code in ["target_not_found", "target_not_actionable", "multiple_targets", "point_out_of_viewport"] {
        assert_eq!(clicked(refused(code)), (ErrorCode::from_wire(code).unwrap(), false));
    }
}

#[test]
fn what_lost_its_target_may_have_changed_something() {
    assert_eq!(clicked(refused("target_detached")), (ErrorCode::TargetDetached, true));
}

#[test]
fn a_dialog_that_was_open_before_a_click_has_kept_it_from_changing_anything() {
    let (clock, page) = page();
    let engine = engine(&map(&[tool("t", json!({}), json!([read("read"), click()]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let watch = |event: &RunEvent| {
        if matches!(event.kind, EventKind::StepFinished { .. }) && page.performed().len() == 1 {
            let (message, url) = ("Sure?".to_owned(), format!("{ORIGIN}/"));
            page.open_dialog(Dialog { kind: DialogKind::Confirm, message, default_prompt: None, url });
        }
    };
    let error = on_clock(&clock, session.call("t").observer(&watch).run()).result.unwrap_err();
    assert_eq!((error.code, error.mutated), (ErrorCode::DialogOpen, false));
    assert!(error.retryable());
}

#[test]
fn a_handler_that_is_not_there_has_changed_nothing() {
    let (clock, page) = page();
    let mut bound = tool("t", json!({}), json!([]), json!(null));
    bound.as_object_mut().unwrap().remove("workflow");
    bound["x_actions"] = json!({ "handler": "shop.buy" });
    let engine = engine(&map(&[bound])).with_policy(Rules::default().allow_handlers(true));
    let session = session(&engine, &clock, &page);
    let error = on_clock(&clock, session.call("t").run()).result.unwrap_err();
    assert_eq!((error.code, error.mutated), (ErrorCode::MissingHandler, false));
}
