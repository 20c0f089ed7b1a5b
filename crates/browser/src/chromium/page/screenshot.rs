//! Takes screenshots.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::page::{
    BringToFrontParams, CaptureScreenshotFormat, CaptureScreenshotParams, GetLayoutMetricsParams,
    Viewport as WireClip,
};
use data_encoding::BASE64;

use super::ChromiumPage;
use crate::{Deadline, Error, ImageFormat, Pictures, Rect, Screenshot};

#[async_trait]
impl Pictures for ChromiumPage {
    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error> {
        self.refuse_if_blocked()?;
        let to_front =
            self.settings.must_be_in_front.then(|| self.session.send(BringToFrontParams {}, deadline));
        let plain =
            what.clip.is_none() && !what.full_page && what.max_width.is_none() && what.max_height.is_none();
        let frame = if plain { None } else { Some(self.frame_of(what, deadline).await?) };
        let clip = frame.map(|(clip, _)| clip);
        let (format, quality) = match what.format {
            ImageFormat::Png => (CaptureScreenshotFormat::Png, None),
            ImageFormat::Jpeg { quality } => (CaptureScreenshotFormat::Jpeg, Some(quality)),
            ImageFormat::Webp { quality } => (CaptureScreenshotFormat::Webp, Some(quality)),
        };
        let command = CaptureScreenshotParams {
            format: Some(format),
            quality: quality.map(|quality| i64::from(quality.min(100))),
            clip: clip.map(|clip| WireClip {
                x: clip.x,
                y: clip.y,
                width: clip.width,
                height: clip.height,
                scale: what.scale(clip.width, clip.height),
            }),
            capture_beyond_viewport: Some(frame.is_some_and(|(_, beyond)| beyond)),
            optimize_for_speed: Some(true),
            ..CaptureScreenshotParams::default()
        };
        let picture = self.session.send(command, deadline);
        if let Some(to_front) = to_front {
            self.answer(to_front).await?;
        }
        let failed = |reason: String| Error::ScreenshotFailed { reason };
        let answer = self.answer(picture).await.map_err(|error| match error {
            Error::Refused { message, .. } => failed(message),
            other => other,
        })?;
        BASE64.decode(answer.data.as_ref()).map_err(|error| failed(error.to_string()))
    }
}

impl ChromiumPage {
    /// The part of the document to show, and whether it extends beyond the viewport. A clip is relative to the viewport;
    /// the browser expects coordinates of the document.
    async fn frame_of(&self, what: Screenshot, deadline: Deadline) -> Result<(Rect, bool), Error> {
        let metrics = self.answer(self.session.send(GetLayoutMetricsParams {}, deadline)).await?;
        let whole = metrics.css_content_size;
        if what.full_page {
            let whole = Rect { x: 0.0, y: 0.0, width: whole.width, height: whole.height };
            return Ok((what.clip.unwrap_or(whole), true));
        }
        let (layout, visual) = (metrics.css_layout_viewport, metrics.css_visual_viewport);
        let (width, height) = (layout.client_width as f64, layout.client_height as f64);
        let part = what.clip.unwrap_or(Rect { x: 0.0, y: 0.0, width, height });
        let beyond =
            part.x < 0.0 || part.y < 0.0 || part.x + part.width > width || part.y + part.height > height;
        // `css_layout_viewport` rounds its position to whole pixels, so compute the position.
        let (left, top) = (visual.page_x - visual.offset_x, visual.page_y - visual.offset_y);
        Ok((Rect { x: left + part.x, y: top + part.y, ..part }, beyond))
    }
}
