//! Answers calls that need no session: those of tools with a fixed output.

use actions_trace::TraceRecorder;

use crate::engine::Engine;
use crate::observer::Observer;
use crate::plan::CheckedInput;
use crate::run::{self, Outcome, next_call_id};

impl Engine {
    /// Answers a call of a tool with a `static_output`, without a page. None if the tool needs one.
    ///
    /// ```
    /// # let map = br#"{ "protocol": "actions.json", "version": 1, "tools": [{ "name": "guide.read",
    /// #   "description": "Returns the guide.", "input_schema": { "type": "object", "additionalProperties": false },
    /// #   "x_actions": { "static_output": "Search first." } }] }"#;
    /// # let engine = actions_engine::Engine::from_bytes("actions.json", map).unwrap();
    /// let input = engine.plan("guide.read")?.accept(serde_json::json!({}))?;
    /// let outcome = engine.answer_static(&input, &(), None).expect("a fixed answer");
    /// assert_eq!(outcome.result?, "Search first.");
    /// # Ok::<(), actions_engine::CallError>(())
    /// ```
    pub fn answer_static(
        &self,
        input: &CheckedInput,
        observer: &dyn Observer,
        trace: Option<&TraceRecorder>,
    ) -> Option<Outcome> {
        run::answer_fixed(&self.plans, input, next_call_id(), observer, trace)
    }
}
