//! Validates the arguments of a tool against its input schema.

use actions_dictionary::Primitive;
use actions_manifest::model::JsonSchema;
use actions_protocol::ErrorCode;
use jsonschema::Validator;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{defaults, validator};
use crate::failure::CallError;
use crate::secret;

/// What a call may be given.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) schema: Map<String, Value>,
    validator: Validator,
}

/// One thing that does not fit a schema.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SchemaFault {
    /// The JSON pointer of the value.
    pub(crate) path: String,
    /// What is wrong.
    pub(crate) message: String,
}

/// Everything that does not fit.
pub(crate) fn faults(validator: &Validator, value: &Value) -> Vec<SchemaFault> {
    let fault = |error: jsonschema::ValidationError<'_>| SchemaFault {
        path: error.instance_path().to_string(),
        message: error.to_string(),
    };
    validator.iter_errors(value).map(fault).collect()
}

impl Input {
    pub(crate) fn plan(schema: &JsonSchema) -> Result<Self, CallError> {
        let validator = validator(&Value::Object(schema.schema.clone()))?;
        Ok(Self { schema: schema.schema.clone(), validator })
    }

    /// The arguments of a primitive. The primitive itself validates them, because it says more about a fault.
    pub(crate) fn of_primitive(primitive: &Primitive) -> Result<Self, CallError> {
        let schema = primitive.input_schema().as_object().cloned().unwrap_or_default();
        Ok(Self { schema, validator: validator(&json!({ "type": "object" }))? })
    }

    /// The arguments with defaults filled in, or everything that is wrong with them.
    pub(crate) fn accept(&self, mut arguments: Value) -> Result<Value, CallError> {
        defaults::fill(&self.schema, &mut arguments);
        let mut faults = faults(&self.validator, &arguments);
        if faults.is_empty() {
            return Ok(arguments);
        }
        // The fault of a secret is reported without the secret.
        let secrets = secret::of_input(&self.schema, &arguments);
        faults.iter_mut().for_each(|fault| fault.message = secrets.mask(fault.message.as_str()).into_inner());
        let first = &faults[0];
        let place = if first.path.is_empty() { String::new() } else { format!(" at {}", first.path) };
        let more = match faults.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let message = format!("the arguments do not fit the input schema{place}: {}{more}", first.message);
        Err(CallError::new(ErrorCode::InvalidInput, message).with_evidence("errors", json!(faults)))
    }
}
