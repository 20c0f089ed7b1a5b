//! A file of the repository as a code block.

use std::fs;
use std::path::Path;

use super::document::PartError;

/// The content of a file, fenced with the language of its extension.
pub(super) fn text(path: &str) -> Result<String, PartError> {
    let content =
        fs::read_to_string(path).map_err(|source| PartError::File { path: path.to_owned(), source })?;
    let extension = Path::new(path).extension().unwrap_or_default().to_string_lossy().into_owned();
    let language = if extension == "rs" { "rust,ignore" } else { extension.as_str() };
    Ok(format!("```{language}\n{}\n```", content.trim_end()))
}
