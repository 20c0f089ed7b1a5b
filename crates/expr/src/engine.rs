//! The JSONata engine: the only file that names it.

use std::rc::Rc;
use std::sync::Arc;

use actions_protocol::ErrorCode;
use jsonata_core::ast::AstNode;
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorError, EvaluatorOptions};
use jsonata_core::value::{JMap, JValue};
use serde_json::Value as Json;

use crate::syntax::{Node, locate};
use crate::{Budget, CompileError, EvaluateError, Value};

/// The deepest value an expression may read or give.
const MAX_VALUE_DEPTH: usize = 256;

/// An expression in the engine's own form.
#[derive(Debug)]
pub(crate) struct Program {
    tree: Arc<AstNode>,
}

impl Program {
    /// Compiles the source of an expression; `syntax` is its tree.
    pub(crate) fn compile(source: &str, syntax: &Node) -> Result<Program, CompileError> {
        let tree = jsonata_core::parser::parse(source).map_err(|error| {
            let message = error.to_string();
            let jsonata_code = jsonata_code(&message);
            CompileError {
                code: ErrorCode::InvalidExpression,
                place: locate(syntax, jsonata_code),
                jsonata_code: jsonata_code.map(str::to_owned),
                message,
                hint: None,
            }
        })?;
        Ok(Program { tree: Arc::new(tree) })
    }

    pub(crate) fn evaluate(&self, scope: &Json, budget: &Budget) -> Result<Value, EvaluateError> {
        let options = EvaluatorOptions {
            timeout_ms: Some(u64::try_from(budget.max_time.as_millis()).unwrap_or(u64::MAX)),
            cancel: None,
            max_stack_depth: Some(budget.max_depth),
            max_sequence_length: Some(budget.max_sequence),
        };
        let data = to_engine(scope, 0).ok_or(EvaluateError::TooDeep { max_depth: MAX_VALUE_DEPTH })?;
        let result = Evaluator::with_options(Context::new(), options)
            .evaluate(&self.tree, &data)
            .map_err(|error| classify(&error, budget))?;
        let mut writer = FromEngine { bytes_left: budget.max_bytes, budget };
        Ok(Value::from(writer.convert(&result, 0)?))
    }
}

fn classify(error: &EvaluatorError, budget: &Budget) -> EvaluateError {
    let message = error.message();
    match jsonata_code(message) {
        Some("D1011" | "U1001") => EvaluateError::TooDeep { max_depth: budget.max_depth },
        Some("D1012") => EvaluateError::TooSlow { max_time: budget.max_time },
        Some("D2014" | "D2015") => EvaluateError::TooLong { max_sequence: budget.max_sequence },
        code => EvaluateError::Failed {
            jsonata_code: code.map(str::to_owned),
            message: message.to_owned(),
            offset: None,
        },
    }
}

/// The first JSONata code in a message: a capital letter and four digits.
fn jsonata_code(message: &str) -> Option<&str> {
    message
        .as_bytes()
        .windows(5)
        .position(|code| code[0].is_ascii_uppercase() && code[1..].iter().all(u8::is_ascii_digit))
        .map(|at| &message[at..at + 5])
}

fn to_engine(json: &Json, depth: usize) -> Option<JValue> {
    if depth > MAX_VALUE_DEPTH {
        return None;
    }
    Some(match json {
        Json::Null => JValue::Null,
        Json::Bool(truth) => JValue::Bool(*truth),
        Json::Number(number) => JValue::Number(number.as_f64().unwrap_or(f64::NAN)),
        Json::String(text) => JValue::string(text.as_str()),
        Json::Array(items) => {
            JValue::array(items.iter().map(|item| to_engine(item, depth + 1)).collect::<Option<_>>()?)
        }
        Json::Object(members) => {
            let members =
                members.iter().map(|(key, member)| Some((key.clone(), to_engine(member, depth + 1)?)));
            JValue::Object(Rc::new(members.collect::<Option<JMap>>()?))
        }
    })
}

struct FromEngine<'a> {
    bytes_left: usize,
    budget: &'a Budget,
}

impl FromEngine<'_> {
    /// `None` is undefined. Functions are undefined too, as JSON.stringify leaves them out.
    fn convert(&mut self, value: &JValue, depth: usize) -> Result<Option<Json>, EvaluateError> {
        if depth > MAX_VALUE_DEPTH {
            return Err(EvaluateError::TooDeep { max_depth: MAX_VALUE_DEPTH });
        }
        Ok(Some(match value {
            JValue::Undefined | JValue::Lambda(_) | JValue::Builtin { .. } | JValue::Regex { .. } => {
                return Ok(None);
            }
            JValue::Null => {
                self.spend(4)?;
                Json::Null
            }
            JValue::Bool(truth) => {
                self.spend(if *truth { 4 } else { 5 })?;
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
                self.spend(2 + items.len().saturating_sub(1))?;
                let mut array = Vec::with_capacity(items.len());
                for item in items.iter() {
                    match self.convert(item, depth + 1)? {
                        Some(json) => array.push(json),
                        None => {
                            self.spend(4)?;
                            array.push(Json::Null);
                        }
                    }
                }
                Json::Array(array)
            }
            JValue::Object(members) => {
                self.spend(2)?;
                let mut object = serde_json::Map::with_capacity(members.len());
                for (key, member) in members.iter() {
                    if let Some(json) = self.convert(member, depth + 1)? {
                        self.spend(1 + usize::from(!object.is_empty()))?;
                        self.spend_string(key)?;
                        object.insert(key.clone(), json);
                    }
                }
                Json::Object(object)
            }
        }))
    }

    fn spend_string(&mut self, text: &str) -> Result<(), EvaluateError> {
        self.spend(2 + text.len())?;
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' | 0x08 | 0x09 | 0x0a | 0x0c | 0x0d => self.spend(1)?,
                0x00..0x20 => self.spend(5)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), EvaluateError> {
        self.bytes_left = self
            .bytes_left
            .checked_sub(bytes)
            .ok_or(EvaluateError::TooLarge { max_bytes: self.budget.max_bytes })?;
        Ok(())
    }
}

/// JSON knows no infinity and no NaN: JSON.stringify writes null. Whole numbers stay whole.
fn number_to_json(number: f64) -> Json {
    const MAX_SAFE: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 2^53")]
        return Json::from(number as i64);
    }
    serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number)
}
