//! Cookies and storage of a context, as one JSON document.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Cookies and storage of a context, as one JSON document.
///
/// The document is a superset of the storage state that Playwright writes, so such files can be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    /// Every cookie.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// What each origin stored.
    #[serde(default)]
    pub origins: Vec<OriginState>,
}

/// A cookie.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host it belongs to; with a dot in front, its subdomains too.
    pub domain: String,
    /// The path it belongs to.
    #[serde(default = "root")]
    pub path: String,
    /// When it ends, in seconds since 1970; -1 with the session.
    #[serde(default = "session")]
    pub expires: f64,
    /// Whether scripts may not see it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is sent over secure connections only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// The site of the top-level page it is bound to, if it is partitioned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<String>,
}

/// What one origin stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginState {
    /// The origin, such as `https://example.com`.
    pub origin: String,
    /// Its local storage.
    #[serde(default)]
    pub local_storage: Vec<StorageItem>,
    /// Its session storage, of the first page that had one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_storage: Vec<StorageItem>,
    /// Its databases, in the page script's own notation.
    #[serde(default, rename = "indexedDB", skip_serializing_if = "Vec::is_empty")]
    pub indexed_db: Vec<Value>,
}

/// One item of a storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageItem {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

fn root() -> String {
    "/".to_owned()
}

fn session() -> f64 {
    -1.0
}
