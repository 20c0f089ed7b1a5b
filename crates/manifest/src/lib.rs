//! actions.json: from source text with positions, through a typed model and rules, to a [`CheckedManifest`].
//!
//! [`validate`] is the only door: it reports every finding, each with a stable code, a JSON pointer, line and column, and
//! a hint, and gives out the manifest only when none of them is an error. "No actions from an invalid manifest" is
//! thereby a fact of the type system.

mod applies;
mod checked;
mod compose;
pub mod css;
pub mod document;
mod finding;
mod json_schema;
mod leave_out;
mod load;
mod lower;
pub mod model;
mod read;
mod reading;
mod rule;
mod rules;
pub mod schema;
mod slot;
mod url_match;
mod validate;
mod view;
pub mod xpath;

pub use checked::CheckedManifest;
pub use compose::{Exposed, ExposedKind, Part};
pub use finding::{Draft, Finding, Profile, Related, Report};
pub use json_schema::json_schema;
pub use load::{Files, Load, LoadError, Loaded, NoImports, read_file};
pub use read::read as read_document;
pub use rule::{Rule, Severity};
pub use rules::{RULES, rule};
pub use url_match::url_matches;
pub use validate::{Options, Validation, validate};
