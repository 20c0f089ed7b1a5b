//! Permissions are those of the protocol.
//!
//! Agents do not know what another one means, and no command needs it.
//!
//! Breaks the rule:
//! ```json
//! { "permissions": { "fly": true } }
//! ```
//!
//! Instead: use one of the eight permissions that the finding lists.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("WAB018", include_str!("wab018_unknown_permission.rs"));
