//! Findings as people and machines read them.

pub(crate) mod github;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod sarif;
