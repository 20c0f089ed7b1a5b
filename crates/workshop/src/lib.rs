//! Developer tools that need the library itself: fuzzing as a library, which the tests use as well. The tasks that
//! `cargo xtask` runs are in the program `workshop`.

pub mod fuzz;
