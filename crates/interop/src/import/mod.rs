//! Makes a map of a document of another system, whatever system that is.

pub mod live;

use actions_manifest::Finding;
use serde_json::Value;

use crate::classify::{System, classify};
pub use crate::document::{ImportError, Prefer, Source, Wishes};
use crate::record::{ImportedSite, safe_name};
use crate::{awas, awp, wab};

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
        Some(System::Wab) => wab::import(source, wishes)?,
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
