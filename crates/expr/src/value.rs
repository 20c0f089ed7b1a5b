//! What an expression gives.

use serde_json::Value as Json;

/// The value of an expression or template: JSON, or nothing at all.
///
/// Undefined and null differ. An undefined argument is absent; a null argument is there and is null.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// No value: a path that leads nowhere, an empty sequence, or a function, which JSON cannot hold.
    #[default]
    Undefined,
    /// A JSON value, which may be null.
    Json(Json),
}

impl Value {
    /// Tells whether `when` and `retry_until` hold: JavaScript's truth.
    ///
    /// False are undefined, null, `false`, `0` and the empty string. Everything else is true, `[]`, `{}` and
    /// `"false"` included.
    ///
    /// ```
    /// use actions_expr::Value;
    /// use serde_json::json;
    /// assert!(Value::from(json!([])).is_truthy());
    /// assert!(!Value::from(json!("")).is_truthy());
    /// assert!(!Value::Undefined.is_truthy());
    /// ```
    pub fn is_truthy(&self) -> bool {
        match self {
            Value::Undefined | Value::Json(Json::Null) => false,
            Value::Json(Json::Bool(truth)) => *truth,
            Value::Json(Json::Number(number)) => number.as_f64().is_some_and(|n| n != 0.0 && !n.is_nan()),
            Value::Json(Json::String(text)) => !text.is_empty(),
            Value::Json(Json::Array(_) | Json::Object(_)) => true,
        }
    }

    /// Tells whether there is no value.
    pub const fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined)
    }

    /// The JSON value, if there is one.
    pub const fn as_json(&self) -> Option<&Json> {
        match self {
            Value::Undefined => None,
            Value::Json(json) => Some(json),
        }
    }

    /// The JSON value, if there is one.
    pub fn into_json(self) -> Option<Json> {
        match self {
            Value::Undefined => None,
            Value::Json(json) => Some(json),
        }
    }

    /// The JSON value, or null where a place must be filled (an element of an array).
    pub fn into_json_or_null(self) -> Json {
        self.into_json().unwrap_or(Json::Null)
    }

    /// The items a loop visits: undefined is no item, an array its elements, anything else one item.
    ///
    /// This is JSONata's own view of a sequence, in which one match and an array of one match are the same.
    pub fn into_items(self) -> Vec<Json> {
        match self {
            Value::Undefined => Vec::new(),
            Value::Json(Json::Array(items)) => items,
            Value::Json(single) => vec![single],
        }
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        Value::Json(json)
    }
}

impl From<Option<Json>> for Value {
    fn from(json: Option<Json>) -> Self {
        json.map_or(Value::Undefined, Value::Json)
    }
}

impl From<Value> for Option<Json> {
    fn from(value: Value) -> Self {
        value.into_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn truth_is_that_of_javascript() {
        for truthy in [json!([]), json!({}), json!("false"), json!("0"), json!(-1), json!(0.5), json!(true)] {
            assert!(Value::from(truthy.clone()).is_truthy(), "{truthy}");
        }
        for falsy in [json!(""), json!(0), json!(0.0), json!(-0.0), json!(null), json!(false)] {
            assert!(!Value::from(falsy.clone()).is_truthy(), "{falsy}");
        }
        assert!(!Value::Undefined.is_truthy());
    }

    #[test]
    fn a_single_value_is_a_collection_of_one() {
        assert_eq!(Value::from(json!([1, 2])).into_items(), [json!(1), json!(2)]);
        assert_eq!(Value::from(json!("one")).into_items(), [json!("one")]);
        assert_eq!(Value::from(json!(null)).into_items(), [json!(null)]);
        assert!(Value::Undefined.into_items().is_empty());
    }
}
