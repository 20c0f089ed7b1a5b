//! `actions policy check`: whether the policy of a site allows a tool or a permission.

use actions_engine::CallError;
use actions_interop::a2wf::{
    Agent, Applies, Group, How, Key, Kind, Operation, Question, Settings, SitePolicy, ToolFacts, Verdict,
    decide, limits,
};
use actions_protocol::{ErrorCode, Exit};
use serde_json::{Value, json};

use super::{Asked, Format, refused};
use crate::output::{self, note, result};
use crate::text::line;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  actions policy check https://example.com action.search --explain")]
pub(super) struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Name of a tool, or a permission such as action.checkout
    #[arg(value_name = "TOOL|GROUP.KEY")]
    what: String,
    /// The tool only reads; without it, a tool may change the site
    #[arg(long)]
    reads: bool,
    /// Also print how the operation was classified and what was considered
    #[arg(long)]
    explain: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let site = match arguments.asked.policy() {
        Ok(site) => site,
        Err(error) => return refused(&error),
    };
    let agent = Agent::from(&arguments.asked.agent.identity());
    let operation = arguments.operation(&site);
    let question =
        Question { site: &site, operation: &operation, agent: &agent, settings: Settings::default() };
    let verdict = decide(&question);
    if arguments.format == Format::Json {
        output::json(&as_json(&question, &verdict));
    } else if arguments.explain {
        explain(&question);
    }
    match verdict {
        Verdict::Allow { warnings } => {
            if arguments.format == Format::Human {
                result(format_args!("`{}` is allowed", line(&arguments.what)));
                warnings.iter().for_each(|warning| note(format_args!("warning: {}", warning.sentence())));
            }
            Exit::Done
        }
        Verdict::Verify(verification) => {
            let error = CallError::new(ErrorCode::HumanVerificationRequired, verification.reason.clone())
                .with_evidence("key", verification.key.clone())
                .with_evidence("methods", verification.methods.clone());
            refused(&with_document(error, &site))
        }
        Verdict::Deny(refusal) => {
            let error = CallError::new(refusal.code, refusal.reason.clone());
            let facts = refusal.facts(&site).into_iter();
            refused(&facts.fold(error, |error, (name, value)| error.with_evidence(name, value)))
        }
    }
}

fn with_document(error: CallError, site: &SitePolicy) -> CallError {
    site.url.iter().fold(error, |error, url| error.with_evidence("document", url.as_str()))
}

impl Arguments {
    /// The operation that is asked about: a permission as such, or the call of a tool.
    fn operation(&self, site: &SitePolicy) -> Operation {
        if let Some(key) = Key::parse(&self.what) {
            let group = key.group;
            return Operation {
                keys: vec![Applies { key, how: How::Explicit }],
                ..Operation::new(Kind::Tool, group)
            };
        }
        let facts = ToolFacts { name: &self.what, mutating: !self.reads, ..ToolFacts::default() };
        Operation::tool(&facts, Some(&site.policy))
    }
}

fn group_of(operation: &Operation) -> &'static str {
    match operation.weight() {
        Group::Read => "read",
        Group::Action => "action",
        Group::Data => "data",
    }
}

fn as_json(question: &Question<'_>, verdict: &Verdict) -> Value {
    let keys: Vec<Value> = question
        .operation
        .keys
        .iter()
        .map(|applies| json!({ "key": applies.key.to_string(), "how": applies.how }))
        .collect();
    let limits: Vec<Value> = limits(question)
        .iter()
        .map(|one| json!({ "scope": one.scope, "count": one.limit.count, "per_s": one.limit.per.as_secs() }))
        .collect();
    let mut shown = json!({
        "origin": question.site.origin,
        "state": question.site.state.as_str(),
        "document": question.site.url.as_ref().map(|url| url.as_str()),
        "group": group_of(question.operation),
        "keys": keys,
        "limits": limits,
    });
    let (decision, more) = match verdict {
        Verdict::Allow { warnings } => {
            let names: Vec<&str> = warnings.iter().map(|warning| warning.as_str()).collect();
            ("allow", json!({ "warnings": names }))
        }
        Verdict::Deny(refusal) => {
            let facts: serde_json::Map<String, Value> = refusal
                .facts(question.site)
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
            ("deny", json!({ "code": refusal.code, "reason": refusal.reason, "evidence": facts }))
        }
        Verdict::Verify(wanted) => {
            ("verify", json!({ "key": wanted.key, "reason": wanted.reason, "methods": wanted.methods }))
        }
    };
    shown["decision"] = json!(decision);
    if let (Some(shown), Value::Object(more)) = (shown.as_object_mut(), more) {
        shown.extend(more);
    }
    shown
}

fn explain(question: &Question<'_>) {
    result(format_args!("policy of {}: {}", question.site.origin, question.site.state.as_str()));
    result(format_args!("the operation counts as {}", group_of(question.operation)));
    for applies in &question.operation.keys {
        let permission = question.site.policy.permissions.get(&applies.key);
        let says = match permission.and_then(|permission| permission.allowed) {
            Some(true) => "allows it",
            Some(false) => "denies it",
            None => "does not list it",
        };
        let how = match applies.how {
            How::Explicit => "named",
            How::Exact => "by its name",
            How::Synonym => "by a synonym",
            How::Derived => "by the data it speaks of",
            How::Resembling => "by a word of its name; it can only forbid",
        };
        result(format_args!("{} ({how}): the policy {says}", line(&applies.key.to_string())));
    }
    if question.operation.keys.is_empty() {
        result("no permission applies, so the defaults decide");
    }
    for one in limits(question) {
        let (count, per) = (one.limit.count, one.limit.per.as_secs());
        result(format_args!("limit of {}: {count} in {per} seconds", line(&one.scope)));
    }
}
