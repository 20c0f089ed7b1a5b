//! `actions explain`: prints the story of a rule or the meaning of an error code.

use actions_dictionary::{Dictionary, closest};
use actions_engine::CallError;
use actions_interop::systems;
use actions_manifest::{RULES, Rule, rule};
use actions_protocol::{ErrorCode, Exit, Severity};

use crate::failure::{Around, explain};
use crate::output::result;

/// Explains a validation rule or an error code
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  actions explain W009\n  actions explain target_not_actionable")]
pub(crate) struct Arguments {
    /// Rule such as W009, or error code such as target_not_found; lists all of them if absent
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let Some(code) = arguments.code else {
        let rules = RULES.iter().copied().chain(systems::rules());
        rules.for_each(|rule| result(format_args!("{}  {}", rule.code, rule.title())));
        ErrorCode::ALL.iter().for_each(|code| result(format_args!("{code}  {}", code.sentence())));
        return Exit::Done;
    };
    if let Some(rule) = rule(&code).or_else(|| systems::rule(&code)) {
        result(story(rule));
        return Exit::Done;
    }
    if let Some(code) = ErrorCode::from_wire(&code) {
        result(meaning(code));
        return Exit::Done;
    }
    let rules = RULES.iter().copied().chain(systems::rules());
    let known = rules.map(|rule| rule.code).chain(ErrorCode::ALL.iter().map(|code| code.as_str()));
    let hint = match closest(&code, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`actions explain` lists them all".to_owned(),
    };
    let message = format!("there is no rule or error code `{code}`");
    let error = CallError::new(ErrorCode::WrongUsage, message).with_evidence("hint", hint);
    explain(&error, Around::default());
    error.exit()
}

fn story(rule: &Rule) -> String {
    format!("{} ({})\n\n{}", rule.code, rule.severity.as_str(), rule.story())
}

fn meaning(code: ErrorCode) -> String {
    let severity = match code.severity() {
        Severity::Info => "info",
        Severity::Minor => "minor",
        Severity::Major => "major",
        Severity::Critical => "critical",
    };
    let again = if code.recoverable() { "fix the cause and try again" } else { "trying again will not help" };
    let mut text = format!(
        "{code} ({severity})\n\n{}\n\nRecovery: {again}.\nExit code: {}.",
        code.sentence(),
        code.exit() as u8
    );
    let givers: Vec<_> = Dictionary::builtin()
        .iter()
        .filter_map(|primitive| {
            let declared = primitive.errors.iter().find(|declared| declared.code == code)?;
            Some(format!("  {}: {}", primitive.name, declared.when))
        })
        .collect();
    if !givers.is_empty() {
        text += &format!("\n\nReturned by:\n{}", givers.join("\n"));
    }
    text
}
