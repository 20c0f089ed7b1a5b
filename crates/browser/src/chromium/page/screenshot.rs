//! Pictures.

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    BringToFrontParams, CaptureScreenshotFormat, CaptureScreenshotParams, GetLayoutMetricsParams,
    Viewport as WireClip,
};
use data_encoding::BASE64;

use super::ChromiumPage;
use crate::{Deadline, Error, ImageFormat, Rect, Screenshot};

impl ChromiumPage {
    pub(super) async fn take_screenshot(
        &self,
        what: Screenshot,
        deadline: Deadline,
    ) -> Result<Vec<u8>, Error> {
        self.refuse_if_blocked()?;
        let to_front =
            self.settings.must_be_in_front.then(|| self.session.send(BringToFrontParams {}, deadline));
        let clip = match (what.clip, what.full_page) {
            (Some(clip), _) => Some(clip),
            (None, true) => Some(self.whole_page(deadline).await?),
            (None, false) if what.max_width.is_some() || what.max_height.is_some() => {
                Some(self.viewport_part(deadline).await?)
            }
            (None, false) => None,
        };
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
            capture_beyond_viewport: Some(what.full_page),
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

    async fn whole_page(&self, deadline: Deadline) -> Result<Rect, Error> {
        let metrics = self.answer(self.session.send(GetLayoutMetricsParams {}, deadline)).await?;
        let size = metrics.css_content_size;
        Ok(Rect { x: 0.0, y: 0.0, width: size.width, height: size.height })
    }

    async fn viewport_part(&self, deadline: Deadline) -> Result<Rect, Error> {
        let metrics = self.answer(self.session.send(GetLayoutMetricsParams {}, deadline)).await?;
        let view = metrics.css_layout_viewport;
        Ok(Rect { x: 0.0, y: 0.0, width: view.client_width as f64, height: view.client_height as f64 })
    }

    pub(super) async fn to_front(&self, deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.answer(self.session.send(BringToFrontParams {}, deadline)).await.map(drop)
    }
}
