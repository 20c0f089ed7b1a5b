//! The primitive dictionary as typed data.
//!
//! A primitive is one JSON file under `primitives/`: what it does, its arguments, its output, and every error
//! code it may end with. The files are embedded when the crate is built. A file is parsed, and a schema compiled, on
//! first use.
//!
//! ```
//! use actions_dictionary::Dictionary;
//! use serde_json::json;
//!
//! let dictionary = Dictionary::builtin();
//! let wait_for = dictionary.get("locator.wait_for").expect("it is in the dictionary");
//!
//! let errors = wait_for.validate_args(&json!({"locator": {"selector": "h1"}, "state": "gone"}));
//! assert_eq!(errors[0].pointer, "/state");
//! assert_eq!(errors[0].message, "must be one of `visible`, `attached`, `hidden`, `detached`");
//!
//! assert_eq!(dictionary.closest("locator.waitfor"), Some("locator.wait_for"));
//! ```

mod announcements;
mod answered_dialogs;
mod branches;
mod bundle;
mod capability_class;
mod closest;
mod common_errors;
mod declared_error;
mod defaults;
mod dictionary;
mod embedded;
mod example;
mod explain;
mod field;
mod holes;
mod opened_pages;
mod output_path;
mod primitive;
mod schema;
mod schema_error;
mod sentence;
mod support;

pub use announcements::ANNOUNCEMENTS;
pub use answered_dialogs::ANSWERED_DIALOGS;
pub use capability_class::CapabilityClass;
pub use closest::closest;
pub use declared_error::DeclaredError;
pub use dictionary::Dictionary;
pub use example::Example;
pub use field::{Field, fields};
pub use opened_pages::OPENED_PAGES;
pub use output_path::{fields_at, has_path};
pub use primitive::{Primitive, ReadsWhen};
pub use schema::{InvalidSchema, Schema};
pub use schema_error::SchemaError;
pub use support::Support;
