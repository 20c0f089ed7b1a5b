//! A summary is smaller than the state it sums up.
//!
//! A summary is there for callers that cannot take the whole state. Its `max_bytes` above the budget of the state
//! itself, 48000 bytes unless the projection says otherwise, can never be used up.
//!
//! Breaks the rule:
//! ```json
//! { "name": "site.board", "summaries": [{ "name": "agent_context", "max_bytes": 100000, "…": "…" }] }
//! ```
//!
//! Instead: give the summary a budget below that of the state, 12000 bytes when nothing is said.

use actions_protocol::limits;

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("P006", include_str!("p006_summary_over_budget.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for projection in &subject.view.projections {
        let own = projection.node.get("max_bytes");
        let budget = own.and_then(bytes).unwrap_or(limits::STATE_BYTES.0 as u64);
        for summary in projection.summaries.iter().filter_map(|summary| summary.get("max_bytes")) {
            let Some(wanted) = bytes(summary).filter(|wanted| *wanted > budget) else { continue };
            let message = format!("the summary may have {wanted} bytes, the whole state only {budget}");
            let draft =
                report.find(&RULE, summary, message).help("lower it, or raise `max_bytes` of the projection");
            if let Some(own) = own {
                draft.related(own, "the budget of the state");
            }
        }
    }
}

fn bytes(node: Node<'_>) -> Option<u64> {
    node.as_number()?.as_u64()
}
