//! Reports arguments that cannot be used, and prints help and version.

use std::ffi::OsString;

use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};
use clap::error::{Error, ErrorKind};

use crate::item::item;
use crate::output::{coloured, json_text, note};
use crate::text::line;

/// Prints what the parser says: help as a result, an error as a note. With `--item` an error is an item too.
pub(crate) fn report(error: &Error, arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let text = escaped(error.render().ansi().to_string(), &arguments);
    if !error.use_stderr() {
        coloured(text.trim_end());
        return Exit::Done;
    }
    note(text.trim_end());
    if promises_item(&arguments) && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let plain = escaped(error.render().to_string(), &arguments);
        let message = plain.lines().next().unwrap_or_default();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        json_text(&item(None, Err(CallError::new(ErrorCode::WrongUsage, message)), &[]).to_json());
    }
    Exit::Usage
}

/// The text with every argument in it on one line. A program that wrote them may have taken them from a page.
fn escaped(text: String, arguments: &[OsString]) -> String {
    let arguments = arguments.iter().filter_map(|argument| argument.to_str());
    arguments.fold(text, |text, argument| match line(argument) {
        escaped if escaped != argument => text.replace(argument, &escaped),
        _ => text,
    })
}

/// Whether the arguments, which could not be parsed, ask for an item.
fn promises_item(arguments: &[OsString]) -> bool {
    let mut arguments = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    let command = arguments.next();
    command.is_some_and(|command| command == "run" || command == "state")
        && arguments.any(|argument| argument == "--item")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_promised_by_run_and_state_alone() {
        let asks = |line: &str| promises_item(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(asks("actions run --item") && asks("actions state read m p --item --no-such"));
        assert!(!asks("actions list --item") && !asks("actions run m t -- --item") && !asks("actions run"));
    }
}
