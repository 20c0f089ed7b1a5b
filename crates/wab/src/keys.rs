//! The keys of agents: what each of them may do.

use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::permission::{Permission, Permissions, UnknownPermission};

/// The shortest and the longest key.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=512;
/// The largest file of keys.
const LARGEST: u64 = 1 << 20;

/// Why keys cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeysError {
    /// A key is too short or too long.
    #[error("the key of `{agent}` has fewer than 8 or more than 512 characters")]
    Length {
        /// The agent.
        agent: String,
    },
    /// A permission is unknown.
    #[error("the key of `{agent}`: {unknown}")]
    Permission {
        /// The agent.
        agent: String,
        /// The word.
        unknown: UnknownPermission,
    },
    /// The file cannot be read.
    #[error("the keys cannot be read: {0}")]
    File(#[from] std::io::Error),
    /// The file is not as it should be.
    #[error(
        "the keys cannot be read: {0}; write {{\"keys\": [{{\"agent\": NAME, \"key\": TEXT, \"permissions\": [...]}}]}}"
    )]
    Form(#[from] serde_json::Error),
}

/// The key of an agent. Only its digest is kept, so the time of a comparison says nothing of it.
#[derive(Clone, Debug)]
struct Key {
    digest: [u8; 32],
    agent: String,
    permissions: Permissions,
}

/// The keys of agents. Without any, no session can begin.
///
/// ```
/// use actions_wab::{Keys, Permission, Permissions};
///
/// let keys = Keys::default().with("reader", "a-long-key", Permissions::of([Permission::ReadContent]))?;
/// # Ok::<(), actions_wab::KeysError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Keys {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    keys: Vec<Listed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    agent: String,
    key: String,
    permissions: Option<Vec<String>>,
}

impl Keys {
    /// Adds a key of an agent. Its sessions have these permissions, as far as the bridge grants them.
    pub fn with(
        mut self,
        agent: impl Into<String>,
        key: &str,
        permissions: Permissions,
    ) -> Result<Self, KeysError> {
        let agent = agent.into();
        if !LENGTHS.contains(&key.len()) {
            return Err(KeysError::Length { agent });
        }
        self.keys.push(Key { digest: Sha256::digest(key).into(), agent, permissions });
        Ok(self)
    }

    /// Reads a file of keys. A key without `permissions` has all of them.
    pub fn read(path: &Path) -> Result<Self, KeysError> {
        let size = std::fs::metadata(path)?.len();
        if size > LARGEST {
            return Err(std::io::Error::other(format!("the file has {size} bytes")).into());
        }
        let file: File = serde_json::from_slice(&std::fs::read(path)?)?;
        file.keys.into_iter().try_fold(Self::default(), |keys, listed| {
            let permissions = match &listed.permissions {
                None => Permissions::ALL,
                Some(words) => {
                    let parsed: Result<Vec<Permission>, _> = words.iter().map(|word| word.parse()).collect();
                    let of_agent = |unknown| KeysError::Permission { agent: listed.agent.clone(), unknown };
                    Permissions::of(parsed.map_err(of_agent)?)
                }
            };
            keys.with(listed.agent, &listed.key, permissions)
        })
    }

    /// The agent of a key and its permissions.
    pub(crate) fn find(&self, key: &str) -> Option<(&str, Permissions)> {
        let digest: [u8; 32] = Sha256::digest(key).into();
        self.keys
            .iter()
            .find(|known| known.digest == digest)
            .map(|known| (known.agent.as_str(), known.permissions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Keys, KeysError> {
        let path = std::env::temp_dir().join(format!("wab-keys-{}-{}", std::process::id(), text.len()));
        std::fs::write(&path, text).expect("the folder is writable");
        let keys = Keys::read(&path);
        std::fs::remove_file(&path).expect("the file is there");
        keys
    }

    #[test]
    fn a_file_of_keys_says_what_each_agent_may_do() {
        let keys = read(
            r#"{ "keys": [
                { "agent": "clerk", "key": "key-of-the-clerk" },
                { "agent": "reader", "key": "key-of-the-reader", "permissions": ["readContent"] }
            ] }"#,
        )
        .expect("good keys");
        assert_eq!(keys.find("key-of-the-clerk"), Some(("clerk", Permissions::ALL)));
        let reader = Permissions::of([Permission::ReadContent]);
        assert_eq!(keys.find("key-of-the-reader"), Some(("reader", reader)));
        assert_eq!(keys.find("another-key"), None);
    }

    #[test]
    fn a_key_that_is_short_and_a_permission_that_is_unknown_are_refused() {
        let short = read(r#"{ "keys": [{ "agent": "a", "key": "short" }] }"#);
        assert!(matches!(short, Err(KeysError::Length { agent }) if agent == "a"));
        let odd = read(r#"{ "keys": [{ "agent": "a", "key": "long-enough", "permissions": ["fly"] }] }"#);
        assert!(matches!(odd, Err(KeysError::Permission { .. })));
        assert!(matches!(read("{}"), Err(KeysError::Form(_))));
    }
}
