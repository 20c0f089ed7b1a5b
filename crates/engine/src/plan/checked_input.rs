//! Input of a tool that was validated.

use std::sync::Arc;

use serde_json::Value;

use super::{Effect, Execution, Plan};
use crate::failure::CallError;
use crate::secret;

/// Arguments that fit the input schema of a tool, with its defaults filled in. Only [`Plan::accept`] makes one, so
/// that arguments are validated once, before a page is opened for them.
#[derive(Clone, Debug)]
pub struct CheckedInput {
    pub(crate) plan: Arc<Plan>,
    pub(crate) value: Value,
}

impl CheckedInput {
    /// The arguments.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether the tool has a fixed output and changes nothing, so that no page has to be opened for it.
    pub fn is_static(&self) -> bool {
        matches!(self.plan.execution, Execution::Static(_)) && self.plan.effect == Effect::Read
    }

    /// The values in the arguments that the input schema calls secret; `None` if they are too many to look for one by one.
    pub fn secrets(&self) -> Option<Vec<String>> {
        secret::of_input(self.plan.input.schema(), &self.value).texts()
    }
}

impl Plan {
    /// Fills in defaults and validates arguments against the input schema, without running anything.
    pub fn accept(self: &Arc<Self>, arguments: Value) -> Result<CheckedInput, CallError> {
        let value = self.input.accept(arguments).map_err(|error| error.at(&self.place))?;
        Ok(CheckedInput { plan: Arc::clone(self), value })
    }
}
