//! Regular expressions: translated, and compiled once for our functions.

use actions_protocol::ErrorCode;
use regex::Regex;

use super::Rewriter;
use crate::engine::host::Pattern;
use crate::pattern::translate;
use crate::{CompileError, Place};

impl Rewriter<'_> {
    pub(super) fn regex(&mut self, pattern: &str, flags: &str, place: Place) -> Result<(), CompileError> {
        let source = translate(pattern, flags.contains('m')).map_err(|error| {
            let place = Place::new(place.offset + 1 + error.offset, error.len);
            refused(place, error.message, error.hint)
        })?;
        let flags = if flags.contains('i') { "i" } else { "" };
        self.output.push_str(&format!("/{source}/{flags}"));
        if self.patterns.iter().any(|known| known.source == source && known.flags == flags) {
            return Ok(());
        }
        let case = if flags.is_empty() { "" } else { "(?i)" };
        let regex = Regex::new(&format!("{case}{source}")).map_err(|error| {
            let message = match error {
                regex::Error::CompiledTooBig(_) => "the regular expression is too large",
                _ => "the regular expression is not valid",
            };
            refused(place, message.to_owned(), Some("use smaller repetitions and simpler groups"))
        })?;
        self.patterns.push(Pattern { source, flags: flags.to_owned(), regex });
        Ok(())
    }
}

fn refused(place: Place, message: String, hint: Option<&str>) -> CompileError {
    CompileError {
        code: ErrorCode::InvalidExpression,
        jsonata_code: None,
        place,
        message,
        hint: hint.map(str::to_owned),
    }
}
