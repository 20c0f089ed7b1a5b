//! Values that one call of a session stores for another.

use std::sync::{Mutex, MutexGuard, PoisonError};

use actions_protocol::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TransferFormat {
    /// A text.
    #[serde(rename = "text/plain")]
    Text,
    /// Any JSON value.
    #[serde(rename = "application/json")]
    Json,
    /// Addresses, one per line.
    #[serde(rename = "text/uri-list")]
    UriList,
}

/// What is known about a stored value, without the value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TransferRecord {
    /// Its id, such as `transfer_1`.
    pub(crate) id: String,
    /// The label to find it by.
    pub(crate) label: String,
    /// Its format.
    pub(crate) format: TransferFormat,
    /// Where it comes from.
    pub(crate) source: TransferSource,
    /// When it was written.
    pub(crate) created_at: Timestamp,
    /// When it expires.
    pub(crate) expires_at: Timestamp,
    /// Its size in bytes.
    pub(crate) size_bytes: usize,
    /// A description that does not reveal the value.
    pub(crate) safe_preview: String,
    /// How many items an array or list has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record_count: Option<usize>,
    /// What the writer noted.
    pub(crate) metadata: Map<String, Value>,
}

/// Where a stored value comes from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TransferSource {
    /// The address of the page it was written from.
    pub(crate) url: String,
}

/// A stored value.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub(crate) record: TransferRecord,
    pub(crate) value: Value,
    /// When it expires, in milliseconds since 1970.
    pub(crate) expires_ms: u64,
}

/// By what a stored value is found.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TransferKey {
    Label(String),
    Id(String),
}

/// The stored values of a session.
#[derive(Debug, Default)]
pub struct Transfers {
    store: Mutex<Store>,
}

#[derive(Debug, Default)]
pub(crate) struct Store {
    values: Vec<Transfer>,
    /// How many values were ever stored.
    written: u64,
}

impl Transfers {
    /// The stored values, locked.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TransferKey {
    fn fits(&self, record: &TransferRecord) -> bool {
        match self {
            Self::Label(label) => record.label == *label,
            Self::Id(id) => record.id == *id,
        }
    }
}

impl Store {
    /// An id that no value of the session had.
    pub(crate) fn next_id(&mut self) -> String {
        self.written += 1;
        format!("transfer_{}", self.written)
    }

    /// Keeps a value in the place of the one with the same label.
    pub(crate) fn keep(&mut self, transfer: Transfer) {
        self.values.retain(|known| known.record.label != transfer.record.label);
        self.values.push(transfer);
    }

    /// Finds a value, expired or not.
    pub(crate) fn find(&self, key: &TransferKey) -> Option<&Transfer> {
        self.values.iter().find(|known| key.fits(&known.record))
    }

    /// Forgets a value, or all of them, and returns how many it forgot.
    pub(crate) fn forget(&mut self, key: Option<&TransferKey>) -> usize {
        let before = self.values.len();
        self.values.retain(|known| key.is_some_and(|key| !key.fits(&known.record)));
        before - self.values.len()
    }
}
