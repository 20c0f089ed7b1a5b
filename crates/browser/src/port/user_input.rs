//! Input as a person would give it.

use std::path::PathBuf;

use async_trait::async_trait;

use super::{Drag, DragKind, Handle, Input};
use crate::{Deadline, Error};

/// Input as a person would give it.
#[async_trait]
pub trait UserInput: Send + Sync {
    /// Sends input events without waiting between them, and returns when the page has acknowledged all of them.
    async fn input(&self, events: &[Input], deadline: Deadline) -> Result<(), Error>;

    /// Drags with the main button, as an HTML drag and drop if the page starts one.
    async fn drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error>;

    /// Sets the files of a file input.
    async fn set_files(&self, input: &Handle, files: &[PathBuf], deadline: Deadline) -> Result<(), Error>;
}
