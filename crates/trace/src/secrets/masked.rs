//! Data that cannot contain a known secret.

use std::fmt;
use std::ops::Deref;

use actions_protocol::ErrorObject;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Secrets;

/// A copy of data in which every known secret is masked. Only [`Secrets::mask`] makes one, or reading back what was
/// written, so a field of this type cannot be filled by code that forgot to mask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Masked<T>(T);

impl<T> Masked<T> {
    pub(crate) fn new(data: T) -> Self {
        Self(data)
    }

    /// The data, without the promise.
    pub fn into_inner(self) -> T {
        self.0
    }

    /// Another form of the same data. The conversion must not add anything that was not masked.
    pub fn convert<U: for<'t> From<&'t T>>(&self) -> Masked<U> {
        Masked(U::from(&self.0))
    }
}

impl<T> Deref for Masked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Masked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Data that can contain a secret.
pub trait Maskable: ToOwned {
    /// A copy in which every known secret is masked.
    fn masked(&self, secrets: &Secrets) -> Self::Owned;
}

impl Maskable for str {
    fn masked(&self, secrets: &Secrets) -> String {
        secrets.masked_text(self)
    }
}

impl Maskable for Value {
    fn masked(&self, secrets: &Secrets) -> Value {
        secrets.masked_value(self)
    }
}

impl Maskable for Map<String, Value> {
    fn masked(&self, secrets: &Secrets) -> Self {
        self.iter().map(|(key, member)| (secrets.masked_text(key), secrets.masked_value(member))).collect()
    }
}

impl Maskable for ErrorObject {
    fn masked(&self, secrets: &Secrets) -> Self {
        Self {
            message: secrets.masked_text(&self.message),
            evidence: self.evidence.as_ref().map(|evidence| evidence.masked(secrets)),
            next_step: self.next_step.as_ref().map(|next_step| secrets.masked_text(next_step)),
            extra: self.extra.masked(secrets),
            ..self.clone()
        }
    }
}
