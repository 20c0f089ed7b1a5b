//! The store of credentials: those of a file, and those that only this process knows.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::file::{Entry, FileError, change, read};
use super::{Credential, Scheme};

/// Credentials for sites, by origin and system.
///
/// ```
/// use actions_interop::credentials::{Credential, Credentials, Scheme, Secret};
///
/// let store = Credentials::in_memory();
/// let token = Credential { scheme: Scheme::Bearer, secret: Secret::new("abc"), header: None };
/// store.set("https://shop.example", "awp", token)?;
/// assert!(store.find("https://shop.example", "awp")?.is_some());
/// assert!(store.find("https://other.example", "awp")?.is_none());
/// # Ok::<(), actions_interop::credentials::FileError>(())
/// ```
#[derive(Debug, Default)]
pub struct Credentials {
    /// Where they are kept; only in memory if absent.
    path: Option<PathBuf>,
    memory: Mutex<Vec<Entry>>,
}

/// Credentials as they are listed: without the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The site.
    pub origin: String,
    /// The system.
    pub system: String,
    /// How they are sent.
    pub scheme: Scheme,
    /// The header, if the site wants one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

impl Credentials {
    /// Credentials that end with the process.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// The credentials in a file, which need not exist. It is created readable by its owner alone.
    pub fn in_file(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), memory: Mutex::default() }
    }

    /// The usual file: what `ACTIONS_CREDENTIALS` names, else `actions/credentials.json` in the user's folder of settings. In
    /// memory if the user has no such folder.
    pub fn usual() -> Self {
        let variable =
            |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let settings = || variable("XDG_CONFIG_HOME").or_else(|| Some(variable("HOME")?.join(".config")));
        let path =
            variable("ACTIONS_CREDENTIALS").or_else(|| Some(settings()?.join("actions/credentials.json")));
        path.map_or_else(Self::in_memory, Self::in_file)
    }

    /// The file, if they are kept in one.
    pub fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    /// The credentials for a site.
    pub fn find(&self, origin: &str, system: &str) -> Result<Option<Credential>, FileError> {
        let is_it = |entry: &&Entry| entry.origin == origin && entry.system == system;
        let found = self.entries()?;
        Ok(found.iter().find(is_it).map(|entry| entry.credential.clone()))
    }

    /// Keeps credentials for a site, in place of those that were kept.
    pub fn set(&self, origin: &str, system: &str, credential: Credential) -> Result<(), FileError> {
        let entry = Entry { origin: origin.to_owned(), system: system.to_owned(), credential };
        self.change(|entries| {
            entries.retain(|known| known.origin != entry.origin || known.system != entry.system);
            entries.push(entry);
        })
    }

    /// Forgets the credentials for a site: of one system, or of all. Returns how many there were.
    pub fn remove(&self, origin: &str, system: Option<&str>) -> Result<usize, FileError> {
        let mut removed = 0;
        self.change(|entries| {
            let before = entries.len();
            entries.retain(|known| {
                known.origin != origin || system.is_some_and(|system| known.system != system)
            });
            removed = before - entries.len();
        })?;
        Ok(removed)
    }

    /// What there is, without the secrets.
    pub fn list(&self) -> Result<Vec<Listed>, FileError> {
        let listed = |entry: Entry| Listed {
            origin: entry.origin,
            system: entry.system,
            scheme: entry.credential.scheme,
            header: entry.credential.header,
        };
        let mut list: Vec<Listed> = self.entries()?.into_iter().map(listed).collect();
        list.sort_by(|a, b| (&a.origin, &a.system).cmp(&(&b.origin, &b.system)));
        Ok(list)
    }

    fn entries(&self) -> Result<Vec<Entry>, FileError> {
        match &self.path {
            Some(path) => read(path),
            None => Ok(self.memory.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        }
    }

    fn change(&self, with: impl FnOnce(&mut Vec<Entry>)) -> Result<(), FileError> {
        match &self.path {
            Some(path) => change(path, with),
            None => {
                with(&mut self.memory.lock().unwrap_or_else(PoisonError::into_inner));
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::credentials::Secret;

    fn token(secret: &str) -> Credential {
        Credential { scheme: Scheme::Bearer, secret: Secret::new(secret), header: None }
    }

    #[test]
    fn credentials_are_kept_in_a_file_of_the_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/credentials.json");
        let store = Credentials::in_file(&path);
        store.set("https://a.example", "awp", token("one")).unwrap();
        store.set("https://a.example", "awp", token("two")).unwrap();
        store.set("https://a.example", "awas", token("three")).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let found = Credentials::in_file(&path).find("https://a.example", "awp").unwrap().unwrap();
        assert_eq!(found.secret.expose(), "two");
        assert_eq!(store.list().unwrap().len(), 2);
        assert!(!serde_json::to_string(&store.list().unwrap()).unwrap().contains("two"));
        assert_eq!(store.remove("https://a.example", Some("awas")).unwrap(), 1);
        assert_eq!(store.remove("https://a.example", None).unwrap(), 1);
        assert!(store.list().unwrap().is_empty());
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.json");
        let store = Credentials::in_file(&path);
        store.set("https://a.example", "awp", token("one")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(matches!(store.find("https://a.example", "awp"), Err(FileError::Open { .. })));
    }

    #[test]
    fn links_and_damaged_files_are_refused_without_repeating_them() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "a-secret-token").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let error = Credentials::in_file(&file).list().unwrap_err();
        assert!(!error.to_string().contains("a-secret-token"), "{error}");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(matches!(Credentials::in_file(&link).list(), Err(FileError::Io { .. })));
    }
}
