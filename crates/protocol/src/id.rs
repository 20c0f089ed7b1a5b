//! Opaque ids. The side that creates an id chooses its form; the other side returns it unchanged.

use thiserror::Error;

/// The longest id that is accepted, in bytes.
const MAX_BYTES: usize = 256;

/// Why a text cannot be an id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// The text is empty.
    #[error("an id cannot be empty")]
    Empty,
    /// The text is longer than any id needs to be.
    #[error("an id of {bytes} bytes is too long; the limit is {MAX_BYTES}")]
    TooLong {
        /// How long the text is.
        bytes: usize,
    },
    /// A control character, which would break a log line or a terminal.
    #[error("`{}` at position {position} cannot be in an id; control characters are refused", character.escape_debug())]
    ControlCharacter {
        /// The character that is wrong.
        character: char,
        /// Its place, counted in characters from one.
        position: usize,
    },
}

fn check(text: &str) -> Result<(), IdError> {
    if text.is_empty() {
        return Err(IdError::Empty);
    }
    if text.len() > MAX_BYTES {
        return Err(IdError::TooLong { bytes: text.len() });
    }
    match text.chars().enumerate().find(|(_, character)| character.is_control()) {
        Some((index, character)) => Err(IdError::ControlCharacter { character, position: index + 1 }),
        None => Ok(()),
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(String);

        impl $id {
            /// Reads an id: any text without control characters, of 1 to 256 bytes.
            pub fn parse(text: &str) -> Result<Self, IdError> {
                check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        crate::text::checked_text!($id, IdError);
    )*};
}

ids! {
    /// Identifies one connection of a runtime; a reload of the page may change it.
    RuntimeId;
    /// Identifies one browser surface for its lifetime, such as `chrome-tab:123`.
    RuntimeKey;
    /// Joins a call to its one output or error.
    CallId;
    /// Identifies one page event.
    EventId;
    /// Names the approval of a user under which a runtime works.
    AuthorizationId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_any_text_that_fits_in_a_log_line() {
        for id in ["call-123", "chrome-tab:123", "call_9|fc_1", "é", &"x".repeat(256)] {
            assert_eq!(CallId::parse(id).unwrap().as_str(), id);
        }
    }

    #[test]
    fn an_id_that_is_empty_too_long_or_torn_is_refused() {
        assert_eq!(CallId::parse(""), Err(IdError::Empty));
        assert_eq!(CallId::parse(&"x".repeat(257)), Err(IdError::TooLong { bytes: 257 }));
        assert_eq!(
            CallId::parse("a\u{1b}[2J"),
            Err(IdError::ControlCharacter { character: '\u{1b}', position: 2 })
        );
    }
}
