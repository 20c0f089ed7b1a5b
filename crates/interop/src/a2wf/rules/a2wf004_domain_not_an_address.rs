//! The domain of a policy is the address of its site.
//!
//! Agents compare the host of `identity.domain` with the host they found the policy at, and discard a policy that
//! describes another site. Without a scheme there is no host to compare.
//!
//! Instead of `"domain": "example.com"` write `"domain": "https://example.com"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF004", include_str!("a2wf004_domain_not_an_address.rs"));
