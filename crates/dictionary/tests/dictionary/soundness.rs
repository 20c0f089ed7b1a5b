//! What must hold for every file of the dictionary.

use std::collections::{BTreeMap, BTreeSet};

use actions_dictionary::{CapabilityClass, Dictionary, Primitive, Schema};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::files;

fn meta_schema() -> Value {
    let path = files::root().join("_shared/primitive.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Fails with every problem at once.
fn assert_none(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

fn for_every_primitive(check: impl Fn(&Primitive) -> Vec<String>) {
    let dictionary = Dictionary::builtin();
    assert!(dictionary.names().len() > 0);
    assert_none(
        dictionary
            .iter()
            .flat_map(|primitive| {
                check(primitive)
                    .into_iter()
                    .map(|problem| format!("{}: {problem}", primitive.name))
                    .collect::<Vec<_>>()
            })
            .collect(),
    );
}

#[test]
fn every_file_fits_the_meta_schema() {
    let schema = Schema::compile(meta_schema()).unwrap();
    let mut problems = Vec::new();
    for file in files::primitives() {
        for error in schema.validate(&file.json) {
            problems.push(format!("{}: {error}", file.path.display()));
        }
    }
    assert_none(problems);
}

#[test]
fn every_shared_schema_fits_the_meta_schema_and_is_described() {
    let mut meta = meta_schema();
    meta.as_object_mut().unwrap().retain(|key, _| key == "$defs" || key == "$schema");
    meta["$ref"] = "#/$defs/schema".into();
    meta["required"] = json!(["description"]);
    let schema = Schema::compile(meta).unwrap();
    let mut problems = Vec::new();
    for file in files::shared_schemas() {
        for error in schema.validate(&file.json) {
            problems.push(format!("{}: {error}", file.path.display()));
        }
    }
    assert_none(problems);
}

#[test]
fn the_meta_schema_is_not_satisfied_by_anything() {
    let schema = Schema::compile(meta_schema()).unwrap();
    let good = files::primitives().remove(0).json;
    assert!(schema.is_valid(&good));
    for key in good.as_object().unwrap().keys() {
        let mut bad = good.clone();
        bad.as_object_mut().unwrap().remove(key);
        assert!(!schema.is_valid(&bad), "without `{key}` it should not be valid");
    }
    let mut open = good.clone();
    open["input_schema"]["additionalProperties"] = true.into();
    assert!(!schema.is_valid(&open), "an open input schema should not be valid");
    let mut silent = good.clone();
    silent["input_schema"]["properties"]["undescribed"] = json!({"type": "string"});
    assert!(!schema.is_valid(&silent), "a property without a description should not be valid");
    let mut nested = good;
    nested["output_schema"]["properties"]["open"] = json!({"type": "object", "description": "Open."});
    assert!(!schema.is_valid(&nested), "a nested object that is not closed should not be valid");
}

#[test]
fn the_path_of_a_file_agrees_with_its_name() {
    let mut problems = Vec::new();
    for file in files::primitives() {
        let name = file.json["name"].as_str().unwrap_or_default();
        let expected = format!("{}.json", name.replace('.', "/"));
        if file.path.to_str() != Some(&expected) {
            problems.push(format!("{} holds `{name}`", file.path.display()));
        }
    }
    assert_none(problems);
}

#[test]
fn every_file_is_embedded_under_its_name() {
    let on_disk: Vec<String> =
        files::primitives().into_iter().map(|file| file.json["name"].as_str().unwrap().to_owned()).collect();
    let on_disk: BTreeSet<&str> = on_disk.iter().map(String::as_str).collect();
    let embedded: BTreeSet<&str> = Dictionary::builtin().names().collect();
    assert_eq!(on_disk, embedded);
    for name in embedded {
        assert_eq!(Dictionary::builtin().get(name).unwrap().name, name);
    }
}

#[test]
fn every_schema_is_valid_2020_12_and_self_contained() {
    for_every_primitive(|primitive| {
        [("input", primitive.input_schema()), ("output", primitive.output_schema())]
            .into_iter()
            .filter_map(|(side, schema)| {
                assert!(!schema.to_string().contains("\"actions:"), "{side} keeps a shared reference");
                Schema::compile(schema.clone()).err().map(|error| format!("{side}: {error}"))
            })
            .collect()
    });
}

#[test]
fn every_shared_schema_is_valid_and_used() {
    let used: BTreeSet<String> = Dictionary::builtin()
        .iter()
        .flat_map(|primitive| [primitive.input_schema(), primitive.output_schema()])
        .filter_map(|schema| schema.get("$defs"))
        .flat_map(|defs| defs.as_object().unwrap().keys().cloned().collect::<Vec<_>>())
        .collect();
    let shared: BTreeSet<String> = files::shared_schemas()
        .iter()
        .map(|file| file.path.with_extension("").display().to_string())
        .collect();
    assert_eq!(shared, used);
    for name in shared {
        let schema = Dictionary::builtin().shared(&name).unwrap();
        Schema::compile(schema.json().clone()).unwrap();
    }
    assert!(Dictionary::builtin().shared("common_errors").is_none());
}

#[test]
fn every_example_fits_its_schemas_with_and_without_defaults() {
    for_every_primitive(|primitive| {
        let mut problems = Vec::new();
        for (index, example) in primitive.examples.iter().enumerate() {
            problems.extend(
                primitive.validate_args(&example.args).iter().map(|error| format!("args {index}: {error}")),
            );
            let mut completed = example.args.clone();
            primitive.apply_defaults(&mut completed);
            problems.extend(
                primitive.validate_args(&completed).iter().map(|error| format!("defaults {index}: {error}")),
            );
            problems.extend(
                primitive
                    .output()
                    .validate(&example.output)
                    .iter()
                    .map(|error| format!("output {index}: {error}")),
            );
        }
        problems
    });
}

#[test]
fn every_default_fits_its_own_schema() {
    for_every_primitive(|primitive| {
        let mut problems = Vec::new();
        for root in [primitive.input_schema(), primitive.output_schema()] {
            visit(root, &mut |schema| {
                let Some(default) = schema.get("default").filter(|_| schema.get("description").is_some())
                else {
                    return;
                };
                let mut own = schema.clone();
                own["$defs"] = root.get("$defs").cloned().unwrap_or_else(|| json!({}));
                for error in Schema::compile(own).unwrap().validate(default) {
                    problems.push(format!("default {default}: {error}"));
                }
            });
        }
        problems
    });
}

#[test]
fn numbers_are_never_taken_from_strings() {
    for_every_primitive(|primitive| {
        let mut problems = Vec::new();
        let properties = primitive.input_schema()["properties"].as_object().unwrap();
        for (name, property) in properties {
            if !["number", "integer"].iter().any(|kind| property["type"] == *kind) {
                continue;
            }
            let errors = primitive.validate_args(&json!({ name: "5" }));
            if !errors.iter().any(|error| error.pointer == format!("/{name}") && error.keyword == "type") {
                problems.push(format!("`{name}` takes a numeric string"));
            }
        }
        problems
    });
}

#[test]
fn reads_are_bounded_at_the_source() {
    let bounded: BTreeSet<&str> = Dictionary::builtin()
        .iter()
        // What is too much to be searched for a locator is bounded by the script itself.
        .filter(|primitive| {
            primitive.errors.iter().any(|error| {
                error.code == ErrorCode::PayloadTooLarge
                    && !error.when.contains("too much on the page to search")
            })
        })
        .map(|primitive| {
            let properties = primitive.input_schema()["properties"].as_object().unwrap();
            let bound = properties.iter().find(|(name, _)| name.starts_with("max_"));
            assert!(bound.is_some(), "{} may be too large but has no max_* argument", primitive.name);
            primitive.name.as_str()
        })
        .collect();
    assert!(bounded.contains("locator.text_content"));
}

#[test]
fn summaries_are_all_different() {
    let mut by_summary: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for primitive in Dictionary::builtin().iter() {
        by_summary.entry(&primitive.summary).or_default().push(&primitive.name);
    }
    assert_none(by_summary.values().filter(|names| names.len() > 1).map(|names| names.join(", ")).collect());
}

#[test]
fn error_codes_are_declared_once_and_groups_agree_with_class() {
    let groups_of: BTreeMap<String, Vec<String>> = files::primitives()
        .into_iter()
        .map(|file| {
            let groups = file.json["error_groups"].as_array().unwrap().iter();
            (
                file.json["name"].as_str().unwrap().to_owned(),
                groups.map(|g| g.as_str().unwrap().to_owned()).collect(),
            )
        })
        .collect();
    for_every_primitive(|primitive| {
        let mut problems = Vec::new();
        let codes: BTreeSet<ErrorCode> = primitive.errors.iter().map(|error| error.code).collect();
        if codes.len() != primitive.errors.len() {
            problems.push("a code is declared twice".to_owned());
        }
        let has = |group: &str| groups_of[&primitive.name].iter().any(|name| name == group);
        if !has("call") {
            problems.push("`call` goes with every primitive".to_owned());
        }
        if has("privileged") == (primitive.class == CapabilityClass::Portable) {
            problems.push("`privileged` goes with every class but portable".to_owned());
        }
        problems
    });
}

#[test]
fn the_observers_of_after_each_are_exactly_six() {
    let observers: Vec<&str> = Dictionary::builtin()
        .iter()
        .filter(|primitive| primitive.idempotent_observer)
        .map(|primitive| primitive.name.as_str())
        .collect();
    assert_eq!(
        observers,
        [
            "dom.observe.visible",
            "locator.element_info",
            "locator.wait_for",
            "overlay.menu.hide",
            "overlay.menu.show",
            "viewport.scroll",
        ]
    );
}

fn visit(schema: &Value, look: &mut dyn FnMut(&Value)) {
    look(schema);
    match schema {
        Value::Object(map) => map.values().for_each(|value| visit(value, look)),
        Value::Array(items) => items.iter().for_each(|value| visit(value, look)),
        _ => {}
    }
}
