//! What the page reported while a call ran: console messages, exceptions, requests, dialogs.

use actions_engine::{EventKind, RequestFailure, Trace};

use super::super::html::Html;
use super::events;

/// Something that the page, or the browser on its behalf, reported.
#[derive(Debug)]
pub(super) struct Report {
    at_ms: u64,
    what: &'static str,
    text: String,
    grave: bool,
}

/// The most reports that are shown.
const MAX_REPORTS: usize = 500;

/// Everything that was reported, in order.
pub(super) fn reports(trace: &Trace) -> Vec<Report> {
    let mut list = Vec::new();
    for (at_ms, event) in events(trace) {
        let mut add = |what, text: String, grave| list.push(Report { at_ms, what, text, grave });
        match &event.kind {
            EventKind::Console { level, text, .. } => {
                add("console", format!("{level}: {}", **text), level == "error");
            }
            EventKind::Exception { text, .. } => add("exception", (**text).clone(), true),
            EventKind::RequestFailed { method, url, failure, .. } => {
                let how = match failure {
                    RequestFailure::Status(status) => status.to_string(),
                    RequestFailure::Error(error) => (**error).clone(),
                    _ => "failed".to_owned(),
                };
                add("request", format!("{how} {} {}", **method, **url), true);
            }
            EventKind::ReplayMiss { method, url, nearest, .. } => {
                let nearest = nearest.as_ref().map(|nearest| format!(" (nearest: {})", **nearest));
                let text = format!("{} {}{}", **method, **url, nearest.unwrap_or_default());
                add("not recorded", text, true);
            }
            EventKind::RequestRefused { method, url, by, .. } => {
                add("blocked", format!("{} {} by {}", **method, **url, **by), true);
            }
            EventKind::DialogAnswered { kind, message, accepted, .. } => {
                let answer = if *accepted { "yes" } else { "no" };
                add("dialog", format!("{kind} `{}`: {answer}", **message), false);
            }
            EventKind::PageOpened { runtime_id, url } => {
                add("page", format!("{runtime_id} opened at {}", **url), false);
            }
            EventKind::ReportsDropped { count } => add("dropped", format!("{count} more reports"), false),
            _ => {}
        }
    }
    list
}

/// Writes the reports as a table.
pub(super) fn write(html: &mut Html, reports: &[Report]) {
    if reports.is_empty() {
        return;
    }
    html.raw("<h3>Reports of the page</h3><div class=wide><table><thead><tr><th>at</th><th>what</th><th>text</th></tr></thead><tbody>");
    for Report { at_ms, what, text, grave } in reports.iter().take(MAX_REPORTS) {
        html.raw(if *grave { "<tr class=bad>" } else { "<tr>" });
        html.raw("<td class=time>").text(at_ms).raw(" ms</td><td>").text(what).raw("</td><td>");
        html.text(text.chars().take(2_000).collect::<String>()).raw("</td></tr>");
    }
    html.raw("</tbody></table></div>\n");
}
