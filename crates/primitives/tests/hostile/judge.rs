//! Judges the outcome of a case by what the page itself recorded.

use std::time::{Duration, Instant};

use actions_browser::Deadline;
use actions_primitives::{Failure, Stage};
use serde_json::{Map, Value, json};

use crate::case::{Assertion, Case, EventAssertion, FactAssertion, Outcome};
use crate::perform::{Answer, Performed};
use crate::site::Site;

/// The wait for late effects before the records are read.
const QUIET: Duration = Duration::from_millis(200);
/// How long the assertions may take to become true.
const SETTLING: Duration = Duration::from_secs(2);
/// How long the records of a page may take to reach the server.
const ARRIVING: Duration = Duration::from_secs(30);
/// The fact that a page states last.
const LAST: &str = "nothing_more";
const STATE_LAST: &str = "truth.fact('nothing_more', true)";
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The judgement of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Succeeded as expected, and the page confirms it.
    Success,
    /// Refused as expected, with the right code and reason.
    Refusal,
    /// Reported success, but the page does not confirm it.
    FalseSuccess,
    /// Did not return in time.
    Hang,
    /// Refused without a message.
    SilentRefusal,
    /// Refused although a person could do it.
    NeedlessRefusal,
    /// Succeeded although a refusal was expected.
    BoldSuccess,
    /// Refused, but changed the page.
    RefusedAfterActing,
    /// Refused as expected, but with an unexpected code.
    OtherCode,
    /// As expected, but without the required words or evidence.
    MissingDetail,
    /// As expected, but the dictionary does not declare the output or the code.
    Undeclared,
}

impl Verdict {
    /// Whether this is what the case asks for.
    pub(crate) fn is_right(self) -> bool {
        matches!(self, Verdict::Success | Verdict::Refusal)
    }

    /// The verdict in words, such as `needless refusal`.
    pub(crate) fn words(self) -> String {
        let mut words = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(letter.to_ascii_lowercase());
        }
        words
    }
}

/// Judges an outcome and returns the reasons.
pub(crate) async fn judge(site: &Site, case: &Case, performed: &Performed) -> (Verdict, String) {
    tokio::time::sleep(QUIET).await;
    wait_for_records(site, case, &performed.stage).await;
    match &performed.answer {
        Answer::Hang => {
            (Verdict::Hang, format!("did not return within {} ms and a second", case.deadline_ms))
        }
        Answer::Success(output) => {
            let mut wrong = broken(site, case, &case.truth.on_success).await;
            wrong.extend(differing(output, &case.expect.output));
            (judge_success(case, output, &wrong), format!("{output} {}", wrong.join(", ")))
        }
        Answer::Refusal(failure) => {
            let wrong = broken(site, case, &case.truth.on_refusal).await;
            let evidence = Value::Object(failure.evidence.clone());
            let detail = format!("{}: {} {evidence} {}", failure.code, failure.message, wrong.join(", "));
            (judge_refusal(case, failure, &wrong), detail)
        }
    }
}

fn judge_success(case: &Case, output: &Value, wrong: &[String]) -> Verdict {
    let words = output.to_string();
    if !wrong.is_empty() {
        Verdict::FalseSuccess
    } else if case.expect.outcome == Outcome::Refusal {
        Verdict::BoldSuccess
    } else if !case.expect.reports.iter().all(|word| words.contains(word)) {
        Verdict::MissingDetail
    } else {
        Verdict::Success
    }
}

fn judge_refusal(case: &Case, failure: &Failure, wrong: &[String]) -> Verdict {
    let evidence = Value::Object(failure.evidence.clone());
    let words = format!("{} {evidence}", failure.message);
    if failure.message.trim().is_empty() {
        Verdict::SilentRefusal
    } else if !wrong.is_empty() {
        Verdict::RefusedAfterActing
    } else if case.expect.outcome == Outcome::Success {
        Verdict::NeedlessRefusal
    } else if !case.expect.codes.contains(&failure.code) {
        Verdict::OtherCode
    } else if !case.expect.names.iter().all(|word| words.contains(word))
        || !differing(&evidence, &case.expect.evidence).is_empty()
    {
        Verdict::MissingDetail
    } else {
        Verdict::Refusal
    }
}

