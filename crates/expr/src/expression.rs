//! A compiled expression.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::engine::Program;
use crate::references::{InputReference, RootReference, StepReference};
use crate::{Budget, CompileError, EvaluateError, Place, Value};

/// A compiled JSONata expression: checked once, evaluated as often as needed, from any thread.
///
/// ```
/// use actions_expr::{Budget, Expression, Value};
/// use serde_json::json;
///
/// let expression = Expression::compile("'Hello ' & input.name").unwrap();
/// let scope = json!({"input": {"name": "Ada"}, "steps": {}});
/// assert_eq!(expression.evaluate(&scope, &Budget::default()), Ok(Value::from(json!("Hello Ada"))));
/// ```
#[derive(Clone, Debug)]
pub struct Expression(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    source: String,
    program: Program,
    steps: Vec<StepReference>,
    inputs: Vec<InputReference>,
    roots: Vec<RootReference>,
    null_comparisons: Vec<Place>,
    constant: bool,
}

impl Expression {
    /// Compiles the source of an expression, without slot marks.
    pub fn compile(source: &str) -> Result<Expression, CompileError> {
        let program = Program::compile(source)?;
        Ok(Expression(Arc::new(Compiled {
            source: source.to_owned(),
            program,
            steps: Vec::new(),
            inputs: Vec::new(),
            roots: Vec::new(),
            null_comparisons: Vec::new(),
            constant: false,
        })))
    }

    /// The source the expression was compiled from.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Every `steps.<id>` the source reads, in the order of the source.
    pub fn step_references(&self) -> &[StepReference] {
        &self.0.steps
    }

    /// Every `input.<name>` the source reads, in the order of the source.
    pub fn input_references(&self) -> &[InputReference] {
        &self.0.inputs
    }

    /// Every comparison with the literal `null` by `=` or `!=`; with a missing path both are false or true for all.
    pub fn null_comparisons(&self) -> &[Place] {
        &self.0.null_comparisons
    }

    /// Every name read from the root of the scope, in the order of the source.
    pub fn root_references(&self) -> &[RootReference] {
        &self.0.roots
    }

    /// The names read from the root of the scope that are not among `known`.
    pub fn unknown_roots(&self, known: &[&str]) -> Vec<&RootReference> {
        self.0.roots.iter().filter(|root| !known.contains(&root.name.as_str())).collect()
    }

    /// Tells whether `item` is read.
    pub fn reads_item(&self) -> bool {
        self.0.roots.iter().any(|root| root.name == "item")
    }

    /// Tells whether `index` is read.
    pub fn reads_index(&self) -> bool {
        self.0.roots.iter().any(|root| root.name == "index")
    }

    /// Tells whether the expression reads nothing of its scope, so that its value is always the same.
    pub fn is_constant(&self) -> bool {
        self.0.constant
    }

    /// Evaluates the expression. The root context and `$$` are `scope`.
    pub fn evaluate(&self, scope: &Json, budget: &Budget) -> Result<Value, EvaluateError> {
        self.0.program.evaluate(scope, budget)
    }
}
