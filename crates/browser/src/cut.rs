//! Texts of a page that are only told: as much of them as a person reads.

/// How many characters of such a text are kept.
const MOST: usize = 10_000;

/// The beginning of a text that is longer than anyone reads, and how long it was.
pub(crate) fn cut(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(MOST) else { return text };
    let whole = text.chars().count();
    format!("{}… (cut: {whole} characters)", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        assert_eq!(cut("short".to_owned()), "short");
        assert_eq!(cut("ö".repeat(MOST)), "ö".repeat(MOST));
        let long = cut("ö".repeat(MOST + 1));
        assert_eq!(long, format!("{}… (cut: 10001 characters)", "ö".repeat(MOST)));
    }
}
