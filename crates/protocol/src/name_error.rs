//! Why a text is not a safe name, and where.

use thiserror::Error;

/// Why a text is not a safe name, and where. Positions count characters from one, as a person does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// There is no text.
    #[error("a name cannot be empty")]
    Empty,
    /// A dot stands where a part must begin, or the text ends there.
    #[error("a part of the name is empty at position {position}")]
    EmptyPart {
        /// The character, counted from one.
        position: usize,
        /// The byte, counted from zero.
        offset: usize,
    },
    /// A part begins with a digit, `_` or `-`.
    #[error("`{character}` at position {position} cannot begin a part of a name; begin with an ASCII letter")]
    BadStart {
        /// The character that is wrong.
        character: char,
        /// The character, counted from one.
        position: usize,
        /// The byte, counted from zero.
        offset: usize,
    },
    /// A character that no name may hold.
    #[error("`{}` at position {position} cannot be in a name; {allowed}", character.escape_debug())]
    BadCharacter {
        /// The character that is wrong.
        character: char,
        /// The character, counted from one.
        position: usize,
        /// The byte, counted from zero.
        offset: usize,
        /// What may stand there instead.
        allowed: &'static str,
    },
}

/// Whether a name may have several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dots {
    /// Dots join parts.
    Join,
    /// The name is one part.
    Refuse,
}

impl Dots {
    const fn allowed(self) -> &'static str {
        match self {
            Self::Join => "use ASCII letters, digits, `_`, `-`, and `.` between parts",
            Self::Refuse => "use ASCII letters, digits, `_` and `-`",
        }
    }
}

impl NameError {
    /// The byte at which the text goes wrong, counted from zero.
    pub const fn offset(&self) -> usize {
        match self {
            Self::Empty => 0,
            Self::EmptyPart { offset, .. }
            | Self::BadStart { offset, .. }
            | Self::BadCharacter { offset, .. } => *offset,
        }
    }

    /// Passes a safe name and refuses anything else at its first wrong character.
    pub(crate) fn check(text: &str, dots: Dots) -> Result<(), Self> {
        if text.is_empty() {
            return Err(Self::Empty);
        }
        let mut part_begins = true;
        let mut position = 0;
        for (offset, character) in text.char_indices() {
            position += 1;
            match character {
                'a'..='z' | 'A'..='Z' => part_begins = false,
                '0'..='9' | '_' | '-' if !part_begins => {}
                '0'..='9' | '_' | '-' => return Err(Self::BadStart { character, position, offset }),
                '.' if dots == Dots::Join && part_begins => return Err(Self::EmptyPart { position, offset }),
                '.' if dots == Dots::Join => part_begins = true,
                _ => return Err(Self::BadCharacter { character, position, offset, allowed: dots.allowed() }),
            }
        }
        if part_begins {
            return Err(Self::EmptyPart { position: position + 1, offset: text.len() });
        }
        Ok(())
    }
}
