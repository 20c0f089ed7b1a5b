//! One pair: a page before and after a change, and what a check must say.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use actions_drift::{CheckResult, Recording};
use actions_engine::Engine;
use actions_engine::browser::Archive;
use actions_engine::browser::har::Har;
use serde::Deserialize;
use serde_json::{Value, json};

use super::tally::Judged;

const ORIGIN: &str = "https://pair.example";
/// The results that are judged: the target of the tool, the locator of its step, and the declared check.
const TARGET: &str = "/tools/0/target";
const STEP: &str = "/tools/0/workflow/steps/0/args/locator";
const DECLARED: &str = "it_is_there";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: String,
    /// The page before, by its name in `fixtures/drift/pages`.
    page: String,
    target: Value,
    /// Texts of the page and what stands in their place before.
    #[serde(default)]
    before: Vec<[String; 2]>,
    /// Texts of the page and what stands in their place after.
    #[serde(default)]
    change: Vec<[String; 2]>,
    /// Whether `before` holds after too.
    #[serde(default)]
    same_change: bool,
    /// Another page that stands in its place after.
    after: Option<String>,
    /// Pages below it after, by path.
    #[serde(default)]
    routes: BTreeMap<String, String>,
    http_status: Option<u16>,
    #[serde(default)]
    effect: Effect,
    /// What the severity of the target must be.
    severity: Option<String>,
    /// What must be proposed for the step, where a target cannot say it.
    step_proposal: Option<Value>,
    #[expect(dead_code, reason = "a word to the reader of the file")]
    note: Option<String>,
    expect: Expect,
}

#[derive(Default, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Effect {
    #[default]
    Read,
    Mutating,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    /// The status, or several that are right.
    status: Value,
    code: Option<String>,
    /// The selector that must be proposed; none may be if absent.
    #[serde(default)]
    proposal: Option<String>,
}

pub(crate) struct Pair {
    pub(crate) name: String,
    file: File,
    before: String,
    after: String,
}

impl Pair {
    pub(crate) fn read(path: &Path, pages: &Path) -> Self {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let file: File = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let page = |page: &str| {
            std::fs::read_to_string(pages.join(format!("{page}.html")))
                .unwrap_or_else(|_| panic!("{name}: {page}"))
        };
        let changed = |page: &str, changes: &[[String; 2]]| {
            changes.iter().fold(page.to_owned(), |page, [from, to]| {
                assert!(page.contains(from), "{name}: `{from}` is not in the page");
                page.replace(from, to)
            })
        };
        let whole = page(&file.page);
        let before = changed(&whole, &file.before);
        let after = match &file.after {
            Some(other) => page(other),
            None if file.same_change => changed(&before, &file.change),
            None => changed(&whole, &file.change),
        };
        Self { name, file, before, after }
    }