/// Makes the page state one more fact and waits until the server has every record before it. Only then is it certain what
/// did not happen. A page that does not answer, or a new page without the recorder, states nothing more.
async fn wait_for_records(site: &Site, case: &Case, stage: &Stage) {
    let deadline = Deadline::after(&*stage.clock(), SETTLING);
    if stage.page().evaluate(STATE_LAST, deadline).await.is_err() {
        return;
    }
    let end = Instant::now() + ARRIVING;
    while !is_complete(&site.truth(case)) && Instant::now() < end {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Whether the server has every record of the document that stated the last fact. Records are numbered from 1.
fn is_complete(records: &[Value]) -> bool {
    records.iter().rfind(|record| record["fact"] == LAST).is_some_and(|last| {
        let received = records.iter().filter(|record| record["document"] == last["document"]);
        received.filter(|record| record["seq"].as_u64() <= last["seq"].as_u64()).count() as u64 == last["seq"]
    })
}

/// Reads the records until the assertions hold, at most for [`SETTLING`]. Returns those that do not hold.
async fn broken(site: &Site, case: &Case, side: &[Assertion]) -> Vec<String> {
    let end = Instant::now() + SETTLING;
    loop {
        let records = site.truth(case);
        let assertions = case.truth.always.iter().chain(side);
        let failing: Vec<String> = assertions
            .filter(|assertion| !holds(&records, assertion))
            .map(|one| format!("does not hold: {one:?}"))
            .collect();
        if failing.is_empty() || Instant::now() > end {
            return failing;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

fn holds(records: &[Value], assertion: &Assertion) -> bool {
    match assertion {
        Assertion::Event(event) => event_holds(records, event),
        Assertion::Fact(fact) => fact_holds(records, fact),
    }
}

fn event_holds(records: &[Value], wanted: &EventAssertion) -> bool {
    let seen: Vec<&Value> = records
        .iter()
        .filter(|record| record["element"] == json!(wanted.element) && record["event"] == json!(wanted.event))
        .filter(|record| record["at"] == json!(wanted.at) && record["trusted"] == json!(wanted.trusted))
        .filter(|record| wanted.having.iter().all(|(key, value)| same(&record[key.as_str()], value)))
        .collect();
    let value_holds = wanted
        .value
        .as_ref()
        .is_none_or(|value| seen.last().is_some_and(|record| same(&record["value"], value)));
    wanted.count.is_none_or(|count| seen.len() == count)
        && wanted.min.is_none_or(|min| seen.len() >= min)
        && wanted.max.is_none_or(|max| seen.len() <= max)
        && value_holds
}

fn fact_holds(records: &[Value], wanted: &FactAssertion) -> bool {
    let stated: Vec<&Value> = records
        .iter()
        .filter(|record| record["fact"] == json!(wanted.fact))
        .map(|record| &record["value"])
        .collect();
    let said = |value: &Value| stated.iter().any(|one| same(one, value));
    wanted.equals.as_ref().is_none_or(|value| stated.last().is_some_and(|last| same(last, value)))
        && wanted.ever.as_ref().is_none_or(said)
        && wanted.never.as_ref().is_none_or(|value| !said(value))
}

/// The pointers at which a value differs from the expected one.
fn differing(value: &Value, wanted: &Map<String, Value>) -> Vec<String> {
    wanted
        .iter()
        .filter(|(pointer, wanted)| !value.pointer(pointer).is_some_and(|found| same(found, wanted)))
        .map(|(pointer, wanted)| format!("{pointer} is not {wanted}"))
        .collect()
}

/// Whether two values are equal. Numbers are compared by value: `1` equals `1.0`.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}
