//! The words on the wire: the one table of error codes and, with it, everything that crosses a process border.

mod error_code;

pub use error_code::{ErrorCode, Exit, Severity};
