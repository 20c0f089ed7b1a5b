//! The right of a page to use the clipboard of the browser.

use async_trait::async_trait;

use crate::{Deadline, Error};

/// The right of a page to use the clipboard of the browser.
#[async_trait]
pub trait Clipboard: Send + Sync {
    /// Lets documents of the main frame's origin read and write the clipboard, or takes that right back. The page script
    /// needs it; scripts of the page have it for as long.
    async fn permit_clipboard(&self, permitted: bool, deadline: Deadline) -> Result<(), Error>;
}
