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
}
