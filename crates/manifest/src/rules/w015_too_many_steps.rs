//! A workflow has at most 25 steps.
//!
//! A longer one cannot be reviewed as one action, and when it fails halfway the state of the site is unknown.
//!
//! Breaks the rule: a workflow whose `steps` has 26 elements.
//!
//! Instead: split the action into tools that each end in a state of their own. A step may call another tool of the map:
//! ```json
//! { "id": "open", "primitive": "actions.site", "args": { "mode": "call", "action": "cart.open", "arguments": {} } }
//! ```

use actions_protocol::limits;

use crate::finding::Report;
use crate::lower::subject as named;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W015", include_str!("w015_too_many_steps.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for workflow in &subject.view.workflows {
        let (count, Some(first_beyond)) = (workflow.steps.len(), workflow.steps.get(limits::STEPS)) else {
            continue;
        };
        let message = format!(
            "the workflow of {} has {count} steps; the limit is {}",
            named(workflow.tool),
            limits::STEPS
        );
        report
            .find(&RULE, first_beyond.id.unwrap_or(first_beyond.node), message)
            .help("split it into tools, and call one from the other with `actions.site`");
    }
}
