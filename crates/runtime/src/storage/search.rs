//! Looks for maps in the folders of a storage root.

use std::fs::{DirEntry, read_dir};
use std::io::ErrorKind;
use std::path::Path;

use super::{Scope, StorageError, StoredMap};

/// The file name of a map.
const MAP: &str = "actions.json";

/// The folder of the sites of a scope.
const SITES: &str = "sites";

/// Folders that are not looked into: copies kept as proof, version control, dependencies, build output.
const NOT_SEARCHED: &[&str] = &["proof", ".git", "node_modules", "dist"];

/// How many files and folders a search looks at.
const MOST_ENTRIES: usize = 100_000;

/// How deep a map may lie below its host.
const DEEPEST: usize = 12;

/// The folders of a root that hold scopes, without those of shared scopes.
const SCOPES: &[(&str, Scope)] = &[
    ("", Scope::Private),
    ("private", Scope::Private),
    ("public", Scope::Public),
    ("scopes/private", Scope::Private),
    ("scopes/public", Scope::Public),
];

/// The folders whose folders are audiences.
const SHARED: &[&str] = &["shared", "scopes/shared"];

/// A search and what it found.
#[derive(Default)]
pub(super) struct Search {
    pub(super) found: Vec<StoredMap>,
    looked_at: usize,
}

/// Whether a folder holds sites in one of the layouts of a storage root.
pub(super) fn has_sites(folder: &Path) -> bool {
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|found| found.is_dir());
    SCOPES.iter().any(|(scope, _)| is_folder(&folder.join(scope).join(SITES)))
        || SHARED.iter().any(|shared| is_folder(&folder.join(shared)))
        || read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| entry.file_name().to_str().is_some_and(|name| Scope::of_repository(name).is_some()))
}

impl Search {
    /// Looks in every place of a root that a layout knows.
    pub(super) fn root(&mut self, folder: &Path) -> Result<(), StorageError> {
        for (scope_folder, scope) in SCOPES {
            self.mount(&folder.join(scope_folder), scope.clone())?;
        }
        for shared in SHARED {
            for (entry, audience) in self.folders(&folder.join(shared))? {
                self.mount(&entry.path(), Scope::Shared(audience))?;
            }
        }
        for (entry, name) in self.folders(folder)? {
            if let Some(scope) = Scope::of_repository(&name) {
                self.mount(&entry.path(), scope)?;
            }
        }
        Ok(())
    }

    /// Looks at the sites of one scope.
    pub(super) fn mount(&mut self, folder: &Path, scope: Scope) -> Result<(), StorageError> {
        for (entry, host) in self.folders(&folder.join(SITES))? {
            self.site(&entry.path(), &scope, &host, &mut Vec::new())?;
        }
        Ok(())
    }

    fn site(
        &mut self,
        folder: &Path,
        scope: &Scope,
        host: &str,
        surface: &mut Vec<String>,
    ) -> Result<(), StorageError> {
        let map = folder.join(MAP);
        if map.symlink_metadata().is_ok_and(|found| found.is_file()) {
            let (scope, host, surface) = (scope.clone(), host.to_owned(), surface.clone());
            self.found.push(StoredMap { scope, host, surface, path: map });
        }
        if surface.len() == DEEPEST {
            return Ok(());
        }
        for (entry, name) in self.folders(folder)? {
            surface.push(name);
            self.site(&entry.path(), scope, host, surface)?;
            surface.pop();
        }
        Ok(())
    }

    /// The folders in a folder, in the order of their names; none if it does not exist. Links are no folders.
    fn folders(&mut self, folder: &Path) -> Result<Vec<(DirEntry, String)>, StorageError> {
        let unreadable = |error| StorageError::Unreadable { path: folder.to_owned(), error };
        let is_link = folder.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let entries = match read_dir(folder) {
            _ if is_link => return Ok(Vec::new()),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            entries => entries.map_err(unreadable)?,
        };
        let mut folders = Vec::new();
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            self.looked_at += 1;
            if self.looked_at > MOST_ENTRIES {
                return Err(StorageError::TooLarge { path: folder.to_owned(), limit: MOST_ENTRIES });
            }
            let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
            // A name that is not text names no host.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_folder && !NOT_SEARCHED.contains(&name.as_str()) {
                folders.push((entry, name));
            }
        }
        folders.sort_by(|(_, a), (_, b)| a.cmp(b));
        Ok(folders)
    }
}
