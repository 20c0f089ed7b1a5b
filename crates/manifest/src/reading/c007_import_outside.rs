//! An import stays inside the folder of its map, or inside its storage root.
//!
//! Without this rule a map could make the program read any file of the machine. The folder is that of the map that is
//! validated, not of the map that imports. A storage root is the nearest folder above with a file `storage.json`, or
//! else with the layout `sites/<host>/<surface>/actions.json`. Symbolic links are resolved first.
//!
//! Breaks the rule:
//! ```json
//! { "id": "shared", "uri": "/srv/maps/actions.json", "namespace": "shared" }
//! ```
//!
//! Instead: keep a reviewed copy beside the map and import that.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C007", include_str!("c007_import_outside.rs"));
