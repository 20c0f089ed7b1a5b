//! `actions.lock.json`: what each target of a map matched when the map was last known to be right.
//!
//! The file stands beside its map and is reviewed like it. It is sorted, and an entry is rewritten only when what it says
//! has changed, so that its history is that of the site. Of the text of pages it holds names and digests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::mark::Mark;
use crate::target::{Target, digest};

/// The version of the format.
const VERSION: u32 = 1;

/// The most bytes of a lock file.
pub const MAX_LOCK_BYTES: u64 = 16 * 1024 * 1024;

/// The lock of one map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// The version of the format.
    version: u32,
    /// The pages that were looked at, by address.
    #[serde(default)]
    pages: BTreeMap<String, LockedPage>,
    /// The targets, by their JSON pointers.
    #[serde(default)]
    targets: BTreeMap<String, LockedTarget>,
}

/// A page as the lock knows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LockedPage {
    /// The language it declares.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) language: String,
    /// Digests of the roles and names of everything that could be operated. What was there before is not what a lost
    /// target has become.
    #[serde(default)]
    pub(crate) operable: Vec<String>,
}

/// A target as the lock knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LockedTarget {
    /// The digest of its descriptor.
    pub(crate) digest: String,
    /// The pages on which it matched.
    pub(crate) pages: Vec<String>,
    /// How many elements it matched: 1, or `several` as 2.
    pub(crate) matched: u64,
    /// The key of the descriptor that matched.
    pub(crate) matched_by: String,
    /// The frame, if it is not in the document of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frame: Option<String>,
    /// The first element that it matched.
    #[serde(flatten)]
    pub(crate) mark: Mark,
}

/// A target that was seen on a page.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) pointer: String,
    pub(crate) locked: LockedTarget,
}

impl Lock {
    /// Reads a lock. The text may come from anywhere.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let lock: Self = serde_json::from_str(text)?;
        if lock.version == VERSION {
            return Ok(lock);
        }
        let message = format!("version {} of the format; this program knows version {VERSION}", lock.version);
        Err(serde::de::Error::custom(message))
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let lock = Self { version: VERSION, ..self.clone() };
        serde_json::to_string_pretty(&lock).map(|text| text + "\n").unwrap_or_default()
    }

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.pages.is_empty()
    }

    /// How many targets it knows.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// What it says of a target: by its place, or, when the map was rearranged, by its descriptor.
    pub(crate) fn target(&self, target: &Target) -> Option<&LockedTarget> {
        let digest = target.digest();
        let at_its_place = self.targets.get(&target.pointer).filter(|locked| locked.digest == digest);
        at_its_place.or_else(|| self.targets.values().find(|locked| locked.digest == digest))
    }

    /// What it says of a page.
    pub(crate) fn page(&self, key: &str) -> Option<&LockedPage> {
        self.pages.get(key)
    }

    /// The lock after a look: what was seen replaces what differs, targets that the map no longer has are dropped, and what
    /// was not looked at stays.
    pub(crate) fn updated(
        &self,
        targets: &[Target],
        seen: Vec<Seen>,
        pages: BTreeMap<String, LockedPage>,
    ) -> Self {
        let mut next = Self { version: VERSION, pages: self.pages.clone(), targets: BTreeMap::new() };
        next.pages.extend(pages);
        for target in targets {
            if let Some(kept) = self.target(target) {
                next.targets.insert(target.pointer.clone(), kept.clone());
            }
        }
        for Seen { pointer, locked } in seen {
            next.targets.insert(pointer, locked);
        }
        let used = |page: &String| next.targets.values().any(|target| target.pages.contains(page));
        let unused: Vec<String> = next.pages.keys().filter(|page| !used(page)).cloned().collect();
        unused.iter().for_each(|page| drop(next.pages.remove(page)));
        next
    }
}

impl LockedTarget {
    /// Joins what was seen of one target on one page in two looks.
    pub(crate) fn steadied(self, again: Option<&Self>) -> Self {
        let Some(again) = again else { return self };
        Self { mark: self.mark.steadied(&again.mark), ..self }
    }
}

/// The digests of what can be operated on a page, without those that another look did not find.
pub(crate) fn operable(names: &[String], again: &[String]) -> Vec<String> {
    let mut digests: Vec<String> =
        names.iter().filter(|name| again.contains(name)).map(|name| digest(name)[..8].to_owned()).collect();
    digests.sort();
    digests
}

/// The address of a page as the lock writes it: without fragment, and without the origin of the map.
pub(crate) fn page_key(url: &str, origin: Option<&str>) -> String {
    let url = url.split_once('#').map_or(url, |(url, _)| url);
    let path = origin.and_then(|origin| url.strip_prefix(origin)).filter(|path| path.starts_with('/'));
    path.unwrap_or(url).to_owned()
}
