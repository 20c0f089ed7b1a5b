//! Which fields the schema of an output allows.

use actions_dictionary::{Dictionary, Schema, fields_at, has_path};
use serde_json::json;

fn has(name: &str, path: &str) -> Option<bool> {
    let path: Vec<&str> = path.split('.').collect();
    Dictionary::builtin().get(name).unwrap().output_has_path(&path)
}

#[test]
fn declared_fields_are_found_through_references_and_arrays() {
    assert_eq!(has("locator.element_info", "clickable_center.x"), Some(true));
    assert_eq!(has("locator.element_info", "visibility.occluded_by.tag_name"), Some(true));
    assert_eq!(has("locator.element_info", "candidates.bounding_box.width"), Some(true));
    assert_eq!(has("dom.observe.visible", "matches.text"), Some(true));
    assert_eq!(has("task.next", "task.id"), Some(true));
    assert_eq!(has("task.next", "tasks.status"), Some(true));
    assert_eq!(has("transfer.write", "record_count"), Some(true));
}

#[test]
fn fields_that_cannot_exist_are_known_not_to() {
    assert_eq!(has("locator.element_info", "value.clickable_center"), Some(false));
    assert_eq!(has("locator.element_info", "clickable_center.z"), Some(false));
    assert_eq!(has("locator.element_info", "tag_name.length"), Some(false));
    assert_eq!(has("locator.wait_for", "matched.really"), Some(false));
    assert_eq!(has("locator.element_info", "visibility.occluded_by.colour"), Some(false));
}

#[test]
fn what_a_schema_leaves_open_is_not_decided() {
    assert_eq!(has("actions.site", "anything.at_all"), None);
    assert_eq!(has("dom.extract", "records.lists.name"), None);
    assert_eq!(has("dom.observe.attributes", "matches.attributes.aria-label"), None);

    let schema = Schema::compile(json!({
        "type": "object",
        "properties": {"any": {}, "map": {"type": "object", "additionalProperties": {"type": "number"}}, "list": {"type": "array"}},
        "additionalProperties": false
    }))
    .unwrap();
    assert_eq!(schema.has_path(&["any", "thing"]), None);
    assert_eq!(schema.has_path(&["map", "key"]), None);
    assert_eq!(schema.has_path(&["map", "key", "deeper"]), Some(false));
    assert_eq!(schema.has_path(&["list", "thing"]), None);
    assert_eq!(schema.has_path(&[]), Some(true));
}

#[test]
fn the_fields_at_a_path_are_listed() {
    let schema = Dictionary::builtin().get("locator.element_info").unwrap().output_schema();
    assert_eq!(fields_at(schema, &["clickable_center"]), ["x", "y"]);
    assert!(fields_at(schema, &["candidates"]).contains(&"bounding_box"));
    assert!(fields_at(schema, &["tag_name"]).is_empty());
}

#[test]
fn a_schema_that_refers_to_itself_many_times_lists_its_fields_once() {
    let branches: Vec<_> = (0..40).map(|_| json!({"$ref": "#"})).collect();
    let schema = json!({"properties": {"a": {"$ref": "#"}}, "anyOf": branches, "items": {"$ref": "#"}});
    assert_eq!(fields_at(&schema, &["a", "a", "a"]), ["a"]);
}

#[test]
fn a_schema_with_patterns_for_names_leaves_them_open() {
    let schema = json!({"type": "object", "patternProperties": {"^x_": {}}, "additionalProperties": false});
    assert_eq!(has_path(&schema, &["x_note"]), None);
}
