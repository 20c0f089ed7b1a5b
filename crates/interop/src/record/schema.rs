//! Text of sites, bounded and without control characters.

use serde_json::{Value, json};

/// The longest text of a site that is repeated.
const LONGEST: usize = 500;

/// A text of a site on one line: bounded, and without characters that would change what stands around it.
pub(crate) fn plain(text: &str) -> String {
    let visible = |c: char| if c.is_control() || is_formatting(c) { ' ' } else { c };
    let plain: String = text.chars().map(visible).take(LONGEST).collect();
    // A slot of a map is text here.
    plain.replace("{%", "{ %").replace("%}", "% }").trim().to_owned()
}

/// Characters that nobody sees and that reorder or hide what stands around them.
fn is_formatting(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text of a site, marked as such.
pub(crate) fn text_of_site(source: &str, text: &str) -> Value {
    json!({ "source": source, "untrusted": true, "text": plain(text) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_site_cannot_hide_or_become_a_slot() {
        assert_eq!(plain(" a\u{202e}b\nc {% $eval(1) %} "), "a b c { % $eval(1) % }");
        assert_eq!(plain(&"x".repeat(9_999)).len(), LONGEST);
    }
}
