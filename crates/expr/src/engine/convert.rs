//! JSON to values of the engine and back.

use std::rc::Rc;

use jsonata_core::value::{JArray, JMap, JValue};
use serde_json::Value as Json;

use super::key_order::put_in_order;
use crate::facts::Reads;
use crate::{Budget, EvaluateError};

/// The deepest value an expression may read or give. Deeper JSON is not read by any parser we know either.
const MAX_VALUE_DEPTH: usize = 256;

const TOO_DEEP: EvaluateError = EvaluateError::TooDeep { max_depth: MAX_VALUE_DEPTH };

/// Converts the part of a scope that is read.
pub(super) fn to_engine(json: &Json, reads: &Reads) -> Result<JValue, EvaluateError> {
    part_to_engine(json, reads, 0)
}

fn part_to_engine(json: &Json, reads: &Reads, depth: usize) -> Result<JValue, EvaluateError> {
    if reads.whole {
        return whole_to_engine(json, depth);
    }
    if depth > MAX_VALUE_DEPTH {
        return Err(TOO_DEEP);
    }
    match json {
        Json::Object(members) => {
            let mut map = JMap::default();
            for (name, below) in &reads.fields {
                if let Some(member) = members.get(name) {
                    map.insert(name.clone(), part_to_engine(member, below, depth + 1)?);
                }
            }
            Ok(JValue::Object(Rc::new(map)))
        }
        // A path goes through the items of an array.
        Json::Array(items) => {
            let items = items.iter().map(|item| part_to_engine(item, reads, depth + 1));
            Ok(JValue::array(items.collect::<Result<_, _>>()?))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => whole_to_engine(json, depth),
    }
}

fn whole_to_engine(json: &Json, depth: usize) -> Result<JValue, EvaluateError> {
    if depth > MAX_VALUE_DEPTH {
        return Err(TOO_DEEP);
    }
    Ok(match json {
        Json::Null => JValue::Null,
        Json::Bool(truth) => JValue::Bool(*truth),
        Json::Number(number) => JValue::Number(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => JValue::string(text.as_str()),
        Json::Array(items) => {
            let flat = !items.iter().any(Json::is_array);
            let items = items.iter().map(|item| whole_to_engine(item, depth + 1));
            JValue::Array(JArray::new_flat(items.collect::<Result<_, _>>()?, flat))
        }
        Json::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            put_in_order(&mut members, |(key, _)| key);
            let members = members.into_iter();
            let members = members.map(|(key, member)| Ok((key.clone(), whole_to_engine(member, depth + 1)?)));
            JValue::Object(Rc::new(members.collect::<Result<JMap, EvaluateError>>()?))
        }
    })
}

/// Converts a result, as long as it stays within the bytes of the budget. `None` is undefined.
///
/// Functions are left out as JSON.stringify leaves them out: undefined on their own and as a member of an object, null
/// as an element of an array.
pub(super) fn from_engine(value: &JValue, budget: &Budget) -> Result<Option<Json>, EvaluateError> {
    Bytes { left: budget.max_bytes, max_bytes: budget.max_bytes }.convert(value, 0)
}

/// The bytes a result may still have as compact JSON.
struct Bytes {
    left: usize,
    max_bytes: usize,
}

impl Bytes {
    fn convert(&mut self, value: &JValue, depth: usize) -> Result<Option<Json>, EvaluateError> {
        if depth > MAX_VALUE_DEPTH {
            return Err(TOO_DEEP);
        }
        Ok(Some(match value {
            JValue::Undefined | JValue::Lambda(_) | JValue::Builtin { .. } | JValue::Regex { .. } => {
                return Ok(None);
            }
            JValue::Null => {
                self.spend("null".len())?;
                Json::Null
            }
            JValue::Bool(truth) => {
                self.spend(if *truth { "true".len() } else { "false".len() })?;
                Json::Bool(*truth)
            }
            JValue::Number(number) => {
                let json = number_to_json(*number);
                self.spend(json.to_string().len())?;
                json
            }
            JValue::String(text) => {
                self.spend_string(text)?;
                Json::String(text.to_string())
            }
            JValue::Array(items) => {
                self.spend("[]".len() + items.len().saturating_sub(1))?;
                let mut array = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let json = match self.convert(item, depth + 1)? {
                        Some(json) => json,
                        None => {
                            self.spend("null".len())?;
                            Json::Null
                        }
                    };
                    array.push(json);
                }
                Json::Array(array)
            }
            JValue::Object(members) => {
                self.spend("{}".len())?;
                let mut object = serde_json::Map::with_capacity(members.len());
                let mut members: Vec<_> = members.iter().collect();
                put_in_order(&mut members, |(key, _)| key);
                for (key, member) in members {
                    let Some(json) = self.convert(member, depth + 1)? else {
                        continue;
                    };
                    self.spend(":".len() + usize::from(!object.is_empty()))?;
                    self.spend_string(key)?;
                    object.insert(key.clone(), json);
                }
                Json::Object(object)
            }
        }))
    }

    fn spend_string(&mut self, text: &str) -> Result<(), EvaluateError> {
        self.spend("\"\"".len() + text.len())?;
        let escapes = text.bytes().map(|byte| match byte {
            b'"' | b'\\' | 0x08 | 0x09 | 0x0a | 0x0c | 0x0d => 1,
            0x00..0x20 => 5,
            _ => 0,
        });
        self.spend(escapes.sum())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), EvaluateError> {
        self.left =
            self.left.checked_sub(bytes).ok_or(EvaluateError::TooLarge { max_bytes: self.max_bytes })?;
        Ok(())
    }
}

/// JSON knows no infinity and no NaN: JSON.stringify writes null. Whole numbers stay whole.
fn number_to_json(number: f64) -> Json {
    const MAX_SAFE: f64 = 9_007_199_254_740_992.0;
    const MAX_WRITTEN_OUT: f64 = 1e18;
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 2^53")]
        return Json::from(number as i64);
    }
    // Beyond that JavaScript writes the fewest digits that tell the number from others, and zeros.
    if number.fract() == 0.0
        && number.abs() < MAX_WRITTEN_OUT
        && let Ok(written) = number.to_string().parse::<i64>()
    {
        return Json::from(written);
    }
    serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number)
}
