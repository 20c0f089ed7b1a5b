//! A small web server for tests, on the loopback interface only.
//!
//! It serves a folder, or routes a test programs, under several hosts of one port: `127.0.0.1`, `localhost` and
//! anything that ends with `.localhost` are different origins and different sites to a browser.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use actions_testserver::{Response, TestServer};
//!
//! let server = TestServer::start().await.unwrap();
//! server.page("/", "<h1>Hello</h1>");
//! server.route("/api", |request| Response::json(format!("{{\"method\": \"{}\"}}", request.method)));
//! assert!(server.url("/").starts_with("http://127.0.0.1:"));
//! assert!(server.url_on("shop.localhost", "/").starts_with("http://shop.localhost:"));
//! # });
//! ```

mod content_type;
mod local_site;
mod request;
mod response;
mod server;

pub use local_site::LocalSite;
pub use request::Request;
pub use response::Response;
pub use server::{Served, TestServer};
