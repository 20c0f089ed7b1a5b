//! Pictures of a page.

/// The format of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFormat {
    /// Lossless.
    #[default]
    Png,
    /// Lossy, with a quality from 0 to 100.
    Jpeg {
        /// The quality.
        quality: u8,
    },
    /// Lossy, with a quality from 0 to 100.
    Webp {
        /// The quality.
        quality: u8,
    },
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Screenshot {
    /// The format.
    pub format: ImageFormat,
    /// Only this part of the viewport.
    pub clip: Option<Rect>,
    /// The whole page rather than the viewport; `clip` is then a part of the page.
    pub full_page: bool,
    /// The largest width in pixels; a wider picture is scaled down.
    pub max_width: Option<u32>,
    /// The largest height in pixels; a higher picture is scaled down.
    pub max_height: Option<u32>,
}

impl Screenshot {
    /// By how much a picture of this size is scaled.
    pub fn scale(&self, width: f64, height: f64) -> f64 {
        let fit = |limit: Option<u32>, size: f64| limit.map_or(1.0, |limit| f64::from(limit) / size.max(1.0));
        fit(self.max_width, width).min(fit(self.max_height, height)).min(1.0)
    }
}
