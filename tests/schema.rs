//! Tests of `actions schema`.

use super::{actions, root, stdout};

fn schema() -> serde_json::Value {
    serde_json::from_str(&stdout(&actions(&["schema"]))).expect("JSON")
}

#[test]
fn the_schema_describes_every_section() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let sections = &schema["$defs"]["manifest"]["properties"];
    for section in [
        "surface",
        "imports",
        "context",
        "states",
        "transitions",
        "tools",
        "signals",
        "attachments",
        "checks",
    ] {
        assert!(sections[section]["description"].is_string(), "{section}");
    }
}

#[test]
fn the_schema_accepts_the_maps_of_the_repository() {
    let validator = jsonschema::draft202012::new(&schema()).expect("a valid schema");
    let map = std::fs::read(root().join("sites/example.com/actions.json")).expect("the map");
    let map = serde_json::from_slice(&map).expect("JSON");
    let errors: Vec<_> = validator.iter_errors(&map).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}
