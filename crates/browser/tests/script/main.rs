//! Tests of the page script in a real browser, on the pages in `fixtures/script`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod cases;
mod closed_roots;
mod gestures;
mod large_trees;
mod names;
mod stage;
