//! Storage roots: folders of maps, ordered by host and by who may see them.
//!
//! A map lies at `sites/HOST/SURFACE…/actions.json`, directly in the root or in the folder of a scope: `private`,
//! `shared/AUDIENCE` or `public`, with or without `scopes/` before it, or a repository folder such as
//! `actions.json.storage.public`. `storage.json` may name more folders as mounts. Links are not followed.

mod description;
mod scope;
mod search;

use std::path::{Path, PathBuf};

pub use description::StorageError;
pub use scope::Scope;

use search::Search;

/// A folder of maps.
#[derive(Clone, Debug)]
pub struct StorageRoot {
    folder: PathBuf,
    maps: Vec<StoredMap>,
}

/// A map in a storage root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct StoredMap {
    /// Who may see it. Private maps come first.
    pub scope: Scope,
    /// The host of its site.
    pub host: String,
    /// The parts of its path below the host.
    pub surface: Vec<String>,
    /// The file.
    pub path: PathBuf,
}

impl StorageRoot {
    /// Reads a folder as a storage root; `None` if it is none: it has neither a `storage.json` nor a folder of sites.
    pub fn open(folder: &Path) -> Result<Option<Self>, StorageError> {
        let described = description::read(folder)?;
        if described.is_none() && !search::has_sites(folder) {
            return Ok(None);
        }
        let mut search = Search::default();
        search.root(folder)?;
        for mount in described.iter().flat_map(|description| &description.mounts) {
            search.mount(&folder.join(&mount.path), mount.scope.clone())?;
        }
        let mut maps = search.found;
        maps.sort();
        maps.dedup_by(|one, other| one.path == other.path);
        Ok(Some(Self { folder: folder.to_owned(), maps }))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Every map, in order of precedence: private, shared, public.
    pub fn maps(&self) -> &[StoredMap] {
        &self.maps
    }

    /// The maps that apply to the host of an address, in order of precedence. Within a scope, a map of the very host comes
    /// before one of a domain above it.
    pub fn for_url(&self, url: &str) -> Vec<&StoredMap> {
        let Some(host) = host(url) else { return Vec::new() };
        let mut maps: Vec<&StoredMap> = self.maps.iter().filter(|map| is_host_of(&map.host, &host)).collect();
        maps.sort_by_key(|map| (map.scope.clone(), std::cmp::Reverse(map.host.len())));
        maps
    }
}

/// Whether a site serves a host: it is the host, with or without `www.`, or a domain above it.
fn is_host_of(site: &str, host: &str) -> bool {
    let site = site.to_ascii_lowercase();
    let bare = host.strip_prefix("www.").unwrap_or(host);
    site == host || site == bare || host.strip_suffix(&site).is_some_and(|rest| rest.ends_with('.'))
}

/// The host of an http or https address, in lower case and without its port.
fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?;
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn shown(root: &StorageRoot) -> Vec<String> {
        let show = |map: &StoredMap| {
            let path = map.path.strip_prefix(root.folder()).unwrap().display();
            format!("{} {} [{}] {path}", map.scope, map.host, map.surface.join("/"))
        };
        root.maps().iter().map(show).collect()
    }

    #[test]
    fn every_layout_is_read_and_ordered_by_scope() {
        let folder = root(&[
            ("sites/a.example/actions.json", "{}"),
            ("scopes/public/sites/a.example/board/actions.json", "{}"),
            ("scopes/shared/team/sites/a.example/actions.json", "{}"),
            ("private/sites/b.example/actions.json", "{}"),
            ("actions.json.storage.shared.club/sites/c.example/x/y/actions.json", "{}"),
            ("actions.json.storage.public/sites/c.example/actions.json", "{}"),
            ("scopes/public/sites/a.example/proof/actions.json", "{}"),
            ("scopes/public/sites/a.example/notes.json", "{}"),
            ("other/sites/d.example/actions.json", "{}"),
        ]);
        let root = StorageRoot::open(folder.path()).unwrap().unwrap();
        insta::assert_snapshot!(shown(&root).join("\n"), @r"
        private a.example [] sites/a.example/actions.json
        private b.example [] private/sites/b.example/actions.json
        shared/club c.example [x/y] actions.json.storage.shared.club/sites/c.example/x/y/actions.json
        shared/team a.example [] scopes/shared/team/sites/a.example/actions.json
        public a.example [board] scopes/public/sites/a.example/board/actions.json
        public c.example [] actions.json.storage.public/sites/c.example/actions.json
        ");
    }

    #[test]
    fn mounts_add_folders_within_the_root_and_others_are_refused() {
        let description = |path: &str| {
            format!(
                r#"{{"protocol":"actions.json.storage","version":"0.1.0","mounts":{{"team":{{"path":"{path}","visibility":"shared"}}}}}}"#
            )
        };
        let files = [("mounted/sites/a.example/actions.json", "{}")];
        let folder = root(&files);
        fs::write(folder.path().join("storage.json"), description("mounted")).unwrap();
        let found = StorageRoot::open(folder.path()).unwrap().unwrap();
        assert_eq!(shown(&found), ["shared/team a.example [] mounted/sites/a.example/actions.json"]);
        for outside in ["../elsewhere", "/etc", "mounted/../.."] {
            fs::write(folder.path().join("storage.json"), description(outside)).unwrap();
            let error = StorageRoot::open(folder.path()).unwrap_err().to_string();
            assert!(error.contains("leaves the storage root"), "{error}");
        }
        fs::write(folder.path().join("storage.json"), "[]").unwrap();
        StorageRoot::open(folder.path()).unwrap_err();
    }

    #[test]
    fn a_folder_without_sites_is_no_root_and_links_are_not_followed() {
        let outside = root(&[("sites/a.example/actions.json", "{}")]);
        let folder = root(&[("actions.json", "{}")]);
        assert!(StorageRoot::open(folder.path()).unwrap().is_none());
        fs::create_dir(folder.path().join("sites")).unwrap();
        std::os::unix::fs::symlink(
            outside.path().join("sites/a.example"),
            folder.path().join("sites/a.example"),
        )
        .unwrap();
        assert!(StorageRoot::open(folder.path()).unwrap().unwrap().maps().is_empty());
    }

    #[test]
    fn the_host_of_an_address_chooses_the_maps() {
        let folder = root(&[
            ("public/sites/example.com/actions.json", "{}"),
            ("public/sites/shop.example.com/actions.json", "{}"),
            ("private/sites/example.com/actions.json", "{}"),
        ]);
        let root = StorageRoot::open(folder.path()).unwrap().unwrap();
        let hosts = |url: &str| -> Vec<String> {
            root.for_url(url).iter().map(|map| format!("{} {}", map.scope, map.host)).collect()
        };
        assert_eq!(hosts("https://www.example.com:8443/a"), ["private example.com", "public example.com"]);
        assert_eq!(
            hosts("https://user@SHOP.example.com/?q"),
            ["private example.com", "public shop.example.com", "public example.com"]
        );
        assert!(hosts("https://badexample.com/").is_empty());
        assert!(hosts("file:///example.com").is_empty());
    }
}
