//! Every rule has a folder fixtures/rules/CODE with maps that break it and no other rule. A snapshot
//! holds the messages.

use std::fs;
use std::path::{Path, PathBuf};

use actions_manifest::{Files, Finding, Options, Profile, RULES, json_schema, read_file, validate};

fn fixtures() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    workspace.expect("the crate stands two folders deep").join("fixtures")
}

/// The maps of a folder; helpers a map imports begin with an underscore.
fn maps(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut maps: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    maps.retain(|path| path.extension().is_some_and(|ext| ext == "json"));
    maps.retain(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_')));
    maps.sort();
    maps
}

/// The maps of a folder that is known to have some: a test that looks at none shows nothing.
fn some_maps(folder: &Path) -> Vec<PathBuf> {
    let maps = maps(folder);
    assert!(!maps.is_empty(), "there are no maps in {}", folder.display());
    maps
}

fn findings(path: &Path, profile: Profile) -> Vec<Finding> {
    let bytes = read_file(path).expect("a fixture");
    let name = path.display().to_string();
    validate(&name, &bytes, &Options { profile, imports: &Files::of(&name) }).findings
}

fn shown(findings: &[Finding]) -> String {
    let lines = findings.iter().map(|finding| {
        let position = finding.position();
        let help = finding.help.as_ref().map(|help| format!("\n    help: {help}")).unwrap_or_default();
        let related = finding.related.iter().map(|related| {
            let position = related.source.position(related.span.start);
            format!("\n    {}:{}: {}", position.line, position.column, related.message)
        });
        format!(
            "{}[{}] {}:{} {}\n    {}{}{help}",
            finding.severity.as_str(),
            finding.rule.code,
            position.line,
            position.column,
            finding.pointer,
            finding.message,
            related.collect::<String>(),
        )
    });
    let shown = lines.collect::<Vec<_>>().join("\n");
    // A snapshot is the same wherever the workspace stands.
    shown.replace(&format!("{}/", fixtures().display()), "")
}

/// Maps that break this rule break others thousands of times. It has a test of its own.
const NEVER_ALONE: &str = "J008";

/// The folder of a rule's fixtures; a file that is too large is written when it is needed.
fn folder_of(code: &str, scratch: &Path) -> PathBuf {
    if code == "J005" {
        fs::write(scratch.join("seventeen_megabytes.json"), " ".repeat(17 << 20)).expect("a scratch file");
        return scratch.to_owned();
    }
    fixtures().join("rules").join(code)
}

#[test]
fn a_map_with_very_many_mistakes_is_rejected_and_not_all_of_them_are_listed() {
    let states: Vec<u8> = vec![7; 30_000];
    let map = serde_json::json!({ "protocol": "actions.json", "version": 1, "tools": [], "context": states });
    for profile in [Profile::Strict, Profile::Lenient] {
        let options = Options { profile, ..Options::default() };
        let validation = validate("map.json", map.to_string().as_bytes(), &options);
        assert!(validation.manifest.is_none(), "{profile:?}");
        let last = validation.findings.last().expect("findings");
        assert_eq!((validation.findings.len(), last.rule.code), (20_001, NEVER_ALONE));
        assert_eq!(last.message, "10000 more findings are not listed");
    }
}

#[test]
fn every_rule_has_a_fixture() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let without =
        RULES.iter().map(|rule| rule.code).filter(|code| maps(&folder_of(code, scratch.path())).is_empty());
    let without = without.filter(|code| *code != NEVER_ALONE);
    assert_eq!(without.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_rule_is_broken_alone_by_its_own_fixtures() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut faults = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.code != NEVER_ALONE) {
        let maps = some_maps(&folder_of(rule.code, scratch.path()));
        let mut snapshot = String::new();
        for map in maps {
            let findings = findings(&map, Profile::Strict);
            if findings.is_empty() || findings.iter().any(|finding| finding.rule.code != rule.code) {
                faults.push(format!(
                    "{} alone is expected in {}\n{}",
                    rule.code,
                    map.display(),
                    shown(&findings)
                ));
            }
            let name = map.file_name().expect("a name").to_string_lossy();
            snapshot += &format!("{name}\n{}\n\n", shown(&findings));
        }
        insta::with_settings!({ snapshot_path => "snapshots/rules", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(rule.code, snapshot.trim_end());
        });
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn every_fixture_folder_belongs_to_a_rule() {
    for entry in fs::read_dir(fixtures().join("rules")).expect("the folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(RULES.iter().any(|rule| rule.code == name), "fixtures/rules/{name} belongs to no rule");
    }
}

#[test]
fn codes_are_unique_and_every_story_tells_what_to_do_instead() {
    let mut codes: Vec<_> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted(), "the rules stand in the order of their codes");
    codes.dedup();
    assert_eq!(codes.len(), RULES.len(), "every code is used once");
    for rule in RULES.iter() {
        assert!(rule.title().ends_with('.'), "{}: the title is a sentence", rule.code);
        assert!(rule.story().contains("Instead"), "{}: the story says what to write instead", rule.code);
    }
}

#[test]
fn valid_maps_have_no_findings() {
    for map in some_maps(&fixtures().join("maps/valid")) {
        let findings = findings(&map, Profile::Strict);
        assert!(findings.is_empty(), "{}: {}", map.display(), shown(&findings));
    }
}

#[test]
fn the_editor_schema_agrees_with_the_reader_on_shape() {
    let schema = jsonschema::draft202012::new(&json_schema()).expect("a valid schema");
    for map in some_maps(&fixtures().join("maps/valid")) {
        let value = serde_json::from_slice(&fs::read(&map).expect("a fixture")).expect("JSON");
        let errors: Vec<_> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", map.display());
    }
    for rule in RULES.iter().filter(|rule| rule.is_shape()) {
        for map in some_maps(&fixtures().join("rules").join(rule.code)) {
            let value = serde_json::from_slice(&fs::read(&map).expect("a fixture")).expect("JSON");
            assert!(!schema.is_valid(&value), "the schema accepts {}", map.display());
        }
    }
}
