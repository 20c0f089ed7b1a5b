//! The results of cases as a part of a report.

use actions_drift::{CaseReport, CaseResult, CaseStatus, Difference};

use super::html::Html;
use super::page::{Part, sign, tile};

/// The part for the results of `actions test`.
pub(super) fn part(report: &CaseReport, name: &str) -> Part {
    let mut html = Html::default();
    html.raw("<header class=head>");
    html.raw("<h2>");
    sign(&mut html, report.ok);
    html.raw("Cases</h2>").element("p class=hush", name).raw("<div class=tiles>");
    let summary = &report.summary;
    tile(&mut html, "", summary.cases, "cases");
    tile(&mut html, "good", summary.passed, "passed");
    tile(&mut html, if summary.failed > 0 { "bad" } else { "" }, summary.failed, "failed");
    tile(&mut html, "", summary.skipped, "skipped");
    html.raw("</div></header>\n");
    for of_map in report.results.chunk_by(|one, other| one.map == other.map) {
        html.element("h3", &of_map[0].map);
        of_map.iter().for_each(|result| one(&mut html, result));
    }
    Part { title: "Cases".to_owned(), ok: report.ok, body: html }
}

fn one(html: &mut Html, result: &CaseResult) {
    let failed = result.status == CaseStatus::Failed;
    html.raw(if failed { "<details class=\"item failed\" open>" } else { "<details class=item>" });
    html.raw("<summary>");
    match result.status {
        CaseStatus::Skipped => drop(html.raw("<span class=sign role=img aria-label=skipped>–</span> ")),
        _ => sign(html, !failed),
    }
    html.element("b", &result.case).raw("<span class=time>").text(result.duration_ms);
    html.raw(" ms</span></summary><div class=body>");
    for text in [&result.description, &result.skipped].into_iter().flatten() {
        html.element("p", text);
    }
    if let Some(error) = &result.error {
        html.raw("<p class=error>").text(&error.message).raw(" <code>").text(&error.code).raw("</code></p>");
    }
    result.difference.iter().flatten().for_each(|each| difference(html, each));
    if !failed && result.description.is_none() && result.skipped.is_none() {
        html.element("p class=hush", "It came out as expected.");
    }
    html.raw("</div></details>\n");
}

fn difference(html: &mut Html, difference: &Difference) {
    let place = if difference.path.is_empty() { "expect" } else { difference.path.as_str() };
    html.raw("<div class=diff>").element("code class=place", place).raw("<div class=sides>");
    let sides = [("expected", &difference.expected), ("found", &difference.found)];
    for (what, value) in sides {
        html.raw("<div").attribute("class", what).raw("><span>").text(what).raw("</span>");
        match value {
            Some(value) => drop(html.json(value)),
            None => drop(html.element("p class=missing", "nothing")),
        }
        html.raw("</div>");
    }
    html.raw("</div></div>");
}
