//! Dialogs are answered as the tool says.

use actions_engine::browser::fake::{Behaviour, FakePage, Performed};
use actions_engine::browser::{Dialog, DialogAnswer, DialogKind, DialogPolicy, Dialogs};
use actions_engine::{EventKind, RunEvent};
use actions_protocol::ErrorCode;
use futures_util::FutureExt;
use serde_json::{Value, json};

use crate::map::{ORIGIN, engine, map, on_clock, page, read, session, tool};

fn dialog(kind: DialogKind) -> Dialog {
    Dialog { kind, message: "Sure?".to_owned(), default_prompt: None, url: format!("{ORIGIN}/") }
}

/// Reads once, and reads again after a dialog of this kind has opened in between; what was read, or why not.
fn met_between_two_steps(
    kind: DialogKind,
    policy: Option<&str>,
) -> (Result<Value, ErrorCode>, Vec<DialogAnswer>) {
    let (clock, page) = page();
    let mut reads =
        tool("t", json!({}), json!([read("first"), read("second")]), json!("{% steps.second.ok %}"));
    if let Some(policy) = policy {
        reads["x_actions"] = json!({ "on_dialog": policy });
    }
    let engine = engine(&map(&[reads]));
    let session = session(&engine, &clock, &page);
    let watch = |event: &RunEvent| {
        if matches!(&event.kind, EventKind::StepFinished { summary, .. } if summary.id.as_str() == "first") {
            page.open_dialog(dialog(kind));
        }
    };
    let outcome = on_clock(&clock, session.call("t").observer(&watch).run());
    assert_eq!(page.set_dialog_policy(DialogPolicy::Report), DialogPolicy::Report, "the page is as it was");
    (outcome.result.map_err(|error| error.code), answers(&page))
}

fn answers(page: &FakePage) -> Vec<DialogAnswer> {
    let answered = page.performed().into_iter();
    answered
        .filter_map(|done| if let Performed::AnswerDialog(answer) = done { Some(answer) } else { None })
        .collect()
}

#[test]
fn a_dialog_is_answered_as_the_tool_says_and_blocks_no_step() {
    let ok = Ok(json!(true));
    let accept = DialogAnswer::Accept { text: None };
    for kind in [DialogKind::Alert, DialogKind::Confirm, DialogKind::Prompt, DialogKind::BeforeUnload] {
        assert_eq!(met_between_two_steps(kind, Some("accept")), (ok.clone(), vec![accept.clone()]));
        assert_eq!(met_between_two_steps(kind, Some("dismiss")), (ok.clone(), vec![DialogAnswer::Dismiss]));
        assert_eq!(met_between_two_steps(kind, Some("report")), (Err(ErrorCode::DialogOpen), vec![]));
    }
}

#[test]
fn a_tool_that_says_nothing_stays_on_a_page_that_asks_and_reports_everything_else() {
    let stayed = (Ok(json!(true)), vec![DialogAnswer::Dismiss]);
    assert_eq!(met_between_two_steps(DialogKind::BeforeUnload, None), stayed);
    assert_eq!(met_between_two_steps(DialogKind::Confirm, None), (Err(ErrorCode::DialogOpen), vec![]));
}

#[test]
fn an_attempt_that_meets_a_dialog_is_unsatisfied_and_the_next_one_comes() {
    let (clock, page) = page();
    page.on_call("page.change", |_| Behaviour::<Value>::Hangs);
    let mut retried = read("read");
    retried["retry_until"] = json!("{% index = 3 and steps.read.ok %}");
    retried["max_attempts"] = json!(5);
    let engine = engine(&map(&[tool(
        "t",
        json!({}),
        json!([retried]),
        json!("{% steps.read.attempts.error.code %}"),
    )]));
    let session = session(&engine, &clock, &page);
    let watch = |event: &RunEvent| match &event.kind {
        EventKind::RetryEvaluated { attempt: 0, .. } => page.open_dialog(dialog(DialogKind::Confirm)),
        EventKind::RetryEvaluated { attempt: 2, .. } => {
            let deadline =
                actions_engine::browser::Deadline::after(&clock, std::time::Duration::from_secs(1));
            page.answer_dialog(DialogAnswer::Dismiss, deadline).now_or_never().unwrap().unwrap();
        }
        _ => {}
    };
    let outcome = on_clock(&clock, session.call("t").observer(&watch).run());
    assert_eq!(outcome.result.unwrap(), json!(["dialog_open", "dialog_open"]));
}
