//! Pictures in the page itself, with what matters in them marked.

use super::html::Html;

/// The largest picture that becomes part of a report.
const MAX_BYTES: usize = 16 << 20;

/// What is marked in a picture.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// Where the page was pressed.
    Point { x: f64, y: f64 },
    /// The element.
    Area { x: f64, y: f64, width: f64, height: f64 },
}

impl Mark {
    /// The area that evidence describes.
    pub(super) fn area(rect: &serde_json::Value) -> Option<Self> {
        let number = |key: &str| rect.get(key)?.as_f64();
        let (x, y, width, height) = (number("x")?, number("y")?, number("width")?, number("height")?);
        Some(Self::Area { x, y, width, height })
    }
}

/// Writes a picture that can be enlarged, or says why there is none.
pub(super) fn picture(html: &mut Html, caption: &str, png: Result<Vec<u8>, String>, mark: Option<Mark>) {
    html.raw("<figure>");
    let sized = png.and_then(|png| match size(&png) {
        Some(size) if png.len() <= MAX_BYTES => Ok((png, size)),
        Some(_) => Err("the picture is too large".to_owned()),
        None => Err("the file is no PNG".to_owned()),
    });
    match sized {
        Ok((png, (width, height))) => {
            html.raw("<button type=button class=shot").attribute("aria-label", format!("Enlarge: {caption}"));
            html.raw("><img").attribute("alt", caption).attribute("width", width).attribute("height", height);
            html.raw(" src=\"data:image/png;base64,").base64(&png).raw("\">");
            if let Some(mark) = mark {
                drawn(html, mark, f64::from(width), f64::from(height));
            }
            html.raw("</button>");
        }
        Err(why) => drop(html.element("p class=missing", why)),
    }
    html.element("figcaption", caption).raw("</figure>");
}

fn drawn(html: &mut Html, mark: Mark, width: f64, height: f64) {
    let inside = |x: f64, y: f64| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
    match mark {
        Mark::Point { x, y } if inside(x, y) => {
            html.raw("<span class=hit style=\"left:").percent(x / width).raw(";top:").percent(y / height);
            html.raw("\"></span>");
        }
        Mark::Area { x, y, width: w, height: h } if inside(x.max(0.0), y.max(0.0)) => {
            html.raw("<span class=area style=\"left:").percent(x / width).raw(";top:").percent(y / height);
            html.raw(";width:").percent(w / width).raw(";height:").percent(h / height).raw("\"></span>");
        }
        _ => {}
    }
}

/// The width and height of a PNG.
pub(super) fn size(png: &[u8]) -> Option<(u32, u32)> {
    let head = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(..16)?;
    let number = |at: usize| head.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    let size = (number(8)?, number(12)?);
    (head[4..8] == *b"IHDR" && size.0 > 0 && size.1 > 0).then_some(size)
}
