//! HTTP to sites: identified, bounded in size and time, with redirects that never carry credentials elsewhere.

mod body;
mod cache;
mod client;
mod error;
mod freshness;
mod request;
mod response;
mod route;

pub use client::Client;
pub use error::FetchError;
pub use request::{Bounds, Request};
pub use response::Response;
pub use route::is_local;
