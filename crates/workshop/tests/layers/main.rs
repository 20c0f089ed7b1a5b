//! Dependencies point downwards: of a crate on crates below it, and of a module on modules below it.

mod scan;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use table::{CRATES, Crate, OTHERS};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The names of the crates of this workspace in a manifest of cargo, by their folders.
fn dependencies(of: &str) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(of).join("Cargo.toml")).expect("a manifest of cargo");
    let lines = manifest.lines().skip_while(|line| !line.contains("dependencies]"));
    lines
        .filter_map(|line| line.strip_prefix("actions-"))
        .map(|line| line.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect())
        .collect()
}

#[test]
fn every_crate_has_its_place() {
    let folders = fs::read_dir(crates()).expect("the folder of crates").map(|entry| entry.expect("an entry"));
    let folders: BTreeSet<String> = folders
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let declared: BTreeSet<String> = CRATES.iter().map(|known| known.name.to_owned()).collect();
    assert_eq!(folders, declared, "crates/workshop/tests/layers/table.rs names every crate");
}

#[test]
fn a_crate_depends_only_on_crates_below_it() {
    for (place, known) in CRATES.iter().enumerate() {
        for dependency in dependencies(known.name) {
            // A crate may depend on itself to test its own features.
            let below = CRATES[..=place].iter().any(|lower| lower.name == dependency);
            assert!(below, "`{}` depends on `{dependency}`, which does not stand below it", known.name);
        }
    }
}

#[test]
fn a_module_uses_only_modules_below_it() {
    let faults: Vec<String> = CRATES.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "in crates/workshop/tests/layers/table.rs:\n{}", faults.join("\n"));
}

/// Everything in which the table and the sources of a crate disagree.
fn faults(known: &Crate) -> Vec<String> {
    let uses = scan::uses(&crates().join(known.name).join("src"));
    let layers: Vec<Vec<&str>> =
        known.layers.iter().map(|layer| layer.split_whitespace().collect()).collect();
    let stands_in = |module: &str| layers.iter().position(|layer| layer.contains(&module));
    let layer_of = |module: &str| stands_in(module).or_else(|| stands_in(OTHERS));
    let mut faults = Vec::new();
    for module in uses.keys().filter(|module| layer_of(module).is_none()) {
        faults.push(format!("{}: the module `{module}` has no layer", known.name));
    }
    let named = layers.iter().flatten().filter(|module| **module != OTHERS);
    for module in named.filter(|module| !uses.contains_key(**module)) {
        faults.push(format!("{}: there is no module `{module}`", known.name));
    }
    let edges =
        uses.iter().flat_map(|(user, used)| used.iter().map(move |used| (user.as_str(), used.as_str())));
    for (user, used) in edges.filter(|(user, used)| layer_of(user) <= layer_of(used)) {
        faults.push(format!("{}: `{user}` uses `{used}`, which does not stand below it", known.name));
    }
    faults
}
