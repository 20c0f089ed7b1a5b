//! Cleans the HTML of a page: what is left has structure and text, and nothing that runs.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Elements that are kept. Of every other one only the content is, unless it is dropped with it.
const KEPT: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "blockquote",
    "br",
    "button",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "select",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
];
/// Elements that are dropped with everything inside them.
const DROPPED: &[&str] = &[
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "frame",
    "frameset",
    "object",
    "embed",
    "applet",
    "svg",
    "math",
    "link",
    "meta",
    "base",
    "title",
    "head",
    "noembed",
    "noframes",
    "xmp",
    "plaintext",
    "portal",
];
/// Elements without an end tag.
const VOID: &[&str] = &["br", "col", "hr", "img", "input"];
/// Attributes that are kept.
const ATTRIBUTES: &[&str] = &[
    "alt",
    "class",
    "colspan",
    "datetime",
    "disabled",
    "for",
    "height",
    "href",
    "id",
    "lang",
    "name",
    "placeholder",
    "role",
    "rowspan",
    "selected",
    "checked",
    "src",
    "title",
    "type",
    "value",
    "width",
    "aria-label",
];
/// Attributes that hold addresses.
const ADDRESSES: &[&str] = &["href", "src"];
/// How deep what is dropped may be nested before everything after it is dropped too.
const DEEPEST: usize = 10_000;

/// The clean form of HTML. The values of password fields are left out.
pub(crate) fn sanitise(html: &str) -> String {
    let mut clean = String::new();
    let mut inside: Vec<String> = Vec::new();
    let mut emitter = DefaultEmitter::default();
    // Without it, the text of scripts would be read as elements.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                let is_void = tag.self_closing
                    || VOID.contains(&name.as_str())
                    || matches!(name.as_str(), "link" | "meta" | "base" | "embed" | "frame");
                if DROPPED.contains(&name.as_str()) {
                    if !is_void && inside.len() < DEEPEST {
                        inside.push(name);
                    }
                    continue;
                }
                if !inside.is_empty() || !KEPT.contains(&name.as_str()) {
                    continue;
                }
                let attributes: Vec<(String, String)> = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (text(name), text(value)))
                    .filter(|(name, value)| is_harmless(name, value))
                    .collect();
                let is_password = attributes
                    .iter()
                    .any(|(name, value)| name == "type" && value.eq_ignore_ascii_case("password"));
                clean.push('<');
                clean.push_str(&name);
                for (name, value) in attributes.iter().filter(|(name, _)| !(is_password && name == "value")) {
                    clean.push_str(&format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;")));
                }
                clean.push('>');
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8_lossy(&tag.name).into_owned();
                if let Some(place) = inside.iter().rposition(|open| *open == name) {
                    inside.truncate(place);
                } else if inside.is_empty() && KEPT.contains(&name.as_str()) && !VOID.contains(&name.as_str())
                {
                    clean.push_str(&format!("</{name}>"));
                }
            }
            Token::String(content) if inside.is_empty() => {
                clean.push_str(&escaped(&String::from_utf8_lossy(&content)))
            }
            _ => {}
        }
    }
    clean
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_harmless(name: &str, value: &str) -> bool {
    if !ATTRIBUTES.contains(&name) {
        return false;
    }
    if !ADDRESSES.contains(&name) {
        return true;
    }
    // White space and control characters do not hide a scheme.
    let bare: String =
        value.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect::<String>().to_lowercase();
    match bare.split_once(':') {
        Some((scheme, _)) if scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) => {
            matches!(scheme, "http" | "https" | "mailto" | "tel")
        }
        _ => true,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g12_nothing_that_runs_is_left() {
        let cases = [
            ("<p onclick=\"x()\" id=a>Hi <b>you</b></p>", "<p id=\"a\">Hi <b>you</b></p>"),
            ("<div><script>alert('<p>')</script>text</div>", "<div>text</div>"),
            ("<a href=\"java\nscript:alert(1)\">x</a>", "<a>x</a>"),
            ("<a href=\" JavaScript:alert(1)\">x</a>", "<a>x</a>"),
            ("<a href=\"/menu\">x</a>", "<a href=\"/menu\">x</a>"),
            ("<img src=\"data:text/html,<script>\" onerror=x alt=soup>", "<img alt=\"soup\">"),
            ("<svg><a href=\"javascript:1\"><text>x</text></a></svg>after", "after"),
            ("<iframe srcdoc=\"<script>1</script>\"></iframe>b", "b"),
            ("<p style=\"background:url(javascript:1)\">a</p>", "<p>a</p>"),
            ("<x-widget>inside</x-widget>", "inside"),
            ("&lt;script&gt;1&lt;/script&gt;", "&lt;script&gt;1&lt;/script&gt;"),
            ("<input type=password value=secret>", "<input type=\"password\">"),
            (
                "<p title='\"><script>1</script>'>a</p>",
                "<p title=\"&quot;&gt;&lt;script&gt;1&lt;/script&gt;\">a</p>",
            ),
        ];
        for (html, expected) in cases {
            assert_eq!(sanitise(html), expected, "{html}");
        }
    }

    #[test]
    fn g12_what_is_clean_stays_as_it_is() {
        for html in
            ["<ul><li>Soup</li><li>Bread &amp; butter</li></ul>", "<a href=\"https://a.example/\">x</a>"]
        {
            assert_eq!(sanitise(html), html);
            assert_eq!(sanitise(&sanitise(html)), html);
        }
    }
}
