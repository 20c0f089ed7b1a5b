//! Who may call what: a port that is asked about every call of a client before the call reaches a page.

use std::fmt::Debug;

use actions_engine::{CallError, PolicyFacts};

/// A client, as far as it says who it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// Its name.
    pub name: Option<String>,
    /// Its name and version, as programs write them for each other.
    pub user_agent: Option<String>,
}

/// What a client calls.
#[derive(Clone, Copy, Debug)]
pub struct Called<'c> {
    /// The tool or the primitive.
    pub name: &'c str,
    /// Whether it may change something.
    pub mutating: bool,
    /// What else is known of the tool; absent for a primitive.
    pub facts: Option<&'c PolicyFacts>,
}

/// Decides which clients may call what.
pub trait Admission: Send + Sync + Debug {
    /// Fails if the client may not call this.
    fn admit(&self, caller: &Caller, called: &Called<'_>) -> Result<(), CallError>;
}
