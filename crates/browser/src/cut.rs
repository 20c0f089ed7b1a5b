//! Cuts texts of a page to a bounded length.

/// The longest text of a dialog or an exception that is kept, in characters.
const LONGEST: usize = 10_000;

/// The text, or its beginning and its full length if it is too long.
pub(crate) fn cut(text: String) -> String {
    cut_to(text, LONGEST)
}

/// Like [`cut`], with a limit in characters.
pub(crate) fn cut_to(text: String, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text };
    let whole = text.chars().count();
    format!("{}… (cut: {whole} characters)", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        assert_eq!(cut("short".to_owned()), "short");
        assert_eq!(cut("ö".repeat(LONGEST)), "ö".repeat(LONGEST));
        let long = cut("ö".repeat(LONGEST + 1));
        assert_eq!(long, format!("{}… (cut: 10001 characters)", "ö".repeat(LONGEST)));
    }
}
