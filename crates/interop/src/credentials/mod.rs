//! Credentials of the user for sites, by origin and system. They are added to requests when they are sent, and are nowhere
//! else: not in maps, arguments, outputs, events, traces or recordings.

mod credential;
mod file;
mod secret;
mod store;

pub use credential::{Credential, Scheme, UnknownScheme};
pub use file::FileError;
pub use secret::Secret;
pub use store::{Credentials, Listed};