    /// A map with the target as that of a tool, in its step, and in a check.
    pub(crate) fn engine(&self) -> Engine {
        let target = match &self.file.target {
            Value::String(selector) => json!({ "selector": selector }),
            other => other.clone(),
        };
        let primitive = match self.file.effect {
            Effect::Read => "locator.element_info",
            Effect::Mutating => "pointer.click",
        };
        let map = json!({
            "protocol": "actions.json", "version": 1, "surface": { "origin": ORIGIN, "url": format!("{ORIGIN}/") },
            "tools": [{ "name": "act", "description": "Acts on the target.", "target": target,
                "input_schema": { "type": "object", "additionalProperties": false },
                "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                    { "id": "act", "primitive": primitive, "args": { "locator": target } }] } }],
            "checks": [{ "id": DECLARED, "description": "It is there.", "severity": "major",
                "assertions": [{ "target": target, "visible": true }] }],
        });
        Engine::from_bytes(&self.name, map.to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    pub(crate) fn before(&self) -> Recording {
        self.recording(&self.before, 200, &BTreeMap::new())
    }

    pub(crate) fn after(&self) -> Recording {
        self.recording(&self.after, self.file.http_status.unwrap_or(200), &self.file.routes)
    }

    fn recording(&self, page: &str, status: u16, routes: &BTreeMap<String, String>) -> Recording {
        let entry = |path: &str, status: u16, html: &str| {
            json!({ "request": { "method": "GET", "url": format!("{ORIGIN}{path}") },
                "response": { "status": status, "content": { "mimeType": "text/html; charset=utf-8", "text": html } } })
        };
        let inner = routes.iter().map(|(path, html)| entry(path, 200, &format!("<!doctype html>{html}")));
        let entries: Vec<Value> = std::iter::once(entry("/", status, page)).chain(inner).collect();
        let text = json!({ "log": { "entries": entries } }).to_string();
        let har = Har::parse(&self.name, text.as_bytes()).unwrap();
        let archive = Arc::new(Archive::of(&har, &self.name).unwrap());
        Recording { archive, pages: Vec::new() }
    }

    /// Compares what a check says of the page after with what it must say.
    pub(crate) fn judge(&self, results: &[CheckResult]) -> Judged {
        let result = |id: &str| {
            let found = results.iter().find(|result| result.check_id == id);
            found.unwrap_or_else(|| panic!("{}: no result of {id}", self.name))
        };
        let expect = &self.file.expect;
        let (target, step, declared) = (result(TARGET), result(STEP), result(DECLARED));
        let wanted: Vec<&str> = match &expect.status {
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        let mut mistakes = Vec::new();
        let mut expected = |what: &str, holds: bool, saw: String| {
            if !holds {
                mistakes.push(format!("{}: {what}, and not {saw}", self.name));
            }
        };
        let said = |result: &CheckResult| {
            let code = result.error.as_ref().map(|error| error.code.to_string()).unwrap_or_default();
            let message = result.error.as_ref().map(|error| error.message.clone()).unwrap_or_default();
            (code, message)
        };
        let (code, message) = said(target);
        let status = target.status.as_str();
        let is_right = wanted.contains(&status) && expect.code.as_ref().is_none_or(|wanted| *wanted == code);
        let wanted_code = expect.code.clone().unwrap_or_default();
        expected(&format!("{wanted:?} {wanted_code}"), is_right, format!("{status} {code}: {message}"));
        // Several matches are a matter of the target, not of whether it is there.
        let declared_right = wanted.contains(&declared.status.as_str()) || code == "multiple_targets";
        let (_, message) = said(declared);
        expected(
            &format!("the declared check: {wanted:?}"),
            declared_right,
            format!("{}: {message}", declared.status.as_str()),
        );
        let severity = target.severity.to_string();
        let severe = self.file.severity.as_ref().is_none_or(|wanted| *wanted == severity);
        expected("the severity", severe, severity);

        let proposed = target.proposals.first().map(|proposal| proposal.selector.clone());
        let of_step = step.proposals.first();
        let stepwise = self.file.step_proposal.as_ref();
        let step_right = match (stepwise, of_step) {
            (Some(wanted), Some(proposal)) => proposal.patch.iter().any(|change| {
                let value = &change["value"];
                *value == *wanted || *value == wanted["frame"]
            }),
            (Some(_), None) => false,
            (None, _) => true,
        };
        let wants_proposal = expect.proposal.is_some() || stepwise.is_some();
        let right_proposal = proposed == expect.proposal && step_right;
        let any = proposed.is_some() || (of_step.is_some());
        let saw = format!("{proposed:?}, for the step {:?}", of_step.map(|proposal| &proposal.patch));
        expected(&format!("the proposal {:?} {stepwise:?}", expect.proposal), right_proposal, saw);
        Judged {
            kind: self.file.kind.clone(),
            is_drift: !wanted.contains(&"passed"),
            cried: status != "passed" || declared.status.as_str() != "passed",
            right: is_right && declared_right,
            wants_proposal,
            proposed: any,
            right_proposal,
            mistakes,
        }
    }
}
