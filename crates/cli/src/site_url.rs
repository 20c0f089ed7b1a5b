//! The address of a site as an argument.

use url::Url;

/// Parses the address of a site; a bare host means https.
pub(crate) fn site(text: &str) -> Result<Url, String> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url =
        Url::parse(&whole).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| format!("`{text}` is not the address of a site; write https://HOST"))
}
