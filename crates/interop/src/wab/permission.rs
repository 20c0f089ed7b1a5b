//! The permissions of a bridge.

use std::collections::BTreeMap;

use serde_json::Value;

/// Every permission of the protocol.
pub const PERMISSIONS: [&str; 8] =
    ["readContent", "click", "fillForms", "scroll", "navigate", "apiAccess", "automatedLogin", "extractData"];

/// What a bridge grants. A permission that it does not name is not granted.
///
/// ```
/// use actions_interop::wab::permission::Permissions;
/// use serde_json::json;
///
/// let granted = Permissions::of(&json!({ "click": true, "scroll": false }));
/// assert!(granted.grants("click") && !granted.grants("scroll") && !granted.grants("navigate"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    granted: BTreeMap<String, bool>,
}

impl Permissions {
    /// Reads an object of permissions. What is not `true` is not granted.
    pub fn of(value: &Value) -> Self {
        let members = value.as_object().into_iter().flatten().take(100);
        Self {
            granted: members.map(|(name, granted)| (name.clone(), *granted == Value::Bool(true))).collect(),
        }
    }

    /// Whether a permission is granted.
    pub fn grants(&self, permission: &str) -> bool {
        self.granted.get(permission).copied().unwrap_or(false)
    }

    /// Whether nothing is said about any permission.
    pub fn is_empty(&self) -> bool {
        self.granted.is_empty()
    }
}
