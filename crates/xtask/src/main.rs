//! Tasks of a contributor.
fn main() {}
