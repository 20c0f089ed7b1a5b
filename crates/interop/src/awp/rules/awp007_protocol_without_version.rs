//! A declared protocol says its version.
//!
//! A client chooses by it how to speak. Lenient readers accept an entry without one as long as no action uses it, and always for payments.
//!
//! Breaks the rule:
//! ```json
//! { "protocols": { "openapi": { "endpoint": "/openapi.json" } } }
//! ```
//!
//! Instead: add `"version": "3.1"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP007", include_str!("awp007_protocol_without_version.rs"));
