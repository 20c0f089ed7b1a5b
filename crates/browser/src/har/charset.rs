//! The character set of a body according to its content type.

/// Types whose character set the browser detects from the content if the type declares none.
const GUESSED: &[&str] = &["text/", "application/javascript", "application/xhtml+xml", "application/xml"];

/// The character set that a type declares, in lower case.
pub(super) fn declared(content_type: &str) -> Option<String> {
    let lower = content_type.to_ascii_lowercase();
    let mut parts = lower.split(';').skip(1).map(str::trim);
    parts.find_map(|part| part.strip_prefix("charset=").map(|charset| charset.trim_matches('"').to_owned()))
}

/// Whether the browser must detect the character set from the content or its context.
pub(super) fn is_guessed(content_type: &str) -> bool {
    let mime = content_type.trim().to_ascii_lowercase();
    declared(content_type).is_none() && GUESSED.iter().any(|guessed| mime.starts_with(guessed))
}

/// The content type of a text that is sent as UTF-8. A text that reads the same in its original character set keeps its
/// type, because a page submits forms in its own character set.
pub(super) fn of_utf8(content_type: &str, text: &str) -> String {
    let declared = declared(content_type);
    let reads_the_same = text.is_ascii() && !declared.as_ref().is_some_and(|set| set.starts_with("utf-16"));
    if reads_the_same || (declared.is_none() && !is_guessed(content_type)) {
        return content_type.to_owned();
    }
    let mut parts = content_type.split(';').map(str::trim);
    let mime = parts.next().unwrap_or_default();
    let others = parts.filter(|part| !part.to_ascii_lowercase().starts_with("charset="));
    let all: Vec<&str> = std::iter::once(mime).chain(others).chain(["charset=utf-8"]).collect();
    all.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_set_is_declared_only_where_it_changes_the_text() {
        for (before, text, after) in [
            ("text/html", "ä", "text/html; charset=utf-8"),
            ("text/html; charset=ISO-8859-1; a=b", "ä", "text/html; a=b; charset=utf-8"),
            ("text/html", "a", "text/html"),
            ("text/html; charset=ISO-8859-1", "a", "text/html; charset=ISO-8859-1"),
            ("text/html; charset=\"UTF-16LE\"", "a", "text/html; charset=utf-8"),
            ("application/json", "ä", "application/json"),
            ("image/svg+xml", "ä", "image/svg+xml"),
        ] {
            assert_eq!(of_utf8(before, text), after, "{before} {text}");
        }
    }
}
