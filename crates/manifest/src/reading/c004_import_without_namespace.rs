//! An import has a namespace.
//!
//! The names it brings are prefixed with it, so that they cannot be mistaken for names of the map itself. A map that
//! wants imported names bare says so: `"composition": { "namespace_required": false }`.
//!
//! Breaks the rule:
//! ```json
//! { "id": "shared", "uri": "../shared/actions.json" }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "shared", "uri": "../shared/actions.json", "namespace": "shared" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C004", include_str!("c004_import_without_namespace.rs"));
