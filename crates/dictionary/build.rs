//! Writes the table of embedded dictionary files, so that adding a primitive is adding a file.

#![allow(clippy::print_stdout, reason = "directives for cargo are lines on standard output")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("primitives").canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", root.display());

    let mut primitives = Vec::new();
    let mut shared = Vec::new();
    for file in json_files(&root)? {
        let name = dotted_name(&root, &file)?;
        match name.strip_prefix("_shared.") {
            Some(rest) => shared.push((rest.to_owned(), file)),
            None => primitives.push((name, file)),
        }
    }

    let mut out = String::new();
    write_table(&mut out, "PRIMITIVES", "Name and text of every primitive, ordered by name.", primitives)?;
    write_table(&mut out, "SHARED", "Name and text of every file in `_shared`, ordered by name.", shared)?;
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs"), out)?;
    Ok(())
}

fn json_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(json_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(files)
}

/// `<root>/dom/observe/visible.json` is `dom.observe.visible`.
fn dotted_name(root: &Path, file: &Path) -> Result<String, Box<dyn Error>> {
    let relative = file.strip_prefix(root)?.with_extension("");
    let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
    Ok(parts.ok_or_else(|| format!("{} is not UTF-8", file.display()))?.join("."))
}

fn write_table(
    out: &mut String,
    table: &str,
    about: &str,
    mut rows: Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    rows.sort();
    writeln!(out, "/// {about}\npub(crate) static {table}: &[(&str, &str)] = &[")?;
    for (name, file) in rows {
        let file = file.to_str().ok_or_else(|| format!("{} is not UTF-8", file.display()))?;
        writeln!(out, "    ({name:?}, include_str!({file:?})),")?;
    }
    writeln!(out, "];")?;
    Ok(())
}
