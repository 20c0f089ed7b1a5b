//! An action says what it is called and where it is.
//!
//! Without an id and a name, or without a place, it cannot be called and is left out.
//!
//! Breaks the rule:
//! ```json
//! { "actions": [{ "type": "link" }] }
//! ```
//!
//! Instead: add `"id"` and `"path"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS011", include_str!("awas011_action_left_out.rs"));
