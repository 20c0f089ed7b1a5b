//! One map of a composition.

use std::sync::Arc;

use actions_protocol::SafeName;

use crate::document::{Document, Node};
use crate::finding::Slots;
use crate::model::{Manifest, Scope, Slot, Trust};

/// One map of a composition.
#[derive(Debug)]
pub struct Part {
    pub(crate) document: Arc<Document>,
    pub(crate) manifest: Option<Manifest>,
    pub(super) slots: Slots,
    pub(super) namespace: Option<SafeName>,
    pub(super) trust: Trust,
    pub(crate) importer: Option<usize>,
}

impl Part {
    /// The text with positions.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// The typed model; absent when even the root could not be read.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// The pages it applies to.
    pub fn scope(&self) -> Option<&Scope> {
        self.manifest.as_ref().and_then(|manifest| manifest.scope.as_ref())
    }

    /// The compiled slot a string holds, if it is one.
    pub(crate) fn slot(&self, string: Node<'_>) -> Option<&Slot> {
        string.as_str().and_then(|_| self.slots.get(&string.id()))
    }

    /// The prefix of its names, with the namespaces of its importers in front.
    pub fn namespace(&self) -> Option<&SafeName> {
        self.namespace.as_ref()
    }

    /// How far it is trusted: no further than the maps it is imported through.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Whether it was imported.
    pub fn is_imported(&self) -> bool {
        self.importer.is_some()
    }

    /// Whether it may be given privileged primitives.
    pub fn may_be_privileged(&self) -> bool {
        !matches!(self.trust, Trust::Public | Trust::Unknown)
    }

    /// The name under which something of this part is exposed.
    pub fn exposed_name(&self, name: &SafeName) -> SafeName {
        match &self.namespace {
            Some(namespace) => name.with_namespace(namespace),
            None => name.clone(),
        }
    }
}
