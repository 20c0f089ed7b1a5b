//! `browser.screenshot`: captures the viewport, the whole page, an element or a rectangle.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actions_browser::{ImageFormat, Rect, Screenshot};
use actions_protocol::{ErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::gesture::reveal;
use crate::locate::Locator;
use crate::outward::outward;
use crate::patience::Patience;
use crate::scene::Scene;

/// The longest side of a screenshot in pixels, so that it fits into one texture.
const MAX_SIDE: f64 = 16_384.0;
/// The most pixels of a screenshot. Each takes four bytes before compression.
const MAX_PIXELS: f64 = 50_000_000.0;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(default)]
    full_page: bool,
    locator: Option<Locator>,
    clip: Option<Clip>,
    format: String,
    quality: u8,
    max_bytes: usize,
    max_kilobytes: Option<usize>,
    max_kb: Option<usize>,
    delay_ms: u64,
    capture_timeout_ms: Option<u64>,
    max_width: Option<u32>,
    max_height: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
struct Clip {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    data_url: String,
    mime_type: &'static str,
    width: u32,
    height: u32,
    bytes: usize,
    url: String,
    captured_at: Timestamp,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let (format, mime_type) = match args.format.as_str() {
        "jpeg" => (ImageFormat::Jpeg { quality: args.quality }, "image/jpeg"),
        "webp" => (ImageFormat::Webp { quality: args.quality }, "image/webp"),
        _ => (ImageFormat::Png, "image/png"),
    };
    let max_bytes = args.max_kilobytes.or(args.max_kb).map_or(args.max_bytes, |kilobytes| kilobytes * 1024);
    if args.delay_ms > 0 {
        let clock = scene.stage.clock();
        let until = clock.now() + Duration::from_millis(args.delay_ms);
        clock.sleep_until(until.min(scene.deadline.at())).await;
    }
    let clip = match (&args.locator, args.clip) {
        (Some(locator), _) => Some(box_of(&scene, locator).await?),
        (None, Some(clip)) => Some(inside_viewport(&scene, clip).await?),
        (None, None) => None,
    };
    let clip = clip.map(|clip| Rect { x: clip.x, y: clip.y, width: clip.width, height: clip.height });
    let picture = Screenshot {
        format,
        clip,
        full_page: args.full_page,
        max_width: args.max_width,
        max_height: args.max_height,
    };
    refuse_too_large(&scene, &picture).await?;
    let deadline = match args.capture_timeout_ms {
        Some(limit) => scene.deadline.at_most(&*scene.stage.clock(), Duration::from_millis(limit)),
        None => scene.deadline,
    };
    let bytes = scene.page().screenshot(picture, deadline).await?;
    if bytes.len() > max_bytes {
        let message = format!("the screenshot has {} bytes; {max_bytes} are allowed", bytes.len());
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
            .with_evidence("bytes", bytes.len())
            .with_evidence("limit", max_bytes)
            .with_evidence(
                "hint",
                "take a part with `clip`, or `\"format\": \"jpeg\"` with a lower `quality`",
            ));
    }
    let (width, height) = size(&bytes).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Output {
        data_url: format!("data:{mime_type};base64,{}", data_encoding::BASE64.encode(&bytes)),
        mime_type,
        width,
        height,
        bytes: bytes.len(),
        url: scene.page().url(),
        captured_at: Timestamp::from_unix_millis(now.as_millis() as u64),
    })
}

/// Fails before the capture if the screenshot would be too large for the browser.
async fn refuse_too_large(scene: &Scene<'_>, picture: &Screenshot) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Extent {
        width: f64,
        height: f64,
    }
    let Extent { width, height } = match picture.clip {
        Some(clip) => Extent { width: clip.width, height: clip.height },
        None if picture.full_page => scene.read("viewport.extent", &json!({})).await?,
        // The viewport is never too large.
        None => return Ok(()),
    };
    let scale = picture.scale(width, height);
    let (wide, high) = (width * scale, height * scale);
    if wide <= MAX_SIDE && high <= MAX_SIDE && wide * high <= MAX_PIXELS {
        return Ok(());
    }
    let message = format!("a screenshot of {wide:.0} x {high:.0} pixels is too large");
    Err(Failure::new(ErrorCode::PayloadTooLarge, message)
        .with_evidence("width", wide.round())
        .with_evidence("height", high.round())
        .with_evidence("max_side", MAX_SIDE)
        .with_evidence("max_pixels", MAX_PIXELS)
        .with_evidence("hint", "scale it down with `max_width` or `max_height`, or take a part with `clip`"))
}

