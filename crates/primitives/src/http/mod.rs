//! Requests to a site without its page.

mod address;
mod errors;
mod poll;
pub(crate) mod request;
