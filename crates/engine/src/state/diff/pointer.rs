//! A JSON pointer that follows a walk through a value.

use std::fmt::Write;

/// A JSON pointer (RFC 6901) that grows and shrinks while a value is walked.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointer {
    text: String,
}

/// How long a pointer was before it grew.
pub(super) struct Mark(usize);

impl Pointer {
    /// A pointer that is known.
    pub(super) fn from_text(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    /// Goes down to a member.
    pub(super) fn enter_member(&mut self, name: &str) -> Mark {
        let mark = Mark(self.text.len());
        self.text.push('/');
        for character in name.chars() {
            match character {
                '~' => self.text.push_str("~0"),
                '/' => self.text.push_str("~1"),
                other => self.text.push(other),
            }
        }
        mark
    }

    /// Goes down to an item.
    pub(super) fn enter_item(&mut self, index: usize) -> Mark {
        let mark = Mark(self.text.len());
        // Writing to a string cannot fail.
        let _ = write!(self.text, "/{index}");
        mark
    }

    /// Goes back up.
    pub(super) fn leave(&mut self, mark: Mark) {
        self.text.truncate(mark.0);
    }

    /// The pointer to a member.
    pub(super) fn member(&mut self, name: &str) -> String {
        let mark = self.enter_member(name);
        let text = self.text.clone();
        self.leave(mark);
        text
    }

    /// The pointer to an item.
    pub(super) fn item(&self, index: usize) -> String {
        format!("{}/{index}", self.text)
    }

    /// The pointer as it is now.
    pub(super) fn text(&self) -> String {
        self.text.clone()
    }
}