/// Scrolls an element into view and returns its box in the main viewport.
async fn box_of(scene: &Scene<'_>, locator: &Locator) -> Result<Clip, Failure> {
    #[derive(Deserialize)]
    struct Seen {
        bounding_box: Clip,
        visibility: Visibility,
    }
    #[derive(Deserialize)]
    struct Visibility {
        rendered: bool,
    }
    let question = json!({ "locator": locator, "auto_scroll": false, "max_candidates": 0 });
    let (path, args) = scene.aim(&question, Patience::of(scene, 0)).await?;
    reveal(scene, &path).await?;
    let _: Value = scene.read_in(&path.frame, "viewport.show", &args).await?;
    let mut seen: Value = scene.read_in(&path.frame, "locator.element_info", &args).await?;
    outward(scene, &path, &mut seen).await?;
    let seen: Seen = serde_json::from_value(seen).map_err(|error| {
        Failure::new(
            ErrorCode::BrowserProtocolError,
            format!("the box of the element cannot be read: {error}"),
        )
    })?;
    let Clip { width, height, .. } = seen.bounding_box;
    if !seen.visibility.rendered || width < 1.0 || height < 1.0 {
        return Err(Failure::new(ErrorCode::ScreenshotFailed, "the element has no visible area")
            .with_evidence("bounding_box", json!({ "width": width, "height": height })));
    }
    Ok(seen.bounding_box)
}

/// Returns the rectangle if a part of it lies in the viewport.
async fn inside_viewport(scene: &Scene<'_>, clip: Clip) -> Result<Clip, Failure> {
    #[derive(Deserialize)]
    struct Info {
        viewport: Viewport,
    }
    #[derive(Deserialize, Serialize)]
    struct Viewport {
        width: f64,
        height: f64,
    }
    let Info { viewport } = scene.read("page.info", &json!({})).await?;
    if clip.x < viewport.width && clip.y < viewport.height {
        return Ok(clip);
    }
    Err(Failure::new(ErrorCode::PointOutOfViewport, "the rectangle lies outside the viewport")
        .with_evidence("viewport", json!(viewport)))
}

/// Reads the size in pixels from the header of the image.
fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]));
    if bytes.starts_with(b"\x89PNG") {
        return Some((number(16)?, number(20)?));
    }
    if bytes.starts_with(b"RIFF") {
        let byte = |at: usize| bytes.get(at).map(|b| u32::from(*b));
        return match bytes.get(12..16)? {
            b"VP8X" => Some((1 + byte(24)? + (byte(25)? << 8), 1 + byte(27)? + (byte(28)? << 8))),
            b"VP8L" => {
                let bits = byte(21)? | byte(22)? << 8 | byte(23)? << 16 | byte(24)? << 24;
                Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
            }
            _ => Some(((byte(26)? | byte(27)? << 8) & 0x3fff, (byte(28)? | byte(29)? << 8) & 0x3fff)),
        };
    }
    // JPEG: the first start-of-frame segment holds the size.
    let mut at = 2;
    while at + 9 < bytes.len() {
        let (marker, length) = (bytes[at + 1], usize::from(bytes[at + 2]) << 8 | usize::from(bytes[at + 3]));
        if (0xc0..=0xcf).contains(&marker) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let pair = |at: usize| u32::from(bytes[at]) << 8 | u32::from(bytes[at + 1]);
            return Some((pair(at + 7), pair(at + 5)));
        }
        at += 2 + length.max(2);
    }
    None
}
