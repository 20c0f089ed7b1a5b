//! An enabled signal names its event.
//!
//! `"ingestion": "enabled"` forwards what the page sends; without `event` there is nothing to listen for.
//!
//! Breaks the rule:
//! ```json
//! { "name": "overlay.opened", "description": "A launcher was opened.", "ingestion": "enabled" }
//! ```
//!
//! Instead: add `"event": "actions-json:overlay-opened"`, or set `"ingestion": "disabled_by_default"`.

use crate::finding::Report;
use crate::model::Ingestion;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("X003", include_str!("x003_signal_without_event.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for signal in &subject.manifest.signals {
        let Some(ingestion) =
            signal.ingestion.as_ref().filter(|ingestion| ingestion.value == Ingestion::Enabled)
        else {
            continue;
        };
        if subject.document.node(signal.at).get("event").is_none() {
            report
                .find(
                    &RULE,
                    subject.document.node(ingestion.at),
                    format!("`{}` is enabled but names no `event`", *signal.name),
                )
                .help("add `\"event\"`, or set `\"ingestion\": \"disabled_by_default\"`");
        }
    }
}
