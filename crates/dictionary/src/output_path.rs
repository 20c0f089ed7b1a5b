//! Which paths a value of a schema can have.

use std::collections::HashSet;

use serde_json::Value;

/// References followed one after the other before a schema counts as unresolvable.
const MAX_REFERENCES: usize = 16;

/// Follows local references until a schema that is not one.
pub(crate) fn resolve<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Value> {
    let mut schema = schema;
    for _ in 0..MAX_REFERENCES {
        let Some(target) = schema.get("$ref").and_then(Value::as_str) else { return Some(schema) };
        schema = root.pointer(target.strip_prefix('#')?)?;
    }
    None
}

/// Whether a fitting value can have a field at the path; none when the schema leaves it open.
pub fn has_path(root: &Value, path: &[&str]) -> Option<bool> {
    at(root, root, path, &mut Vec::new())
}

/// `seen` holds the schemas already asked about this very path, so that schemas which refer to themselves end.
fn at<'s>(root: &'s Value, schema: &'s Value, path: &[&str], seen: &mut Vec<&'s Value>) -> Option<bool> {
    let Some((name, rest)) = path.split_first() else { return Some(true) };
    let schema = resolve(root, schema)?;
    if seen.iter().any(|known| std::ptr::eq(*known, schema)) {
        return Some(false);
    }
    seen.push(schema);
    for combination in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(combination).and_then(Value::as_array) {
            // Branches that only say which keys are required add nothing to what the schema itself says.
            if branches.iter().any(|branch| !is_requirement(branch)) {
                return any(branches.iter().map(|branch| at(root, branch, path, seen)));
            }
        }
    }
    if !may_be(schema, "object") {
        return match schema.get("items") {
            Some(items) if may_be(schema, "array") => at(root, items, path, seen),
            None if may_be(schema, "array") => None,
            _ => Some(false),
        };
    }
    if let Some(property) = schema.get("properties").and_then(|properties| properties.get(name)) {
        return at(root, property, rest, &mut Vec::new());
    }
    match schema.get("additionalProperties") {
        _ if schema.get("patternProperties").is_some() => None,
        Some(Value::Bool(false)) => Some(false),
        Some(other) if other.is_object() && !rest.is_empty() => {
            match at(root, other, rest, &mut Vec::new()) {
                Some(false) => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The fields a fitting value can have at the path, as far as the schema names them; arrays are looked through.
pub fn fields_at<'s>(root: &'s Value, path: &[&str]) -> Vec<&'s str> {
    let mut fields = Vec::new();
    let mut open = vec![(root, path)];
    // Every schema is asked once about what is left of the path, so that schemas which refer to themselves end.
    let mut asked: HashSet<(*const Value, usize)> = HashSet::new();
    while let Some((schema, path)) = open.pop() {
        let Some(schema) = resolve(root, schema) else { continue };
        if !asked.insert((schema, path.len())) {
            continue;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        match path.split_first() {
            None => fields.extend(properties.into_iter().flat_map(|named| named.keys().map(String::as_str))),
            Some((name, rest)) => {
                open.extend(properties.and_then(|named| named.get(*name)).map(|one| (one, rest)))
            }
        }
        let branches =
            ["anyOf", "oneOf"].iter().filter_map(|combination| schema.get(combination)?.as_array());
        open.extend(branches.flatten().chain(schema.get("items")).map(|inner| (inner, path)));
    }
    fields
}

fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all_known = true;
    for answer in answers {
        match answer {
            Some(true) => return Some(true),
            Some(false) => {}
            None => all_known = false,
        }
    }
    if all_known { Some(false) } else { None }
}

fn may_be(schema: &Value, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == wanted,
        Some(Value::Array(several)) => several.iter().any(|one| one == wanted),
        _ => !["enum", "const"].iter().any(|keyword| schema.get(keyword).is_some()),
    }
}

pub(crate) fn is_requirement(branch: &Value) -> bool {
    branch.as_object().is_some_and(|map| map.len() == 1 && map.contains_key("required"))
}
