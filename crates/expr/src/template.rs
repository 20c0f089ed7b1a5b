//! JSON trees with slots.

use actions_protocol::ErrorCode;
use serde_json::Value as Json;

use crate::{Budget, CompileError, EvaluateError, Expression, PartialSlot, Slot, Value};

/// A JSON tree in which any string may be a slot. Keys are never evaluated.
///
/// ```
/// use actions_expr::{Budget, Template};
/// use serde_json::json;
///
/// let template = Template::compile(&json!({"text": "{% input.query %}", "mode": "replace"})).unwrap();
/// let value = template.evaluate(&json!({"input": {"query": "rust"}}), &Budget::default()).unwrap();
/// assert_eq!(value.into_json(), Some(json!({"text": "rust", "mode": "replace"})));
/// ```
#[derive(Clone, Debug)]
pub enum Template {
    /// JSON without any slot in it.
    Literal(Json),
    /// A string that is a slot.
    Slot(Expression),
    /// An array with a slot somewhere in it.
    Array(Vec<Template>),
    /// An object with a slot somewhere in it, in the order of the source.
    Object(Vec<(String, Template)>),
}

/// A string of a template that is not a valid slot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct TemplateError {
    /// The JSON pointer of the string in the template.
    pub pointer: String,
    /// What is wrong with it.
    pub fault: SlotFault,
}

/// What is wrong with a string that was meant to be a slot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotFault {
    /// It mixes a slot with other text.
    #[error(transparent)]
    Partial(#[from] PartialSlot),
    /// Its expression is refused.
    #[error("{error}")]
    Expression {
        /// Why the expression is refused; its offsets count from the start of the expression.
        error: CompileError,
        /// The byte offset of the expression in the string.
        body_offset: usize,
    },
}

/// A slot of a template that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct TemplateEvaluateError {
    /// The JSON pointer of the slot in the template.
    pub pointer: String,
    /// Why it has no value.
    pub error: EvaluateError,
}

impl TemplateError {
    /// The stable code of this error.
    pub const fn code(&self) -> ErrorCode {
        match &self.fault {
            SlotFault::Partial(partial) => partial.code(),
            SlotFault::Expression { error, .. } => error.code(),
        }
    }

    /// The byte offset of the fault in the string.
    pub const fn offset(&self) -> usize {
        match &self.fault {
            SlotFault::Partial(partial) => partial.offset,
            SlotFault::Expression { error, body_offset } => *body_offset + error.offset(),
        }
    }
}

impl TemplateEvaluateError {
    /// The stable code of this error.
    pub const fn code(&self) -> ErrorCode {
        self.error.code()
    }
}

impl Template {
    /// Compiles every slot of a JSON tree; on failure reports every string that is wrong.
    pub fn compile(json: &Json) -> Result<Template, Vec<TemplateError>> {
        let mut errors = Vec::new();
        let template = compile(json, &mut Pointer::default(), &mut errors);
        if errors.is_empty() { Ok(template) } else { Err(errors) }
    }

    /// The template of a string: a slot, or the string itself.
    pub fn from_text(text: &str) -> Result<Template, SlotFault> {
        match Slot::find(text)? {
            None => Ok(Template::Literal(Json::String(text.to_owned()))),
            Some(Slot { body, offset }) => match Expression::compile(body) {
                Ok(expression) => Ok(Template::Slot(expression)),
                Err(error) => Err(SlotFault::Expression { error, body_offset: offset }),
            },
        }
    }

    /// The template of an array. Without any slot in it, it becomes a literal.
    pub fn from_elements(elements: Vec<Template>) -> Template {
        if !elements.iter().all(Template::is_literal) {
            return Template::Array(elements);
        }
        Template::Literal(Json::Array(elements.into_iter().filter_map(Template::into_literal).collect()))
    }

