//! `domain` is a host, without a scheme, a port or a path.
//!
//! It says for which site the document speaks. A document of another host, or an endpoint outside of the domain, is not trusted.
//!
//! Breaks the rule:
//! ```json
//! { "domain": "https://shop.example/" }
//! ```
//!
//! Instead: write `"domain": "shop.example"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP012", include_str!("awp012_odd_domain.rs"));
