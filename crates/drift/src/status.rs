//! How a check ended.

use serde::{Deserialize, Serialize};

/// How a check ended. Only `failed` is drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The site still matches the map.
    Passed,
    /// The site no longer matches the map.
    Failed,
    /// It was not looked at; the error says why.
    Skipped,
    /// The site does not answer, answers with a server error, or shows nothing.
    SiteDown,
    /// A login stands in front of the page.
    AuthLost,
    /// Something refuses visitors or stands in front of the page: a bot wall, a consent wall.
    Blocked,
    /// The check itself went wrong.
    Error,
}

impl Status {
    /// Every status, in the order in which they are counted.
    pub const ALL: &'static [Status] = &[
        Self::Passed,
        Self::Failed,
        Self::Skipped,
        Self::SiteDown,
        Self::AuthLost,
        Self::Blocked,
        Self::Error,
    ];

    /// The status as it stands in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::SiteDown => "site_down",
            Self::AuthLost => "auth_lost",
            Self::Blocked => "blocked",
            Self::Error => "error",
        }
    }

    /// Whether the site kept the check from being made.
    pub fn is_unreachable(self) -> bool {
        matches!(self, Self::SiteDown | Self::AuthLost | Self::Blocked)
    }
}
