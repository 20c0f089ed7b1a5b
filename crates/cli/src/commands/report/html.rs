//! Writes HTML. Markup is text of ours; everything else is escaped.

use std::fmt::{Display, Write};

use serde_json::Value;

use crate::text::visible;

/// The most characters of one value.
const MAX_VALUE: usize = 20_000;
/// How deep a value is shown.
const MAX_DEPTH: usize = 40;

/// A piece of a page.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup. It is part of the program, so that no text from outside can become markup.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text from anywhere.
    pub(super) fn text(&mut self, text: impl Display) -> &mut Self {
        // Characters that cannot be seen, or that turn text around, become visible.
        for c in visible(&text.to_string()).chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(c),
            }
        }
        self
    }

    /// An attribute with a value from anywhere.
    pub(super) fn attribute(&mut self, name: &'static str, value: impl Display) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// An element with text in it: its tag with attributes of ours, such as `p class=hush`.
    pub(super) fn element(&mut self, tag: &'static str, text: impl Display) -> &mut Self {
        let name = tag.split(' ').next().unwrap_or(tag);
        self.raw("<").raw(tag).raw(">").text(text).raw("</").raw(name).raw(">")
    }

    /// A number as a percentage, for widths and places.
    pub(super) fn percent(&mut self, share: f64) -> &mut Self {
        let share = if share.is_finite() { (share * 100.0).clamp(0.0, 100.0) } else { 0.0 };
        let _ = write!(self.0, "{share:.2}%");
        self
    }

    /// Another piece.
    pub(super) fn append(&mut self, other: Html) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// Base64, which needs no escapes.
    pub(super) fn base64(&mut self, bytes: &[u8]) -> &mut Self {
        data_encoding::BASE64.encode_append(bytes, &mut self.0);
        self
    }

    /// A value as JSON, with its parts told apart by colour.
    pub(super) fn json(&mut self, value: &Value) -> &mut Self {
        self.raw("<pre class=json tabindex=0>");
        let mut left = MAX_VALUE;
        self.value(value, 0, &mut left);
        if left == 0 {
            self.raw("\n…");
        }
        self.raw("</pre>")
    }

    fn value(&mut self, value: &Value, depth: usize, left: &mut usize) {
        if *left == 0 {
            return;
        }
        match value {
            Value::Object(fields) if !fields.is_empty() && depth < MAX_DEPTH => {
                self.raw("{");
                for (number, (key, value)) in fields.iter().enumerate() {
                    self.line(number, depth + 1);
                    self.part("<span class=k>", &Value::String(key.clone()), left);
                    self.raw(": ");
                    self.value(value, depth + 1, left);
                    if *left == 0 {
                        return;
                    }
                }
                self.end(depth).raw("}");
            }
            Value::Array(items) if !items.is_empty() && depth < MAX_DEPTH => {
                self.raw("[");
                for (number, value) in items.iter().enumerate() {
                    self.line(number, depth + 1);
                    self.value(value, depth + 1, left);
                    if *left == 0 {
                        return;
                    }
                }
                self.end(depth).raw("]");
            }
            Value::String(_) => self.part("<span class=s>", value, left),
            other => self.part("<span class=n>", other, left),
        }
    }

    fn line(&mut self, number: usize, depth: usize) {
        self.raw(if number == 0 { "\n" } else { ",\n" });
        self.indent(depth);
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.raw("  ");
        }
    }

    fn end(&mut self, depth: usize) -> &mut Self {
        self.raw("\n");
        self.indent(depth);
        self
    }

    fn part(&mut self, open: &'static str, value: &Value, left: &mut usize) {
        let text = value.to_string();
        let shown: String = text.chars().take(*left).collect();
        *left = left.saturating_sub(shown.chars().count() + 1);
        self.raw(open).text(shown).raw("</span>");
    }

    /// The whole text.
    pub(super) fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_from_outside_cannot_become_markup() {
        let mut html = Html::default();
        html.element("p class=hush", "<script>alert('1')</script>\u{202e}&\"");
        html.raw("<a").attribute("title", "\" onclick=\"x").raw(">");
        html.json(&json!({ "<b>": ["</pre><img src=x onerror=y>", null, 1] }));
        let text = html.into_text();
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("<b>"), "{text}");
        assert!(text.contains("title=\"&quot; onclick=&quot;x\"") && text.contains("\\u{202e}"), "{text}");
    }
}
