//! Makes a map of a document of another system, whatever system that is.

mod error;
pub mod live;
mod site;
mod slot;
mod source;

use actions_manifest::{Finding, Profile};
use serde_json::Value;

pub use error::ImportError;
pub(crate) use site::{Refused, Site, names_in};
pub(crate) use slot::{given, slot};
pub use source::Source;

use crate::classify::{System, classify};
use crate::record::{ImportedSite, safe_name};
use crate::{awas, awp};

/// What the caller wants of an import.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The system that the document must be of; its content decides if absent.
    pub system: Option<System>,
    /// The prefix of the names of the tools; the host of the site if absent.
    pub namespace: Option<String>,
    /// How strictly the document is read.
    pub profile: Profile,
    /// Whether pages or requests are preferred where an action allows both.
    pub prefer: Option<Prefer>,
    /// Whether a document is used that an intermediary made.
    pub allow_synthetic: bool,
    /// Whether a result that does not fit what the site declares is an error.
    pub strict_results: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            system: None,
            namespace: None,
            profile: Profile::Lenient,
            prefer: None,
            allow_synthetic: false,
            strict_results: false,
        }
    }
}

/// How an action is called if it can be called in both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// By a request.
    Http,
    /// In the page.
    Browser,
}

/// A map that was made of a document of another system.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The actions, as records.
    pub site: ImportedSite,
    /// The map, valid by the strict rules.
    pub map: Value,
    /// What is wrong or odd about the document.
    pub findings: Vec<Finding>,
}

/// Makes a map of a document. Its content decides what system it is of, never its name.
pub fn import(source: &Source, wishes: &Wishes) -> Result<Imported, ImportError> {
    let value: Value = serde_json::from_slice(&source.bytes)
        .map_err(|error| ImportError::NotJson { name: source.name.clone(), reason: error.to_string() })?;
    let classified = classify(&value);
    let system = classified.system;
    if let Some(wanted) = wishes.system.filter(|wanted| Some(*wanted) != system) {
        return Err(ImportError::OtherSystem { name: source.name.clone(), wanted, found: system });
    }
    let (site, findings) = match system {
        Some(System::Awas) => awas::import(source, wishes)?,
        Some(System::Awp) => awp::import(source, wishes)?,
        Some(other) => return Err(ImportError::NotImported { name: source.name.clone(), system: other }),
        None => {
            let what = classified.note.unwrap_or("unrelated JSON");
            return Err(ImportError::Unrelated { name: source.name.clone(), what });
        }
    };
    let mut site = site;
    if let Some(namespace) = &wishes.namespace {
        site.namespace = safe_name(namespace);
    }
    site.leave_out_dependent();
    let (site, map) = site.into_map()?;
    Ok(Imported { site, map, findings })
}
