//! An import can be loaded.
//!
//! `imports[].uri` is a path that starts at the folder of the map, or an address the embedder allows. Turn an import
//! off with `"enabled": false` while its source is not there.
//!
//! Breaks the rule:
//! ```json
//! { "id": "shared", "uri": "../no-such-folder/actions.json", "namespace": "shared" }
//! ```
//!
//! Instead: correct the path.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C001", include_str!("c001_import_not_loaded.rs"));
