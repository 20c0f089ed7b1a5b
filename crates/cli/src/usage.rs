//! Reports arguments that cannot be used, and prints help and version.

use std::ffi::OsString;

use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};
use clap::error::{Error, ErrorKind};

use crate::item::item;
use crate::output::{coloured, json_text, note};

/// Prints what the parser says: help as a result, an error as a note. With `--item` an error is an item too.
pub(crate) fn report(error: &Error, arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let text = error.render().ansi().to_string();
    if !error.use_stderr() {
        coloured(text.trim_end());
        return Exit::Done;
    }
    note(text.trim_end());
    if promises_item(arguments) && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let plain = error.render().to_string();
        let message = plain.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        json_text(&item(None, Err(CallError::new(ErrorCode::WrongUsage, message)), &[]).to_json());
    }
    Exit::Usage
}

/// Whether the arguments, which could not be parsed, ask for an item.
fn promises_item(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut arguments = arguments.into_iter().skip(1).take_while(|argument| argument != "--");
    let command = arguments.next();
    command.is_some_and(|command| command == "run" || command == "state")
        && arguments.any(|argument| argument == "--item")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_promised_by_run_and_state_alone() {
        let asks = |line: &str| promises_item(line.split(' ').map(OsString::from));
        assert!(asks("actions run --item") && asks("actions state read m p --item --no-such"));
        assert!(!asks("actions list --item") && !asks("actions run m t -- --item") && !asks("actions run"));
    }
}
