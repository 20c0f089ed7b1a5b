//! The threat model names only tests that exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Adds the text of every Rust file in a folder and its folders.
fn gather(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            gather(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).expect("a file"));
        }
    }
}

#[test]
fn every_test_that_the_threat_model_names_exists() {
    let model = fs::read_to_string(root().join("docs/internals/threat-model.md")).expect("the threat model");
    let is_test = |word: &&str| {
        word.matches('_').count() >= 2
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let named: Vec<&str> = model.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 30, "{named:?}");
    let mut sources = String::new();
    ["crates", "tests"].iter().for_each(|folder| gather(&root().join(folder), &mut sources));
    let missing: Vec<&&str> = named.iter().filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}
