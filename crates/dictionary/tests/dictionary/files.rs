//! The files as they lie on the disk, read without the crate under test.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) json: Value,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../primitives")
}

/// Every file below the folder, with its path relative to it.
pub(crate) fn read(folder: &Path) -> Vec<File> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Every primitive.
pub(crate) fn primitives() -> Vec<File> {
    read(&root()).into_iter().filter(|file| !file.path.starts_with("_shared")).collect()
}

/// Every shared sub-schema.
pub(crate) fn shared_schemas() -> Vec<File> {
    let mut files = read(&root().join("_shared"));
    files.retain(|file| {
        !["primitive.schema.json", "common_errors.json"].iter().any(|name| file.path.ends_with(name))
    });
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        files.push(File { path: path.strip_prefix(root).unwrap().to_owned(), json });
    }
}