    /// The template of an object. Without any slot in it, it becomes a literal.
    pub fn from_members(members: Vec<(String, Template)>) -> Template {
        if !members.iter().all(|(_, member)| member.is_literal()) {
            return Template::Object(members);
        }
        let literals = members.into_iter().filter_map(|(key, member)| Some((key, member.into_literal()?)));
        Template::Literal(Json::Object(literals.collect()))
    }

    /// Tells whether there is no slot in it.
    pub const fn is_literal(&self) -> bool {
        matches!(self, Template::Literal(_))
    }

    fn into_literal(self) -> Option<Json> {
        match self {
            Template::Literal(json) => Some(json),
            Template::Slot(_) | Template::Array(_) | Template::Object(_) => None,
        }
    }

    /// Every expression of the template with the JSON pointer of its slot, in the order of the source.
    pub fn expressions(&self) -> Vec<(String, &Expression)> {
        let mut found = Vec::new();
        collect(self, &mut Pointer::default(), &mut found);
        found
    }

    /// Evaluates every slot. Each has the whole budget for itself.
    ///
    /// An undefined member of an object is absent and an undefined element of an array is null, as with
    /// JSON.stringify. The template is undefined only if it is one undefined slot.
    pub fn evaluate(&self, scope: &Json, budget: &Budget) -> Result<Value, TemplateEvaluateError> {
        self.evaluate_within(scope, &|| *budget)
    }

    /// Evaluates every slot, each within what is left for it when its turn comes.
    pub fn evaluate_within(
        &self,
        scope: &Json,
        left: &dyn Fn() -> Budget,
    ) -> Result<Value, TemplateEvaluateError> {
        evaluate(self, scope, left, &mut Pointer::default())
    }
}

fn compile(json: &Json, pointer: &mut Pointer, errors: &mut Vec<TemplateError>) -> Template {
    match json {
        Json::String(text) => Template::from_text(text).unwrap_or_else(|fault| {
            errors.push(TemplateError { pointer: pointer.to_string(), fault });
            Template::Literal(Json::Null)
        }),
        Json::Array(elements) => Template::from_elements(
            elements
                .iter()
                .enumerate()
                .map(|(index, element)| {
                    pointer.with_index(index, |pointer| compile(element, pointer, errors))
                })
                .collect(),
        ),
        Json::Object(members) => Template::from_members(
            members
                .iter()
                .map(|(key, member)| {
                    (key.clone(), pointer.with_key(key, |pointer| compile(member, pointer, errors)))
                })
                .collect(),
        ),
        Json::Null | Json::Bool(_) | Json::Number(_) => Template::Literal(json.clone()),
    }
}

fn collect<'a>(template: &'a Template, pointer: &mut Pointer, found: &mut Vec<(String, &'a Expression)>) {
    match template {
        Template::Literal(_) => {}
        Template::Slot(expression) => found.push((pointer.to_string(), expression)),
        Template::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                pointer.with_index(index, |pointer| collect(element, pointer, found));
            }
        }
        Template::Object(members) => {
            for (key, member) in members {
                pointer.with_key(key, |pointer| collect(member, pointer, found));
            }
        }
    }
}

fn evaluate(
    template: &Template,
    scope: &Json,
    left: &dyn Fn() -> Budget,
    pointer: &mut Pointer,
) -> Result<Value, TemplateEvaluateError> {
    match template {
        Template::Literal(json) => Ok(Value::Json(json.clone())),
        Template::Slot(expression) => expression
            .evaluate(scope, &left())
            .map_err(|error| TemplateEvaluateError { pointer: pointer.to_string(), error }),
        Template::Array(elements) => {
            let mut array = Vec::with_capacity(elements.len());
            for (index, element) in elements.iter().enumerate() {
                let value = pointer.with_index(index, |pointer| evaluate(element, scope, left, pointer))?;
                array.push(value.into_json_or_null());
            }
            Ok(Value::Json(Json::Array(array)))
        }
        Template::Object(members) => {
            let mut object = serde_json::Map::with_capacity(members.len());
            for (key, member) in members {
                let value = pointer.with_key(key, |pointer| evaluate(member, scope, left, pointer))?;
                if let Value::Json(json) = value {
                    object.insert(key.clone(), json);
                }
            }
            Ok(Value::Json(Json::Object(object)))
        }
    }
}

