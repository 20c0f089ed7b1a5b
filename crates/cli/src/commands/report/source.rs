//! The lines of a map around a place.

use std::path::Path;

use actions_manifest::read_file;

use super::html::Html;

/// How many lines are shown before and after the place.
const AROUND: usize = 4;
/// The most characters of one line.
const MAX_LINE: usize = 200;

/// Writes the lines of a map around a line, from 1. A map that is not there any more is only named.
pub(super) fn lines(html: &mut Html, map: &str, line: usize) {
    html.raw("<figure class=source><figcaption>").text(map).raw(":").text(line).raw("</figcaption>");
    // The name comes from the input: nothing but a map is read.
    let path = Path::new(map);
    let is_map = path.extension().is_some_and(|extension| extension == "json");
    let text = is_map.then(|| read_file(path).ok()).flatten().and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(text) = text else {
        html.element("p class=missing", "the map is not there any more").raw("</figure>");
        return;
    };
    html.raw("<pre tabindex=0>");
    let first = line.saturating_sub(AROUND).max(1);
    for (number, content) in text.lines().enumerate().skip(first - 1).take(2 * AROUND + 1) {
        let is_it = number + 1 == line;
        html.raw(if is_it { "<mark>" } else { "<span>" });
        html.raw("<i>").text(format_args!("{:>5}", number + 1)).raw("</i> ");
        html.text(content.chars().take(MAX_LINE).collect::<String>());
        html.raw(if is_it { "</mark>\n" } else { "</span>\n" });
    }
    html.raw("</pre></figure>");
}
