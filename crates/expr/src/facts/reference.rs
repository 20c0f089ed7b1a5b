//! What an expression reads of its scope.

use crate::Place;

/// A path that is read from the root of the scope, such as `records.lists.name`, as far as it is written out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathReference {
    /// Its names in order, at least one; indexes and predicates are left out.
    pub names: Vec<PathName>,
}

/// One name of a path, and where it stands in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathName {
    /// The place of the name, quotes included.
    pub place: Place,
    /// The name.
    pub text: String,
}

/// A read of `steps.<id>` and of the fields below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepReference {
    /// The byte offset of the id in the source.
    pub offset: usize,
    /// The length of the id in bytes, quotes included.
    pub len: usize,
    /// The id of the step.
    pub id: String,
    /// The fields that are read below the step, such as `["output", "clickable_center", "x"]`, as far as they are
    /// written out. Indexes and predicates are left out: `steps.list.items[0].ok` has the path `["items", "ok"]`.
    pub path: Vec<String>,
}

/// A read of `input` and of the fields below it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputReference {
    /// The byte offset of the first field in the source, or of `input` itself when the path is empty.
    pub offset: usize,
    /// The length of that name in bytes, quotes included.
    pub len: usize,
    /// The fields that are read; empty when the input is used as a whole.
    pub path: Vec<String>,
}

/// A variable or function that is used but never defined, such as a misspelt `$uppercas`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableReference {
    /// The place of the variable in the source, `$` included.
    pub place: Place,
    /// Its name, without the `$`.
    pub name: String,
}

/// A name that is read from the root of the scope, such as `input`, or a misspelt `step`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RootReference {
    /// The byte offset of the name in the source.
    pub offset: usize,
    /// The length of the name in bytes, quotes included.
    pub len: usize,
    /// The name.
    pub name: String,
}
