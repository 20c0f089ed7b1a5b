//! Schemas from outside the dictionary, invalid and hostile ones included.

use actions_dictionary::Schema;
use serde_json::{Value, json};

fn refusal(schema: Value) -> String {
    Schema::compile(schema).unwrap_err().to_string()
}

#[test]
fn a_schema_that_is_none_is_refused_with_every_reason() {
    let refusals = [
        json!({"type": "text", "required": "query", "minLength": -1}),
        json!({"properties": {"a": {"type": ["string", 5]}, "b": []}}),
        json!({"pattern": "("}),
        json!({"$ref": "#/$defs/missing"}),
        json!(5),
        json!([]),
    ]
    .map(refusal)
    .join("\n");
    insta::assert_snapshot!(refusals);
}

#[test]
fn references_are_never_fetched() {
    assert!(refusal(json!({"$ref": "https://example.com/schema.json"})).contains("leads nowhere"));
    assert!(refusal(json!({"$ref": "file:///etc/hostname"})).contains("leads nowhere"));
}

#[test]
fn schemas_that_refer_to_themselves_come_to_an_end() {
    let schemas = [
        json!({"$ref": "#"}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}),
        json!({"anyOf": [{"$ref": "#"}, {"type": "string"}]}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        json!({"items": {"$ref": "#"}, "type": "array"}),
    ];
    for schema in schemas {
        let schema = Schema::compile(schema).unwrap();
        let mut value = json!({"a": [1, {"b": 2}]});
        schema.apply_defaults(&mut value);
        schema.validate(&value);
        assert_ne!(schema.has_path(&["a", "b"]), Some(true));
    }
}

#[test]
fn hostile_patterns_and_depths_do_no_harm() {
    let greedy = Schema::compile(json!({"pattern": "^(?=(a+)+$)b"})).unwrap();
    assert!(!greedy.is_valid(&json!(format!("{}c", "a".repeat(100)))));
    assert!(refusal(json!({"pattern": "((a{1000}){1000}){1000}"})).contains("must be a regular expression"));

    let deep = (0..1000).fold(json!({}), |inner, _| json!({"not": inner}));
    assert_eq!(refusal(deep), "not a JSON Schema: is nested more than 128 levels deep");
}

#[test]
fn the_errors_of_one_value_are_bounded() {
    let schema = Schema::compile(json!({
        "items": {"enum": (0..1000).collect::<Vec<_>>()}
    }))
    .unwrap();
    let errors = schema.validate(&json!(vec![-1; 10_000]));
    assert_eq!(errors.len(), 100);
    assert!(errors[0].message.ends_with("and 976 more"), "{}", errors[0].message);
}

#[test]
fn the_draft_is_2020_12_whatever_the_schema_says() {
    let schema = Schema::compile(json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$defs": {"text": {"type": "string"}},
        "properties": {"a": {"$ref": "#/$defs/text", "minLength": 2}}
    }));
    // Draft 7 ignores what stands beside a reference; 2020-12 does not.
    assert!(!schema.unwrap().is_valid(&json!({"a": "x"})));
}
