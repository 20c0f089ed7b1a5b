//! The results of checks as a part of a report.

use std::fs;
use std::path::Path;

use actions_drift::{CheckResult, Proposal, Report, Status};
use actions_manifest::read_file;
use serde_json::Value;

use super::html::Html;
use super::page::{Part, sign, tile};
use super::picture::{Mark, picture};
use super::source;

/// The largest picture that is read.
const MAX_PICTURE: u64 = 16 << 20;

/// The part for the results of `actions check`.
pub(super) fn part(report: &Report, name: &str) -> Part {
    let mut html = Html::default();
    let summary = &report.summary;
    html.raw("<header class=head><h2>");
    sign(&mut html, report.ok);
    html.raw("Checks</h2>").element("p class=hush", name).raw("<div class=tiles>");
    tile(&mut html, "", summary.maps, if summary.maps == 1 { "map" } else { "maps" });
    for (status, count) in &summary.by_status {
        let class = match status.as_str() {
            "passed" => "good",
            "failed" => "bad",
            "skipped" => "",
            _ => "warn",
        };
        tile(&mut html, class, count, &status.replace('_', " "));
    }
    for (severity, count) in &summary.by_severity {
        tile(&mut html, "bad", count, severity);
    }
    tile(&mut html, "", format_args!("{:.0} %", summary.covered * 100.0), "looked at");
    html.raw("</div></header>\n");
    for of_map in report.results.chunk_by(|one, other| one.map == other.map) {
        html.element("h3", &of_map[0].map);
        let map = read_file(Path::new(&of_map[0].map)).ok();
        let map = map.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        let (quiet, loud): (Vec<_>, Vec<_>) =
            of_map.iter().partition(|result| matches!(result.status, Status::Passed | Status::Skipped));
        loud.into_iter().for_each(|result| one(&mut html, result, map.as_ref()));
        silent(&mut html, &quiet);
    }
    Part { title: "Checks".to_owned(), ok: report.ok, body: html }
}

/// What did not pass, with everything that helps to understand it.
fn one(html: &mut Html, result: &CheckResult, map: Option<&Value>) {
    let drifted = result.status == Status::Failed;
    html.raw("<details class=\"item failed\" open><summary>");
    match drifted {
        true => sign(html, false),
        false => drop(html.raw("<span class=\"sign warn\" role=img aria-label=unreachable>!</span> ")),
    }
    html.element("b", &result.check_id).raw(" ");
    if drifted {
        html.element("span class=\"chip bad\"", result.severity);
    } else {
        html.element("span class=\"chip warn\"", result.status.as_str().replace('_', " "));
    }
    html.raw("</summary><div class=body>");
    if let Some(error) = &result.error {
        html.raw("<p class=error>").text(&error.message).raw(" <code>").text(&error.code).raw("</code></p>");
        if let Some(next) = &error.next_step {
            html.raw("<p><b>Then:</b> ").text(next).raw("</p>");
        }
    }
    facts(html, result);
    for proposal in &result.proposals {
        proposed(html, proposal, map);
    }
    pictures(html, result);
    let line =
        result.evidence.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
    if let Some(line) = line {
        source::lines(html, &result.map, line);
    }
    evidence(html, result);
    html.raw("</div></details>\n");
}

fn facts(html: &mut Html, result: &CheckResult) {
    html.raw("<dl class=facts>");
    let text = |key: &str| result.evidence.get(key).and_then(Value::as_str).map(str::to_owned);
    let attempts = (result.attempts > 1).then(|| result.attempts.to_string());
    let entries = [
        ("about", text("about")),
        ("page", Some(result.url.clone()).filter(|url| !url.is_empty())),
        ("since", text("since")),
        ("seen", Some(result.observed_at.to_string())),
        ("looked", attempts.map(|times| format!("{times} times"))),
        ("was", result.evidence.get("locked").map(named)),
        ("is", result.evidence.get("element").map(named)),
    ];
    for (what, value) in entries {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            html.element("dt", what).element("dd", value);
        }
    }
    html.raw("</dl>");
}

