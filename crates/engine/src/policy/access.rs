//! What a session does with a page outside any call.

/// What a session is about to do with a page outside any call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Access<'a> {
    /// It opens the page on which it begins.
    Open {
        /// The address.
        url: &'a str,
    },
    /// It reads the state of the page.
    Read {
        /// The address of the page.
        url: &'a str,
    },
}
