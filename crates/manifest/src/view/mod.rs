//! What several rules look at, walked once.

pub(crate) mod declared;
pub(crate) mod schemas;
pub(crate) mod slots;
