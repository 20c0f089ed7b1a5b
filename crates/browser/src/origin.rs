//! Origins of addresses.

/// The origin of an http or https address: in lower case, without a user and without the scheme's own port.
///
/// ```
/// use actions_browser::origin_of;
/// assert_eq!(origin_of("HTTPS://ada@Example.com:443/a?b").as_deref(), Some("https://example.com"));
/// assert_eq!(origin_of("http://[::1]:8080").as_deref(), Some("http://[::1]:8080"));
/// assert_eq!(origin_of("data:text/html,x"), None);
/// ```
pub fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim().split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let port = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    // Browsers take a backslash for a slash.
    let host = rest.split(['/', '?', '#', '\\']).next()?;
    let host = host.rsplit('@').next()?.to_lowercase();
    let host = host.strip_suffix(port).unwrap_or(&host).trim_end_matches(':');
    (!host.is_empty()).then(|| format!("{scheme}://{host}"))
}
