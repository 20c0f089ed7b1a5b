//! `surface.origin` is an origin, and so is each of `surface.origins`.
//!
//! It is a scheme and a host, with a port if need be, and nothing after: calls are confined to it. The start page of
//! the surface goes into `surface.url`, on that origin.
//!
//! Breaks the rule:
//! ```json
//! { "surface": { "origin": "example.com/search" } }
//! ```
//!
//! Instead:
//! ```json
//! { "surface": { "origin": "https://example.com", "url": "https://example.com/search" } }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("X007", include_str!("x007_origin.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let Some(surface) = subject.manifest.surface() else { return };
    let origin = surface.origin.as_ref();
    if let Some(origin) =
        origin.filter(|origin| origin_of(origin).as_deref() != Some(origin.trim_end_matches('/')))
    {
        report
            .find(&RULE, subject.document.node(origin.at), format!("`{}` is not an origin", origin.as_str()))
            .help("a scheme and a host, such as `https://example.com`");
        return;
    }
    for more in
        surface.origins.iter().filter(|more| origin_of(more).as_deref() != Some(more.trim_end_matches('/')))
    {
        report
            .find(&RULE, subject.document.node(more.at), format!("`{}` is not an origin", more.as_str()))
            .help("a scheme and a host, such as `https://example.com`");
    }
    let Some(url) = &surface.url else { return };
    let at = subject.document.node(url.at);
    match (origin_of(url), origin) {
        (None, _) => {
            report.find(&RULE, at, format!("`{}` is not an http or https address", url.as_str()));
        }
        (Some(own), Some(origin)) if own != origin.trim_end_matches('/') => {
            report
                .find(&RULE, at, "the start page is not on the surface's own origin")
                .related(subject.document.node(origin.at), "the origin");
        }
        (Some(_), _) => {}
    }
}

/// The origin of an http address, in lower case as browsers write it.
fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    let known = matches!(scheme, "http" | "https");
    (known && !host.is_empty() && host.chars().all(plain) && host == host.to_lowercase())
        .then(|| format!("{scheme}://{host}"))
}
