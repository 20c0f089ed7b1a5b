//! The id of a workflow step.

use crate::name_error::{Dots, NameError};

/// The id of a workflow step: a safe name of one part, since `steps.<id>` uses the dot itself.
///
/// ```
/// use actions_protocol::StepId;
/// assert!(StepId::parse("findButton").is_ok());
/// assert!(StepId::parse("find.button").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(String);

impl StepId {
    /// Parses an id; the error names the character that is wrong.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        NameError::check(text, Dots::Refuse)?;
        Ok(Self(text.to_owned()))
    }
}

crate::text::checked_text!(StepId, NameError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_id_has_no_dots() {
        let error = StepId::parse("find.button").unwrap_err();
        insta::assert_snapshot!(error, @"`.` at position 5 cannot be in a name; use ASCII letters, digits, `_` and `-`");
        assert_eq!(error.offset(), 4);
    }
}
