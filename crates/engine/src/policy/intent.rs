//! What a policy decides about.

use actions_dictionary::Primitive;
use actions_protocol::{CallId, SafeName, StepId};
use actions_trace::Masked;
use serde_json::Value;

use crate::plan::{Demands, Effect, PolicyFacts, Standing};

/// An operation that is about to run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Intent<'i> {
    /// The call that the operation belongs to.
    pub call_id: &'i CallId,
    /// The tool that is called.
    pub tool: &'i SafeName,
    /// What the tool does, for people.
    pub description: &'i str,
    /// What the map of the tool may use, limited by the maps of the calls around it.
    pub standing: Standing,
    /// The origin of the page as it is now; absent for pages without one, such as `about:blank`.
    pub origin: Option<String>,
    /// The address of the page as it is now.
    pub url: String,
    /// What else is known of the tool.
    pub facts: &'i PolicyFacts,
    /// What the operation does to the site.
    pub effect: Effect,
    /// What the tool demands before it runs.
    pub demands: &'i Demands,
    /// The operation.
    pub operation: Operation<'i>,
    /// Whether [`Decision::Ask`](super::Decision::Ask) reaches a person.
    pub can_ask: bool,
}

/// An operation of a call. Arguments contain no secrets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Operation<'i> {
    /// The call as a whole, before its first step.
    Call {
        /// Its arguments, defaults included.
        input: &'i Masked<Value>,
        /// The capabilities that the tool and its map require.
        requires: &'i [String],
        /// Every primitive that the tool may perform.
        primitives: &'i [&'static Primitive],
        /// The function of the page that handles the tool.
        page_function: Option<&'i SafeName>,
    },
    /// A primitive.
    Primitive {
        /// The primitive.
        primitive: &'static Primitive,
        /// The step; absent when the handler of the tool is the primitive.
        step_id: Option<&'i StepId>,
        /// Its arguments.
        arguments: &'i Masked<Value>,
    },
    /// A call of a function of the page.
    PageFunction {
        /// The function.
        path: &'i SafeName,
        /// Its argument.
        arguments: &'i Masked<Value>,
    },
}
