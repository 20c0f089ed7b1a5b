//! A document that is imported: its bytes, and where they come from.

use sha2::{Digest, Sha256};
use url::Url;

use crate::record::Provenance;

/// A document that is imported: its bytes, and where they come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The address or the file, for people.
    pub name: String,
    /// The address it was fetched from, if it was.
    pub url: Option<Url>,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it was fetched, as a timestamp.
    pub fetched_at: Option<String>,
    /// Its version, by its server.
    pub etag: Option<String>,
}

impl Source {
    /// The bytes of a file.
    pub fn file(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), url: None, bytes, fetched_at: None, etag: None }
    }

    /// The bytes that an address answered with.
    pub fn fetched(url: Url, bytes: Vec<u8>) -> Self {
        Self { name: url.to_string(), url: Some(url), bytes, fetched_at: None, etag: None }
    }

    /// Where a map of this document comes from.
    pub(crate) fn provenance(&self, system: &str, dialect: &str) -> Provenance {
        let digest: String = Sha256::digest(&self.bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Provenance {
            system: system.to_owned(),
            dialect: dialect.to_owned(),
            url: self.name.clone(),
            fetched_at: self.fetched_at.clone(),
            etag: self.etag.clone(),
            sha256: format!("sha256:{digest}"),
            trust: "website".to_owned(),
            confidence: None,
            synthetic: false,
        }
    }
}
