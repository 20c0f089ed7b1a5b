//! One way in which a value does not fit its schema.

use std::fmt;

use serde::Serialize;

/// One thing in a value that does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchemaError {
    /// Where in the value, as a JSON pointer; empty for the value as a whole.
    pub pointer: String,
    /// The keyword of the schema that is not met.
    pub keyword: String,
    /// What is wrong and what would be right. It never repeats the value, which may be secret.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => f.write_str(&self.message),
            pointer => write!(f, "`{pointer}` {}", self.message),
        }
    }
}
