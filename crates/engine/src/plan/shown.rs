//! Writes a plan as JSON, for traces.

use actions_expr::Template;
use actions_manifest::model::OnError;
use serde_json::{Map, Value, json};

use super::{Args, Control, Execution, Performs, Plan, Settle, Step};

impl Plan {
    /// The plan as a trace keeps it: what would be done, in the words of the map.
    pub fn to_json(&self) -> Value {
        let execution = match &self.execution {
            Execution::Static(value) => json!({ "static_output": value }),
            Execution::Workflow(workflow) => {
                let steps: Vec<Value> = workflow.steps.iter().map(step).collect();
                let output = workflow.output.as_ref().map(source);
                json!({ "steps": steps, "output": output })
            }
            Execution::Primitive { primitive, bound } => json!({ "handler": primitive.name, "bound": bound }),
            Execution::PageFunction { path, bound } => json!({ "page_function": path, "bound": bound }),
        };
        let postcondition = self.postcondition.as_ref();
        json!({
            "tool": self.name,
            "description": self.description,
            "effect": self.effect,
            "place": self.place,
            "requires": self.requires,
            "target": self.target.as_ref().map(|target| &target.locator),
            "state": self.target.as_ref().and_then(|target| target.state.as_ref()),
            "rate_limit_ms": self.rate_limit.0,
            "execution": execution,
            "postcondition": postcondition.map(|one| json!({
                "projection": one.projection, "condition": one.condition.source(),
            })),
        })
    }
}

fn step(step: &Step) -> Value {
    let mut shown = performs(&step.performs);
    shown.insert("id".to_owned(), json!(step.id));
    shown.insert("mutating".to_owned(), json!(step.is_mutating()));
    shown.insert("place".to_owned(), json!(step.place));
    if let Some(when) = &step.when {
        shown.insert("when".to_owned(), json!(when.source()));
    }
    match &step.control {
        Control::Once => {}
        Control::ForEach { collection, max_items } => {
            shown.insert("for_each".to_owned(), json!(collection.source()));
            shown.insert("max_items".to_owned(), json!(max_items));
        }
        Control::RetryUntil { condition, max_attempts, after_each } => {
            shown.insert("retry_until".to_owned(), json!(condition.source()));
            shown.insert("max_attempts".to_owned(), json!(max_attempts));
            shown.extend(after_each.as_ref().map(|one| ("after_each".to_owned(), json!(performs(one)))));
        }
    }
    match &step.settle {
        None => {}
        Some(Settle::Delay(delay)) => {
            shown.insert("settle_after".to_owned(), json!({ "delay_ms": delay.0 }));
        }
        Some(Settle::Locator { locator, state, timeout }) => {
            let settle =
                json!({ "locator": source(locator), "state": state.as_str(), "timeout_ms": timeout.0 });
            shown.insert("settle_after".to_owned(), settle);
        }
    }
    if step.on_error == OnError::Continue {
        shown.insert("on_error".to_owned(), json!("continue"));
    }
    Value::Object(shown)
}

fn performs(performs: &Performs) -> Map<String, Value> {
    let args = match &performs.args {
        Args::Template(template) => source(template),
        Args::FromInput { fixed, key, path } => {
            let mut args = fixed.clone();
            args.insert((*key).to_owned(), json!(format!("{{% input.{} %}}", path.join("."))));
            Value::Object(args)
        }
    };
    let mut shown = Map::new();
    shown.insert("primitive".to_owned(), json!(performs.primitive.name));
    shown.insert("args".to_owned(), args);
    shown
}

/// A tree with its slots as they are written.
fn source(template: &Template) -> Value {
    match template {
        Template::Literal(value) => value.clone(),
        Template::Slot(expression) => Value::String(format!("{{% {} %}}", expression.source().trim())),
        Template::Array(elements) => elements.iter().map(source).collect(),
        Template::Object(members) => {
            Value::Object(members.iter().map(|(key, member)| (key.clone(), source(member))).collect())
        }
    }
}
