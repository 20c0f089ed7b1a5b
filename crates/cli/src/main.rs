//! The `actions` command.
fn main() {}