/// A JSON pointer that grows and shrinks while a tree is walked.
#[derive(Default)]
struct Pointer(String);

impl Pointer {
    fn with_index<R>(&mut self, index: usize, visit: impl FnOnce(&mut Pointer) -> R) -> R {
        self.with(&index.to_string(), visit)
    }

    fn with_key<R>(&mut self, key: &str, visit: impl FnOnce(&mut Pointer) -> R) -> R {
        if key.contains(['~', '/']) {
            return self.with(&key.replace('~', "~0").replace('/', "~1"), visit);
        }
        self.with(key, visit)
    }

    fn with<R>(&mut self, token: &str, visit: impl FnOnce(&mut Pointer) -> R) -> R {
        let len = self.0.len();
        self.0.push('/');
        self.0.push_str(token);
        let result = visit(self);
        self.0.truncate(len);
        result
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn evaluated(template: Json, scope: Json) -> Option<Json> {
        Template::compile(&template).unwrap().evaluate(&scope, &Budget::default()).unwrap().into_json()
    }

    #[test]
    fn an_undefined_member_is_absent_and_an_undefined_element_is_null() {
        assert_eq!(
            evaluated(json!({"a": "{% missing %}", "b": ["{% missing %}", 1], "c": null}), json!({})),
            Some(json!({"b": [null, 1], "c": null}))
        );
        assert_eq!(evaluated(json!("{% missing %}"), json!({})), None);
    }

    #[test]
    fn keys_are_never_evaluated() {
        assert_eq!(evaluated(json!({"{% 1 %}": "{% 1 %}"}), json!({})), Some(json!({"{% 1 %}": 1})));
    }

    #[test]
    fn every_wrong_string_is_reported_with_its_pointer() {
        let errors = Template::compile(&json!({
            "a/b": "{% 1 + %}",
            "list": ["fine", "x {% 1 %}", {"~": "{% ( %}"}],
        }))
        .unwrap_err();
        let seen: Vec<_> =
            errors.iter().map(|error| (error.pointer.as_str(), error.code().as_str())).collect();
        assert_eq!(
            seen,
            [
                ("/a~1b", "invalid_expression"),
                ("/list/1", "partial_expression_unsupported"),
                ("/list/2/~0", "invalid_expression"),
            ]
        );
    }

    #[test]
    fn a_failing_slot_is_named_by_its_pointer() {
        let template = Template::compile(&json!({"a": [1, "{% 1 + 'x' %}"]})).unwrap();
        let error = template.evaluate(&json!({}), &Budget::default()).unwrap_err();
        assert_eq!(error.pointer, "/a/1");
        assert_eq!(error.code(), ErrorCode::ExpressionEvaluationFailed);
        assert_eq!(error.error.jsonata_code(), Some("T2002"));
    }

    #[test]
    fn every_slot_has_what_is_left_for_it() {
        let template = Template::compile(&json!(["{% 'four' %}", "{% 'four' %}", "{% 'four' %}"])).unwrap();
        let left = std::cell::Cell::new(17_usize);
        let budget = || Budget { max_bytes: left.replace(left.get().saturating_sub(6)), ..Budget::default() };
        let error = template.evaluate_within(&json!({}), &budget).unwrap_err();
        assert_eq!((error.pointer.as_str(), error.error), ("/2", EvaluateError::TooLarge { max_bytes: 5 }));
    }

    #[test]
    fn a_tree_without_slots_is_one_literal() {
        let tree = json!({"a": [1, {"b": "text"}]});
        assert!(matches!(Template::compile(&tree), Ok(Template::Literal(literal)) if literal == tree));
    }
}
