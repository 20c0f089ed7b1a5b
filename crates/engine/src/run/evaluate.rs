//! Evaluates the expressions of a workflow within the time of the call.

use std::time::Duration;

use actions_expr::{Budget, EvaluateError, Expression, Template, Value as Evaluated};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use serde_json::{Map, Value};

use super::{Run, Scope};
use crate::plan::Args;
use crate::secret;

impl Run<'_> {
    /// Evaluates a condition.
    pub(crate) fn holds(&self, condition: &Expression, scope: &Value) -> Result<bool, Failure> {
        self.evaluate(condition, scope).map(|value| value.is_truthy())
    }

    /// Evaluates an expression and follows secrets through it.
    pub(crate) fn evaluate(&self, expression: &Expression, scope: &Value) -> Result<Evaluated, Failure> {
        let value = expression.evaluate(scope, &self.left()).map_err(|error| {
            self.unevaluated(expression, scope, error).with_evidence("expression", expression.source())
        })?;
        if let Evaluated::Json(json) = &value {
            secret::follow(self.secrets, expression, scope, json);
        }
        Ok(value)
    }

    /// Evaluates a tree with slots.
    pub(crate) fn fill(&self, template: &Template, scope: &Scope) -> Result<Evaluated, Failure> {
        let scope = scope.value();
        let value = template.evaluate_within(scope, &|| self.left()).map_err(|failed| {
            let slots = template.expressions();
            let slot = slots.iter().find(|(pointer, _)| *pointer == failed.pointer);
            let failure = match slot {
                Some((_, expression)) => self.unevaluated(expression, scope, failed.error),
                None => Failure::new(failed.code(), failed.to_string()),
            };
            failure.with_evidence("pointer", failed.pointer)
        })?;
        for (pointer, expression) in template.expressions() {
            if let Some(part) = value.as_json().and_then(|value| value.pointer(&pointer)) {
                secret::follow(self.secrets, expression, scope, part);
            }
        }
        Ok(value)
    }

    /// The arguments of a primitive.
    pub(crate) fn args(&self, args: &Args, scope: &Scope) -> Result<Value, Failure> {
        match args {
            Args::Template(template) => self.fill(template, scope).map(Evaluated::into_json_or_null),
            Args::FromInput { fixed, key, path } => {
                let found = path.iter().try_fold(scope.input(), |value, name| value.get(name));
                let mut args: Map<String, Value> = fixed.clone();
                args.extend(found.map(|value| ((*key).to_owned(), value.clone())));
                Ok(Value::Object(args))
            }
        }
    }

    /// The budget of one expression: no more time than the call has left.
    fn left(&self) -> Budget {
        let left = self.deadline().remaining(&*self.stage.clock());
        Budget { max_time: self.budget.max_time.min(left.max(LEAST)), ..self.budget }
    }

    /// The failure of an evaluation. It leaves out the values of an expression that reads a secret, and is a timeout of
    /// the call if the deadline has passed.
    fn unevaluated(&self, expression: &Expression, scope: &Value, error: EvaluateError) -> Failure {
        let cut_short = matches!(error, EvaluateError::TooSlow { .. }) && self.is_over();
        let code = if cut_short { ErrorCode::HandlerTimeout } else { error.code() };
        let error = match secret::are_read_by(self.secrets, expression, scope) {
            true => error.without_values(),
            false => error,
        };
        Failure::new(code, error.to_string())
    }
}

/// The time an expression has even after the deadline.
const LEAST: Duration = Duration::from_millis(1);