fn named(element: &Value) -> String {
    let part = |key: &str| element.get(key).and_then(Value::as_str).unwrap_or_default();
    let role = if part("role").is_empty() { part("tag") } else { part("role") };
    format!("{role} {}", part("name")).trim().to_owned()
}

/// A proposal as a patch: what stands in the map, and what would stand there.
fn proposed(html: &mut Html, proposal: &Proposal, map: Option<&Value>) {
    html.raw("<div class=proposal><h4>Proposal <span class=chip>")
        .text(format_args!("{:.2}", proposal.score));
    html.raw("</span></h4>")
        .element("p class=hush", proposal.reasons.join(", "))
        .raw("<pre class=patch tabindex=0>");
    for change in &proposal.patch {
        let path = change.get("path").and_then(Value::as_str).unwrap_or_default();
        html.raw("<span class=place>").text(path).raw("</span>\n");
        if let Some(before) = map.and_then(|map| map.pointer(path)) {
            html.raw("<del>- ").text(before).raw("</del>\n");
        }
        if let Some(after) = change.get("value") {
            html.raw("<ins>+ ").text(after).raw("</ins>\n");
        }
    }
    html.raw(
        "</pre><p class=hush>Nothing was applied. Look at the page before you change the map.</p></div>",
    );
}

/// The last good picture beside the one with the failure.
fn pictures(html: &mut Html, result: &CheckResult) {
    let file = |key: &str| result.evidence.get(key).and_then(Value::as_str);
    let mark = result.evidence.get("rect").and_then(Mark::area);
    let shots = [("before", file("screenshot_before"), None), ("now", file("screenshot"), mark)];
    if shots.iter().all(|(_, file, _)| file.is_none()) {
        return;
    }
    html.raw("<div class=pair>");
    for (caption, file, mark) in shots {
        if let Some(file) = file {
            picture(html, caption, read_picture(Path::new(file)), mark);
        }
    }
    html.raw("</div>");
}

fn read_picture(path: &Path) -> Result<Vec<u8>, String> {
    let there = fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !there.is_file() || there.len() > MAX_PICTURE {
        return Err(format!("{}: no picture of at most {MAX_PICTURE} bytes", path.display()));
    }
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// What the check stored, apart from what is shown above.
fn evidence(html: &mut Html, result: &CheckResult) {
    const SHOWN: &[&str] = &[
        "about",
        "since",
        "line",
        "column",
        "pointer",
        "locked",
        "element",
        "rect",
        "screenshot",
        "screenshot_before",
        "matched",
        "matched_by",
    ];
    for (key, value) in result.evidence.iter().filter(|(key, _)| !SHOWN.contains(&key.as_str())) {
        let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        if empty {
            continue;
        }
        html.raw("<details class=more><summary>").text(key.replace('_', " ")).raw("</summary>");
        match value.as_str() {
            Some(text) => drop(html.raw("<pre tabindex=0>").text(text).raw("</pre>")),
            None => drop(html.json(value)),
        }
        html.raw("</details>");
    }
}

/// What passed and what was not looked at, in one line each.
fn silent(html: &mut Html, results: &[&CheckResult]) {
    if results.is_empty() {
        return;
    }
    let passed = results.iter().filter(|result| result.status == Status::Passed).count();
    html.raw("<details class=\"item calm\"><summary>").text(passed).raw(" passed, ");
    html.text(results.len() - passed).raw(" skipped</summary><ul class=plain>");
    for result in results {
        let passed = result.status == Status::Passed;
        html.raw("<li>");
        match passed {
            true => sign(html, true),
            false => drop(html.raw("<span class=sign role=img aria-label=skipped>–</span> ")),
        }
        html.element("code", &result.check_id);
        if let Some(why) = result.evidence.get("skipped").and_then(Value::as_str) {
            html.raw(" <span class=hush>").text(why).raw("</span>");
        }
        html.raw("</li>");
    }
    html.raw("</ul></details>\n");
}
