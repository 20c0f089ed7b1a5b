//! What a rule is given: one map in every form it has.

use super::View;
use crate::compose::{Composition, Part};
use crate::document::Document;
use crate::model::Manifest;

/// One map as the rules see it.
pub(crate) struct Subject<'a> {
    /// The text with positions.
    pub(crate) document: &'a Document,
    /// The typed model; elements that could not be read are left out of it.
    pub(crate) manifest: &'a Manifest,
    /// The map among those it is composed with.
    pub(crate) part: &'a Part,
    /// All maps that are composed, this one and its imports included.
    pub(crate) composition: &'a Composition,
    /// What several rules look at.
    pub(crate) view: View<'a>,
}
