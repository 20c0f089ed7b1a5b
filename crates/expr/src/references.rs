//! What an expression reads of its scope, as far as its source tells.

/// A read of `steps.<id>` and of the fields below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReference {
    /// The id of the step.
    pub id: String,
    /// The fields that are read below the step, such as `["output", "clickable_center", "x"]`.
    pub path: Vec<String>,
    /// The byte offset of the id in the source.
    pub offset: usize,
    /// The length of the id in bytes, quotes included.
    pub len: usize,
}

/// A read of `input` and of the fields below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputReference {
    /// The fields that are read; empty when the whole input is used.
    pub path: Vec<String>,
    /// The byte offset of the first field in the source, or of `input` itself when the path is empty.
    pub offset: usize,
    /// The length of that name in bytes, quotes included.
    pub len: usize,
}

/// A name that is read from the root of the scope, such as `input`, or a misspelt `step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootReference {
    /// The name.
    pub name: String,
    /// The byte offset of the name in the source.
    pub offset: usize,
    /// The length of the name in bytes, quotes included.
    pub len: usize,
}
