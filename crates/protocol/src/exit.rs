//! The exit codes of the command line.

use std::process::ExitCode;

/// The exit codes of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// The action failed.
    Failed = 1,
    /// The command was used wrongly.
    Usage = 2,
    /// The map or the input is invalid.
    Invalid = 3,
    /// Drift was found, or a recorded case differs.
    Drift = 4,
    /// Refused by policy, or a person is needed.
    Refused = 5,
    /// There is no browser, it was lost, or the network or a transport failed.
    Unavailable = 6,
    /// A defect of this program.
    Bug = 70,
}

impl Exit {
    /// Every exit code, in ascending order.
    pub const ALL: &'static [Exit] = &[
        Self::Done,
        Self::Failed,
        Self::Usage,
        Self::Invalid,
        Self::Drift,
        Self::Refused,
        Self::Unavailable,
        Self::Bug,
    ];

    /// The number the process ends with.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// One sentence that says what the number means.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Done => "Done.",
            Self::Failed => "The action failed.",
            Self::Usage => "The command was used wrongly.",
            Self::Invalid => "The map or the input is invalid.",
            Self::Drift => "Drift was found (`check`), or a recorded case differs (`test`).",
            Self::Refused => "Refused by policy, or a person is needed.",
            Self::Unavailable => "There is no browser, it was lost, or the network or a transport failed.",
            Self::Bug => "A defect of this program; please report it.",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_number_once_in_ascending_order() {
        let codes: Vec<u8> = Exit::ALL.iter().map(|exit| exit.code()).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 70]);
    }
}
