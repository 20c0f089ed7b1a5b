//! Options by which the caller of a tool agrees to what its map demands of a person.

use std::io::{BufRead, IsTerminal};

use actions_engine::{Confirmation, Consent, Session};
use serde::{Deserialize, Serialize};

use crate::output::note;
use crate::text::line;

/// Options by which the caller of a tool agrees to what its map demands of a person.
#[derive(Clone, Debug, Default, clap::Args, Serialize, Deserialize)]
pub(crate) struct ConsentOptions {
    /// Agree to tools that a person should confirm, unless they must
    #[arg(long)]
    yes: bool,
    /// Agree to this tool, which its map or the policy of the site wants a person to confirm
    #[arg(long, value_name = "TOOL")]
    confirm: Vec<String>,
    /// Take this tool as called, for tools that depend on it
    #[arg(long, value_name = "TOOL")]
    satisfied: Vec<String>,
    /// Call tools although their site says that they do not work well
    #[arg(long)]
    allow_degraded: bool,
}

impl ConsentOptions {
    /// What was agreed to. Whoever sits at the terminal is asked about the rest.
    pub(crate) fn consent(&self) -> Consent {
        let consent = self.without_terminal();
        match std::io::stdin().is_terminal() && std::io::stderr().is_terminal() {
            true => consent.asking(ask),
            false => consent,
        }
    }

    /// What was agreed to. Nobody is asked.
    pub(crate) fn without_terminal(&self) -> Consent {
        Consent::default()
            .agreeing(self.yes)
            .confirming(self.confirm.iter().cloned())
            .accepting_degraded(self.allow_degraded)
    }

    /// The tools that were agreed to by name.
    pub(crate) fn confirmed(&self) -> &[String] {
        &self.confirm
    }

    /// Tells a session what was called before.
    pub(crate) fn tell(&self, session: &Session) {
        self.satisfied.iter().for_each(|tool| session.assume_succeeded(tool));
    }

    /// The same, with the names of tools as the map has them.
    pub(crate) fn named(mut self, exposed: impl Fn(&str) -> String) -> Self {
        self.confirm.iter_mut().chain(&mut self.satisfied).for_each(|tool| *tool = exposed(tool));
        self
    }
}

/// Asks the person at the terminal.
async fn ask(asked: Confirmation) -> bool {
    note(format_args!("{} wants a person's yes.", line(asked.tool.as_str())));
    note(format_args!("  {}", line(&asked.description)));
    note(format_args!("  arguments: {}", line(&asked.input.to_string())));
    if let Some(reason) = &asked.reason {
        note(format_args!("  because: {}", line(reason)));
    }
    note("Write `yes` to go on:");
    let answer = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        std::io::stdin().lock().read_line(&mut text).map(|_| text)
    });
    matches!(answer.await, Ok(Ok(text)) if text.trim().eq_ignore_ascii_case("yes"))
}
