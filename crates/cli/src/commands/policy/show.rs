//! `actions policy show`: the policy of a site, where it was found, and how much of it counts.

use actions_engine::CallError;
use actions_interop::a2wf::{SitePolicy, State};
use actions_protocol::{ErrorCode, Exit};

use super::{Asked, Format, refused};
use crate::output::{self, note, result};
use crate::text::{columns, line, short};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  actions policy show https://example.com")]
pub(super) struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let policy = match arguments.asked.policy() {
        Ok(policy) => policy,
        Err(error) => return refused(&error),
    };
    match arguments.format {
        Format::Json => output::json(&policy.to_json()),
        Format::Human => human(&policy),
    }
    match policy.state {
        State::Valid | State::Absent | State::Insecure | State::Expired => Exit::Done,
        State::Invalid | State::CrossDomain => Exit::Invalid,
        State::Unavailable => {
            let reason = policy.reason.as_deref().unwrap_or("it did not answer");
            refused(&CallError::new(ErrorCode::TransportFailed, format!("{}: {reason}", policy.origin)))
        }
    }
}

fn human(policy: &SitePolicy) {
    result(format_args!("{}: {}", policy.origin, policy.state.as_str()));
    if let Some(reason) = &policy.reason {
        note(line(&short(reason, 400)));
    }
    if let Some(url) = &policy.url {
        result(format_args!("document: {}", line(url.as_str())));
    }
    let rows: Vec<Vec<String>> = policy
        .policy
        .permissions
        .iter()
        .map(|(key, permission)| {
            let word = match permission.allowed {
                Some(true) => "allowed",
                Some(false) => "denied",
                None => "unreadable",
            };
            let limit = permission.rate_limit.map(|limit| format!("{limit} a minute"));
            let person = permission.human_verification.then(|| "a person verifies".to_owned());
            let more: Vec<String> = limit.into_iter().chain(person).collect();
            vec![line(&key.to_string()), word.to_owned(), more.join(", ")]
        })
        .collect();
    if !rows.is_empty() {
        result(columns(&rows));
    }
    let defaults = &policy.policy.defaults;
    let limits = [(defaults.per_minute, "minute"), (defaults.per_hour, "hour")];
    for (count, unit) in limits {
        if let Some(count) = count {
            result(format_args!("at most {count} requests a {unit}"));
        }
    }
    for looked in &policy.looked {
        note(line(&short(&format!("looked at {}: {}", looked.url, looked.result), 400)));
    }
    for warning in &policy.warnings {
        note(line(&short(&format!("warning: {warning}"), 400)));
    }
}
