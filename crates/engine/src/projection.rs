//! Reading a state projection from the page.

use actions_manifest::model::{Extract, Field, Frame, Projection};
use actions_primitives::extract;
use actions_protocol::ErrorCode;
use serde_json::{Map, Value, json};

use crate::failure::CallError;
use crate::plan::{faults, validator};
use crate::run::Run;

/// The state a projection shows of the page as it is now.
pub(crate) async fn read(run: &Run<'_>, name: &str) -> Result<Value, CallError> {
    let Some(exposed) = run.manifest.projection(name) else {
        return Err(CallError::new(
            ErrorCode::StateProjectionNotFound,
            format!("the map has no projection `{name}`"),
        ));
    };
    let projection = exposed.item;
    let url = run.stage.page().url();
    if !covers(projection, &url) {
        let message = format!("the projection `{name}` does not apply to {url}");
        return Err(CallError::new(ErrorCode::StateProjectionNotFound, message).with_evidence("url", url));
    }
    let extractors: Value = projection.snapshot.extract.iter().map(extractor).collect();
    let seen = extract(run.stage, &extractors, run.deadline).await?;
    let scope = json!({
        "records": seen.records,
        "url": seen.url,
        "title": seen.title,
        "projection": { "name": name },
    });
    let budget = actions_expr::Budget { max_bytes: MAX_STATE_BYTES, ..run.budget };
    let state = projection
        .snapshot
        .projection
        .expression
        .0
        .expression
        .evaluate(&scope, &budget)
        .map_err(|error| {
            let code = match error.code() {
                ErrorCode::ExpressionOutputTooLarge => ErrorCode::StatePayloadTooLarge,
                _ => ErrorCode::StateProjectionFailed,
            };
            CallError::new(code, format!("the projection `{name}` could not be computed: {error}"))
        })?
        .into_json_or_null();
    if let Some(schema) = &projection.snapshot.output_schema {
        let faults = faults(&validator(&Value::Object(schema.schema.clone()))?, &state);
        if !faults.is_empty() {
            let message = format!("the state of `{name}` does not fit its schema: {}", faults[0].message);
            return Err(CallError::new(ErrorCode::StateSchemaValidationFailed, message)
                .with_evidence("errors", json!(faults)));
        }
    }
    Ok(state)
}

/// The default budget of a whole state.
const MAX_STATE_BYTES: usize = 48_000;

fn covers(projection: &Projection, url: &str) -> bool {
    let patterns = projection.scope.as_ref().and_then(|scope| scope.url_matches.as_ref());
    patterns
        .is_none_or(|patterns| patterns.0.iter().any(|pattern| actions_manifest::url_matches(pattern, url)))
}

/// An extractor as the page script reads it.
fn extractor(extract: &Extract) -> Value {
    let mut keys = Map::new();
    keys.insert("id".to_owned(), json!(extract.id.value));
    text(&mut keys, "selector", extract.selector.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "xpath", extract.xpath.as_ref().map(|s| s.value.as_str()));
    keys.extend(
        extract
            .frame
            .as_ref()
            .map(|Frame(chain)| ("frame".to_owned(), chain.iter().map(|one| json!(one.value)).collect())),
    );
    keys.extend(extract.many.map(|many| ("many".to_owned(), json!(many))));
    if !extract.fields.is_empty() {
        keys.insert("fields".to_owned(), fields(&extract.fields));
    }
    Value::Object(keys)
}

fn fields(fields: &[(actions_manifest::model::Located<String>, Field)]) -> Value {
    Value::Object(fields.iter().map(|(name, one)| (name.value.clone(), field(one))).collect())
}

fn field(field: &Field) -> Value {
    let mut keys = Map::new();
    text(&mut keys, "selector", field.selector.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "xpath", field.xpath.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "closest", field.closest.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "attribute", field.attribute.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "property", field.property.as_ref().map(|p| p.value.as_str()));
    keys.extend(field.many.map(|many| ("many".to_owned(), json!(many))));
    keys.extend(field.trim.map(|trim| ("trim".to_owned(), json!(trim))));
    keys.extend(field.required.map(|required| ("required".to_owned(), json!(required))));
    keys.extend(field.default.clone().map(|default| ("default".to_owned(), default)));
    if !field.fields.is_empty() {
        keys.insert("fields".to_owned(), self::fields(&field.fields));
    }
    Value::Object(keys)
}

fn text(keys: &mut Map<String, Value>, key: &str, value: Option<&str>) {
    keys.extend(value.map(|value| (key.to_owned(), json!(value))));
}
