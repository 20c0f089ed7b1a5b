//! Matches addresses against the globs of a map.

/// Whether an address matches a glob: `*` stands for anything, the whole address counts, case does not.
///
/// ```
/// use actions_manifest::url_matches;
///
/// assert!(url_matches("https://example.com/search*", "https://Example.com/search?q=maps"));
/// assert!(!url_matches("https://example.com/search", "https://example.com/search?q=maps"));
/// ```
pub fn url_matches(pattern: &str, url: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let url = url.to_lowercase();
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = url.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        // The earliest place leaves the most for what follows.
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let table = [
            ("https://a.example/*", "https://a.example/", true),
            ("https://a.example/*", "https://a.example", false),
            ("*://a.example/*/edit", "https://a.example/x/y/edit", true),
            ("*://a.example/*/edit", "https://a.example/edit", false),
            ("*a*a*", "a", false),
            ("*a*a*", "aa", true),
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
            ("*", "", true),
            ("", "", true),
            ("", "x", false),
            ("**", "anything", true),
            ("HTTPS://A.example/?q=1", "https://a.example/?q=1", true),
            ("https://a.example/?q=1", "https://a.example/xq=1", false),
        ];
        for (pattern, url, expected) in table {
            assert_eq!(url_matches(pattern, url), expected, "{pattern} on {url}");
        }
    }
}
