//! The operations of a JSON Patch.

use serde::Serialize;
use serde_json::Value;

/// One operation of a JSON Patch.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Operation {
    /// Puts a value in: a new member of an object, or an item in front of the one that has this index.
    Add {
        /// Where, as a JSON pointer.
        path: String,
        /// The value.
        value: Value,
    },
    /// Takes a value out.
    Remove {
        /// Where, as a JSON pointer.
        path: String,
    },
    /// Puts a value in the place of another.
    Replace {
        /// Where, as a JSON pointer.
        path: String,
        /// The value.
        value: Value,
    },
    /// Takes a value out and puts it in elsewhere.
    Move {
        /// Where it was, as a JSON pointer.
        from: String,
        /// Where it is put after it was taken out, as a JSON pointer.
        path: String,
    },
}
