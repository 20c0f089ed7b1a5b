//! Arguments that break the input schema, made from the schema itself: each primitive refuses them and says where.

use actions_dictionary::{Dictionary, Primitive};
use actions_primitives::{check, performed};
use actions_protocol::ErrorCode;
use serde_json::{Map, Value, json};

use crate::case::read_all;

/// Broken arguments, and the path that the error must name; `None` where the whole object is at fault.
fn broken(primitive: &Primitive, valid: &Value) -> Vec<(Value, Option<String>)> {
    let schema = primitive.input_schema();
    let nothing = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&nothing);
    let with = |key: &str, value: Value| {
        let mut args = valid.clone();
        args[key] = value;
        args
    };
    let mut all = vec![(with("no_such_argument", json!(1)), None), (json!([1]), None), (json!("x"), None)];
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let mut args = valid.clone();
        args.as_object_mut().map(|members| members.remove(required));
        all.push((args, None));
    }
    for (key, property) in properties {
        let at = Some(format!("/{key}"));
        for (kind, wrong) in [
            ("string", json!(7)),
            ("integer", json!("7")),
            ("integer", json!(1.5)),
            ("number", json!("7")),
            ("boolean", json!("true")),
            ("array", json!({ "0": 1 })),
            ("object", json!([1])),
        ] {
            if property["type"] == kind {
                all.push((with(key, wrong), at.clone()));
            }
        }
        if let Some(minimum) = property["minimum"].as_f64() {
            all.push((with(key, json!(minimum - 1.0)), at.clone()));
        }
        if let Some(maximum) = property["maximum"].as_f64() {
            all.push((with(key, json!(maximum + 1.0)), at.clone()));
            all.push((with(key, json!(1e300)), at.clone()));
        }
        if let Some(longest) = property["maxLength"].as_u64() {
            all.push((with(key, json!("x".repeat(longest as usize + 1))), at.clone()));
        }
        if property["minLength"].as_u64().is_some_and(|shortest| shortest > 0) {
            all.push((with(key, json!("")), at.clone()));
        }
        if property["enum"].is_array() {
            all.push((with(key, json!("no such word")), at.clone()));
        }
        if let Some(most) = property["maxItems"].as_u64() {
            all.push((with(key, vec![json!({}); most as usize + 1].into()), at.clone()));
        }
    }
    all
}

#[test]
fn arguments_that_break_the_schema_are_refused_with_their_path() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for cases in read_all() {
        for (args, at) in broken(cases.primitive, &cases.file.cases[0].args) {
            tried += 1;
            let shown: String = args.to_string().chars().take(120).collect();
            match check(cases.primitive, args) {
                Err(failure) if failure.code == ErrorCode::InvalidInput => {
                    let errors = failure.evidence["errors"].as_array().cloned().unwrap_or_default();
                    let names = |at: &str| {
                        errors
                            .iter()
                            .any(|error| error["path"].as_str().is_some_and(|path| path.starts_with(at)))
                    };
                    if at.as_deref().is_some_and(|at| !names(at)) {
                        wrong.push(format!("{} does not name {at:?}: {errors:?}", cases.primitive.name));
                    }
                }
                answer => wrong.push(format!("{} takes {shown}: {answer:?}", cases.primitive.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 500, "only {tried} were made");
}

#[test]
fn the_dictionary_plans_nothing() {
    let performed: Vec<&str> = performed().collect();
    let planned: Vec<&str> = Dictionary::builtin()
        .iter()
        .map(|primitive| primitive.name.as_str())
        .filter(|name| {
            let by_engine =
                |name| Dictionary::builtin().get(name).is_some_and(|one| one.is_performed_by_engine());
            !performed.contains(name) && !by_engine(name)
        })
        .collect();
    assert!(planned.is_empty(), "{planned:?}");
}
