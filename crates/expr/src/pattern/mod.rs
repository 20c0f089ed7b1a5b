//! Regular expressions: JavaScript's, on an engine that never backtracks.
//!
//! JSONata takes its regular expressions from JavaScript. They are run here by an engine that needs time in proportion
//! to the text, whatever the pattern, and so cannot look around or refer back. Everything else is translated; what
//! cannot be is refused when the expression is compiled.
//!
//! Three differences remain. With the flag `i` the case of a few letters outside ASCII is folded as in Unicode. A group
//! inside a repetition keeps what it matched in an earlier round, where JavaScript forgets it. And `\B` looks at the
//! letters of all languages, where JavaScript looks only at ASCII.

mod class;
mod translate;

pub(crate) use translate::translate;

#[cfg(test)]
mod tests;
