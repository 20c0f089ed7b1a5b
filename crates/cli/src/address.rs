//! Addresses of pages.

/// The address of a page without the place within it.
pub(crate) fn page(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}
