//! A compiled expression.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::engine::Program;
use crate::facts::{Facts, InputReference, PathReference, RootReference, StepReference};
use crate::{Budget, CompileError, EvaluateError, Place, Value, forbidden, syntax};

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
    facts: Facts,
}

impl Expression {
    /// Compiles the source of an expression, without slot marks.
    pub fn compile(source: &str) -> Result<Expression, CompileError> {
        let tree = syntax::parse(source)?;
        forbidden::check(&tree)?;
        let facts = Facts::of(&tree, source);
        let program = Program::compile(source, &tree)?;
        Ok(Expression(Arc::new(Compiled { source: source.to_owned(), program, facts })))
    }

    /// The source the expression was compiled from.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Every `steps.<id>` the source reads, in the order of the source.
    ///
    /// A step is found where the source names it: `steps.find`, ``steps.`find` ``, `steps."find"`, `$$.steps.find`,
    /// `$lookup(steps, 'find')`, in predicates, blocks and functions, and through a variable that is bound once. What
    /// the source does not name is not found: see [`Expression::reads_steps_as_a_whole`].
    pub fn step_references(&self) -> &[StepReference] {
        &self.0.facts.steps
    }

    /// Every place where `steps` is used without the id of a step, as in `$keys(steps)` or `$lookup(steps, input.id)`.
    ///
    /// Which steps such an expression reads cannot be decided from its source.
    pub fn reads_steps_as_a_whole(&self) -> &[Place] {
        &self.0.facts.steps_as_a_whole
    }

    /// Every `input.<name>` the source reads, in the order of the source.
    pub fn input_references(&self) -> &[InputReference] {
        &self.0.facts.inputs
    }

    /// Every path read from the root of the scope, in the order of the source, with the place of each of its names.
    pub fn paths(&self) -> &[PathReference] {
        &self.0.facts.paths
    }

    /// Every comparison with the literal `null` by `=` or `!=`.
    ///
    /// A path that leads nowhere is not null: `missing = null` is false. Authors usually mean `$exists(…)`.
    pub fn null_comparisons(&self) -> &[Place] {
        &self.0.facts.null_comparisons
    }

    /// Every name read from the root of the scope, in the order of the source.
    pub fn root_references(&self) -> &[RootReference] {
        &self.0.facts.roots
    }

    /// The names read from the root of the scope that are not among `known`.
    pub fn unknown_roots(&self, known: &[&str]) -> Vec<&RootReference> {
        self.0.facts.roots.iter().filter(|root| !known.contains(&root.name.as_str())).collect()
    }

    /// Tells whether `item` is read.
    pub fn reads_item(&self) -> bool {
        self.0.facts.roots.iter().any(|root| root.name == "item")
    }

    /// Tells whether `index` is read.
    pub fn reads_index(&self) -> bool {
        self.0.facts.roots.iter().any(|root| root.name == "index")
    }

    /// Tells whether the expression reads nothing of its scope, so that its value is always the same.
    pub fn is_constant(&self) -> bool {
        self.0.facts.reads.is_empty()
    }

    /// Tells whether the scope may be read as a whole, as by `$$` alone, `%` or `**`, so that the references are not all.
    pub fn reads_scope_as_a_whole(&self) -> bool {
        self.0.facts.reads.whole
    }

    /// Evaluates the expression. The root context and `$$` are `scope`.
    pub fn evaluate(&self, scope: &Json, budget: &Budget) -> Result<Value, EvaluateError> {
        self.0.program.evaluate(scope, &self.0.facts.reads, budget)
    }
}
