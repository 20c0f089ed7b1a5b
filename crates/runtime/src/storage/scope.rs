//! Who may see a map.

use std::fmt;

/// Who may see a map. Scopes are ordered by precedence: what a private map declares hides the same name of a shared map,
/// and that of a public one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Its owner.
    #[default]
    Private,
    /// An audience.
    Shared(String),
    /// Everyone.
    Public,
}

impl Scope {
    /// The scope of a word of `storage.json`; `name` is the audience of a shared mount.
    pub(super) fn of_word(word: &str, name: &str) -> Option<Self> {
        match word {
            "private" => Some(Scope::Private),
            "public" => Some(Scope::Public),
            "shared" => Some(Scope::Shared(name.to_owned())),
            _ => word.strip_prefix("shared/").map(|audience| Scope::Shared(audience.to_owned())),
        }
    }

    /// The scope of a repository folder, such as `actions.json.storage.shared.team`.
    pub(super) fn of_repository(folder: &str) -> Option<Self> {
        match folder.strip_prefix("actions.json.storage.")? {
            "private" => Some(Scope::Private),
            "public" => Some(Scope::Public),
            other => other.strip_prefix("shared.").map(|audience| Scope::Shared(audience.to_owned())),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Private => f.write_str("private"),
            Scope::Shared(audience) => write!(f, "shared/{audience}"),
            Scope::Public => f.write_str("public"),
        }
    }
}
