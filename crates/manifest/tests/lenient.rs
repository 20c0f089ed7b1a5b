//! The lenient profile: a defect costs only the part it is in, and one warning names that part.
//!
//! The maps of fixtures/maps/lenient show one deviation of published maps each.

use std::fs;
use std::path::{Path, PathBuf};

use actions_manifest::{Options, Profile, Severity, Validation, validate};

fn maps() -> Vec<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders deep");
    let entries = fs::read_dir(workspace.join("fixtures/maps/lenient")).expect("the folder");
    let mut maps: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    maps.sort();
    maps
}

fn lenient(bytes: &[u8]) -> Validation {
    validate("actions.json", bytes, &Options { profile: Profile::Lenient, ..Options::default() })
}

#[test]
fn a_defect_costs_only_its_part_and_is_reported_once() {
    let mut shown = String::new();
    for path in maps() {
        let validation = lenient(&fs::read(&path).expect("a fixture"));
        shown += &format!("{}\n", path.file_name().expect("a name").to_string_lossy());
        for finding in validation.findings.iter().filter(|finding| finding.severity != Severity::Advice) {
            let help = finding.help.as_ref().map(|help| format!("\n    help: {help}")).unwrap_or_default();
            let (severity, code) = (finding.severity.as_str(), finding.rule.code);
            shown += &format!("  {severity}[{code}] {}\n    {}{help}\n", finding.pointer, finding.message);
        }
        let manifest = validation.manifest.expect("the lenient profile accepts the map");
        let tools: Vec<_> = manifest.tools().map(|tool| tool.name.to_string()).collect();
        let projections: Vec<_> = manifest
            .projections()
            .map(|one| {
                let summaries: Vec<_> = one.item.summaries.iter().map(|one| one.name.as_str()).collect();
                format!("{}({})", one.name, summaries.join(", "))
            })
            .collect();
        shown += &format!("  exposes {}\n\n", [tools, projections].concat().join(", "));
    }
    insta::assert_snapshot!(shown.trim_end());
}

#[test]
fn only_the_json_the_protocol_and_the_tools_refuse_a_map() {
    for unusable in [
        "{",
        "[]",
        r#"{ "version": 1, "tools": [] }"#,
        r#"{ "protocol": "other", "version": 1, "tools": [] }"#,
        r#"{ "protocol": "actions.json", "version": 1 }"#,
        r#"{ "protocol": "actions.json", "version": 1, "tools": {} }"#,
    ] {
        assert!(lenient(unusable.as_bytes()).manifest.is_none(), "{unusable}");
    }
}

#[test]
fn the_strict_profile_refuses_what_the_lenient_one_leaves_out() {
    for path in maps() {
        let bytes = fs::read(&path).expect("a fixture");
        let strict = validate("actions.json", &bytes, &Options::default());
        assert!(strict.manifest.is_none(), "{}", path.display());
    }
}
