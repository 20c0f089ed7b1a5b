//! Names and texts are not empty, and a command has a name that agents can call.
//!
//! The name of a command begins with a letter and has only letters, digits, `-` and `_`.
//!
//! Breaks the rule:
//! ```json
//! { "name": "view menu" }
//! ```
//!
//! Instead: write `"name": "viewMenu"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB004", include_str!("wab004_unfit_name.rs"));
