//! The dependencies have licences that allow what ours allow, come from a registry, and come once. `.cargo/deny.toml` has
//! the same rules for `cargo deny`, which also knows advisories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// The licences that a dependency may have.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The dependencies that come in several versions, with the reason. It must not grow, and shrinks when it can.
const DUPLICATES: &[(&str, &str)] = &[
    ("getrandom", "a hasher of the JSON Schema validator uses 0.3, and the crypto library of TLS 0.2"),
    ("r-efi", "only for UEFI, by both versions of getrandom"),
    ("syn", "macros that have not moved to syn 3"),
    ("windows-sys", "only on Windows, by the crypto library of TLS"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The name, version and source of each package of the lock file; our own have no source.
fn locked() -> Vec<(String, String, Option<String>)> {
    let text = fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    let package = |text: &str| {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")));
            line.and_then(|line| line.strip_suffix('"')).map(str::to_owned)
        };
        Some((value("name")?, value("version")?, value("source")))
    };
    text.split("[[package]]").skip(1).filter_map(package).collect()
}

#[test]
fn every_dependency_comes_from_a_registry() {
    let locked = locked();
    assert!(locked.len() > 100, "the lock file is read");
    let foreign = locked.iter().filter(|(.., source)| {
        source
            .as_ref()
            .is_some_and(|source| !source.starts_with("registry+") && !source.starts_with("sparse+"))
    });
    assert_eq!(foreign.collect::<Vec<_>>(), Vec::<&(String, String, Option<String>)>::new());
}

#[test]
fn every_dependency_comes_in_one_version_unless_there_is_a_reason() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version, _) in locked() {
        versions.entry(name).or_default().push(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    let found: Vec<&str> = versions.keys().map(String::as_str).collect();
    let known: Vec<&str> = DUPLICATES.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, known, "{versions:?}");
}

/// Whether a licence expression can be met with what is allowed. `AND` binds more tightly than `OR`.
fn is_allowed(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ");
    // Every expression with brackets so far has them around a choice, all of whose parts are allowed.
    let strict = expression.contains('(');
    let known = |one: &str| LICENCES.contains(&one.trim());
    let all = |terms: &str| terms.split(" AND ").all(known);
    match strict {
        true => plain.split(" AND ").flat_map(|term| term.split(" OR ")).all(known),
        false => plain.replace('/', " OR ").split(" OR ").any(all),
    }
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let metadata = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--all-features"])
        .args(["--filter-platform", host])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    assert!(packages.len() > 100, "the metadata is read");
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{} has the licence {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn a_choice_needs_one_licence_and_a_sum_needs_all() {
    for allowed in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(is_allowed(allowed), "{allowed}");
    }
    for refused in ["GPL-3.0", "MIT AND GPL-3.0", "", "(MIT OR Apache-2.0) AND GPL-3.0"] {
        assert!(!is_allowed(refused), "{refused}");
    }
}

#[test]
fn the_rules_for_cargo_deny_are_the_same() {
    let rules = fs::read_to_string(root().join(".cargo/deny.toml")).expect("the rules");
    for licence in LICENCES {
        assert!(rules.contains(&format!("    \"{licence}\",\n")), "{licence}");
    }
    assert_eq!(rules.matches("    \"").count(), LICENCES.len());
    for (name, _) in DUPLICATES {
        assert!(rules.contains(&format!("{{ crate = \"{name}@")), "{name}");
    }
}
