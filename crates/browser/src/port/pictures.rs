//! Pictures of a page.

use async_trait::async_trait;

use super::Screenshot;
use crate::{Deadline, Error};

/// Pictures of a page.
#[async_trait]
pub trait Pictures: Send + Sync {
    /// Takes a screenshot and returns the bytes of the image.
    async fn screenshot(&self, what: Screenshot, deadline: Deadline) -> Result<Vec<u8>, Error>;
}
