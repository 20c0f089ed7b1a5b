//! The eight permissions of the protocol.

use std::str::FromStr;

use serde_json::{Map, Value, json};

/// A permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Permission {
    /// Reading the visible content of the page.
    ReadContent,
    /// Clicking.
    Click,
    /// Filling in forms and sending them.
    FillForms,
    /// Scrolling.
    Scroll,
    /// Opening other pages of the site.
    Navigate,
    /// Calling the API of the site.
    ApiAccess,
    /// Signing in.
    AutomatedLogin,
    /// Taking structured data out of the page.
    ExtractData,
}

/// A text that names no permission.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a permission; write one of readContent, click, fillForms, scroll, navigate, apiAccess, automatedLogin, extractData"
)]
pub struct UnknownPermission(pub String);

impl Permission {
    /// Every permission, with its word.
    pub const ALL: [(Permission, &'static str); 8] = [
        (Permission::ReadContent, "readContent"),
        (Permission::Click, "click"),
        (Permission::FillForms, "fillForms"),
        (Permission::Scroll, "scroll"),
        (Permission::Navigate, "navigate"),
        (Permission::ApiAccess, "apiAccess"),
        (Permission::AutomatedLogin, "automatedLogin"),
        (Permission::ExtractData, "extractData"),
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl FromStr for Permission {
    type Err = UnknownPermission;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|(_, word)| *word == text).map(|(permission, _)| *permission);
        found.ok_or_else(|| UnknownPermission(text.to_owned()))
    }
}

/// A set of permissions.
///
/// ```
/// use actions_wab::{Permission, Permissions};
///
/// let granted = Permissions::of([Permission::Click, Permission::Scroll]);
/// assert!(granted.grants(Permission::Click) && !granted.grants(Permission::Navigate));
/// assert_eq!(granted.to_json().as_object().unwrap().len(), 8);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions(u8);

impl Permissions {
    /// All of them.
    pub const ALL: Self = Self(0xff);

    /// These.
    pub fn of(permissions: impl IntoIterator<Item = Permission>) -> Self {
        Self(permissions.into_iter().fold(0, |set, one| set | 1 << (one as u8)))
    }

    /// Whether one is granted.
    pub fn grants(self, permission: Permission) -> bool {
        self.0 & 1 << (permission as u8) != 0
    }

    /// Those that both grant.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those that one of them grants.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those that the other does not grant.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The first one that is needed and not granted here.
    pub(crate) fn missing(self, needed: Self) -> Option<Permission> {
        let lacking = needed.without(self);
        Permission::ALL
            .iter()
            .map(|(permission, _)| *permission)
            .find(|permission| lacking.grants(*permission))
    }

    /// All eight, each with whether it is granted.
    pub fn to_json(self) -> Value {
        let pair = |(permission, word): (Permission, &str)| (word.to_owned(), json!(self.grants(permission)));
        Value::Object(Permission::ALL.into_iter().map(pair).collect::<Map<_, _>>())
    }
}
