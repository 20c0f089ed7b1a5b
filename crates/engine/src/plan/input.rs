//! Validates the arguments of a tool against its input schema.

use actions_dictionary::Primitive;
use actions_manifest::model::JsonSchema;
use actions_manifest::schema::Schema;
use actions_protocol::ErrorCode;
use serde_json::Value;

use super::defaults;
use crate::failure::CallError;
use crate::schema::{Checker, Misfit};
use crate::secret;

/// What a call may be given.
#[derive(Debug)]
pub(crate) struct Input {
    schema: Schema,
    /// Absent if the callee validates its arguments itself.
    checker: Option<Checker>,
}

impl Input {
    pub(crate) fn plan(schema: &JsonSchema) -> Result<Self, CallError> {
        Ok(Self { schema: schema.schema.clone(), checker: Some(Checker::of(&schema.schema)?) })
    }

    /// The arguments of a primitive. The primitive itself validates them, because it says more about a fault.
    pub(crate) fn of_primitive(primitive: &Primitive) -> Self {
        Self { schema: primitive.input_schema().as_object().cloned().unwrap_or_default(), checker: None }
    }

    /// The input schema.
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The arguments with defaults filled in, or what is wrong with them.
    pub(crate) fn accept(&self, mut arguments: Value) -> Result<Value, CallError> {
        let Some(checker) = &self.checker else { return Ok(arguments) };
        let filled = defaults::fill(self.schema(), &mut arguments).map_err(Misfit::TooMuchWork);
        let Err(misfit) = filled.and_then(|()| checker.check(&arguments)) else { return Ok(arguments) };
        let mut faults = misfit.into_faults();
        // The fault of a secret is reported without the secret.
        let secrets = secret::of_input(self.schema(), &arguments);
        let faulty = faults.first.iter_mut();
        faulty.for_each(|fault| fault.message = secrets.mask(fault.message.as_str()).into_inner());
        let message = format!("the arguments do not fit the input schema{}", faults.sentence());
        Err(faults.evidence(CallError::new(ErrorCode::InvalidInput, message)))
    }
}
