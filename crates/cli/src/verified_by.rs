//! Who verifies a call that the policy of a site wants a person to verify: whoever named the tool on the command line, or
//! the person at the terminal.

use std::io::{BufRead, IsTerminal};

use actions_engine::{Confirm, Confirmation, Engine};
use async_trait::async_trait;

use crate::output::note;
use crate::text::{line, short};

/// How many characters of the arguments a person is shown.
const SHOWN: usize = 600;

/// The person of a command.
struct Person {
    /// The tools that were confirmed on the command line.
    confirmed: Vec<String>,
}

/// The engine with the person of this command, if there is one: a tool was confirmed, or a person sits at the terminal. A
/// command that a person started needs no further confirmation but that of a policy.
pub(crate) fn with_person(engine: Engine, confirmed: &[String]) -> Engine {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if confirmed.is_empty() && !is_terminal {
        return engine;
    }
    engine.on_confirm(Person { confirmed: confirmed.to_vec() })
}

#[async_trait]
impl Confirm for Person {
    async fn confirm(&self, confirmation: Confirmation) -> bool {
        let Some(reason) = &confirmation.reason else { return true };
        if !self.confirmed.is_empty() {
            return self.confirmed.iter().any(|confirmed| confirmed == confirmation.tool.as_str());
        }
        note(line(reason));
        let arguments = short(&confirmation.input.to_string(), SHOWN);
        note(line(&format!("Run `{}` with {arguments}? Type yes to go on", confirmation.tool)));
        let answer = tokio::task::spawn_blocking(|| {
            let mut answer = String::new();
            std::io::stdin().lock().read_line(&mut answer).map(|_| answer)
        });
        answer.await.is_ok_and(|answer| answer.is_ok_and(|answer| answer.trim() == "yes"))
    }
}
