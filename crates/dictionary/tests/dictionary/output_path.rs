use actions_dictionary::{Dictionary, Schema};
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
