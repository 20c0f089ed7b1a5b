//! Page addresses without their fragment.

/// Returns the address without its fragment.
pub(crate) fn page(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}
