//! The page around the parts: head, navigation, and nothing that is loaded from elsewhere.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::html::Html;

const STYLE: &str = include_str!("assets/report.css");
const SCRIPT: &str = include_str!("assets/report.js");

/// One input of the report.
#[derive(Debug)]
pub(super) struct Part {
    /// What it is called in the navigation.
    pub(super) title: String,
    /// Whether everything in it is as it should be.
    pub(super) ok: bool,
    pub(super) body: Html,
}

/// Joins the parts to one page.
pub(super) fn page(title: &str, parts: Vec<Part>) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n");
    html.raw("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n");
    // Only the script below runs, and nothing is loaded: a text that slipped through could do nothing.
    let digest = BASE64.encode(&Sha256::digest(SCRIPT.as_bytes()));
    html.raw("<meta http-equiv=Content-Security-Policy").attribute(
        "content",
        format!(
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        ),
    );
    html.raw(">\n<meta name=referrer content=no-referrer>\n<title>").text(title).raw("</title>\n<style>");
    html.raw(STYLE).raw("</style>\n</head>\n<body>\n<header class=top>\n<h1>").text(title).raw("</h1>\n");
    html.raw("<div class=tools><button type=button id=only aria-pressed=false>Only what failed</button>");
    html.raw("<button type=button id=open aria-pressed=false>Open all</button>");
    html.raw("<button type=button id=theme aria-label=\"Switch between light and dark\">◐</button></div>\n");
    if parts.len() > 1 {
        html.raw("<nav aria-label=Parts><ol>");
        for (number, part) in parts.iter().enumerate() {
            html.raw("<li><a").attribute("href", format!("#part-{}", number + 1)).raw(">");
            sign(&mut html, part.ok);
            html.text(&part.title).raw("</a></li>");
        }
        html.raw("</ol></nav>\n");
    }
    html.raw("</header>\n<main>\n");
    for (number, part) in parts.into_iter().enumerate() {
        html.raw("<section class=part").attribute("id", format!("part-{}", number + 1)).raw(">\n");
        html.append(part.body).raw("</section>\n");
    }
    html.raw("</main>\n<footer><kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>Enter</kbd> open, ");
    html.raw("<kbd>f</kbd> only what failed, <kbd>Esc</kbd> close a picture</footer>\n");
    html.raw("<dialog id=large aria-label=Picture><button type=button aria-label=Close>×</button><div></div></dialog>\n");
    html.raw("<script>").raw(SCRIPT).raw("</script>\n</body>\n</html>\n");
    html.into_text()
}

/// A sign for success or failure, which does not speak by its colour alone.
pub(super) fn sign(html: &mut Html, ok: bool) {
    html.raw(match ok {
        true => "<span class=\"sign good\" role=img aria-label=passed>✓</span> ",
        false => "<span class=\"sign bad\" role=img aria-label=failed>✗</span> ",
    });
}

/// A number with what it counts.
pub(super) fn tile(html: &mut Html, class: &'static str, number: impl std::fmt::Display, what: &str) {
    html.raw("<div class=\"tile ").raw(class).raw("\"><b>").text(number).raw("</b><span>").text(what);
    html.raw("</span></div>");
}
