//! A compiled expression.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::engine::Program;
use crate::facts::{Facts, InputReference, PathReference, RootReference, StepReference, VariableReference};
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
#[derive(Clone)]
pub struct Expression(Arc<Compiled>);

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

    /// Every variable and function that is neither bound in the source nor known to JSONata, in the order of the source.
    ///
    /// As a value such a variable is undefined; called as a function it fails.
    pub fn unknown_variables(&self) -> &[VariableReference] {
        &self.0.facts.unknown_variables
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
        self.0.program.evaluate(scope, &self.0.facts.reads, budget).map_err(|error| self.placed(error))
    }

    /// Adds the place to a failure, if it is known.
    fn placed(&self, error: EvaluateError) -> EvaluateError {
        let EvaluateError::Failed { message, jsonata_code: Some(code), .. } = error else {
            return error;
        };
        let tree = syntax::parse(self.source()).ok();
        let blamed = tree.as_ref().and_then(|tree| syntax::blame(tree, &code, &message));
        let place = blamed.map(|node| node.place);
        let message = match (blamed.and_then(syntax::Node::called_name), message.strip_prefix("Argument")) {
            (Some(function), Some(said)) => format!("${function}: argument{said}"),
            _ => message,
        };
        EvaluateError::Failed { message, jsonata_code: Some(code), place }
    }
}

impl std::fmt::Debug for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Expression").field(&self.source()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A failure with the text it is about.
    fn failure(source: &str) -> String {
        let scope = json!({"input": {"n": 3, "text": "a", "none": null}});
        let error = Expression::compile(source).unwrap().evaluate(&scope, &Budget::default()).unwrap_err();
        let text = error.place().map_or("?", |place| &source[place.offset..place.end()]);
        format!("{source}\n  {} {error} at {text}\n", error.jsonata_code().unwrap_or("-"))
    }

    #[test]
    fn a_failure_tells_what_where_and_by_which_code() {
        let sources = [
            "input.n + input.text",
            "1 + (2 * 'x')",
            "$uppercase(input.n) & $lowercase('A')",
            "$uppercase(input.n)",
            "$trim(input.n)",
            "input.n > 1 and $number(input.text) > 1",
            "[1..input.none]",
            "input.n < input.text",
            "-input.text",
            "{'a': 1, 'b': $error('out of stock')}",
            "$assert(input.n > 5, 'too few')",
            "$upper(input.text)",
            "input.text()",
            "$split(input.text, ',', -1)",
            "$decodeUrlComponent('%')",
            "$base64encode('€')",
            "{input.n: 1}",
            "$sort([1, 'a'])",
            "$replace('abc', /x*/, 'y')",
        ];
        insta::assert_snapshot!(sources.map(failure).join("\n"));
    }

    #[test]
    fn a_fault_beyond_the_grammar_has_its_place() {
        let sources = [
            "input.1.a",
            "true.a",
            "(input){name: 1}[0]",
            "input.list{name: 1}{id: 2}",
            "input.list[0]@$v.a",
            "input.list^(a)@$v.b",
            "%.a",
            "input.a.%.%.%.b",
            "function($x)<a<n>{ $x }",
            "function($x)<é>{ $x }",
            "1 + 'a'()",
            "$match(input.text, /a(?=b)/)",
            "$contains(input.text, /[z-a]/i)",
            "$split(input.text, /a{1000}{1000}/)",
            "$now()",
        ];
        let shown = sources.map(|source| {
            let error = Expression::compile(source).unwrap_err();
            let hint = error.hint().map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
            let (pad, carets) = (" ".repeat(error.offset()), "^".repeat(error.len()));
            format!("{source}\n{pad}{carets} {} {error}{hint}\n", error.jsonata_code().unwrap_or("-"))
        });
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn functions_are_left_out_of_results_as_from_json() {
        let value =
            |source| Expression::compile(source).unwrap().evaluate(&json!({}), &Budget::default()).unwrap();
        assert_eq!(value("$sum"), Value::Undefined);
        assert_eq!(value("function($x) { $x }"), Value::Undefined);
        assert_eq!(value("/a/"), Value::Undefined);
        assert_eq!(value("{'f': $sum, 'a': 1}"), Value::from(json!({"a": 1})));
        assert_eq!(value("[$sum, 1]"), Value::from(json!([null, 1])));
    }

    #[test]
    fn an_expression_can_be_used_from_any_thread() {
        fn is_shared<T: Send + Sync + Clone>() {}
        is_shared::<Expression>();
        let expression = Expression::compile("input.n + 1").unwrap();
        let threads: Vec<_> = (0..4)
            .map(|n| {
                let expression = expression.clone();
                std::thread::spawn(move || {
                    expression.evaluate(&json!({"input": {"n": n}}), &Budget::default())
                })
            })
            .collect();
        for (n, thread) in threads.into_iter().enumerate() {
            assert_eq!(thread.join().unwrap(), Ok(Value::from(json!(n + 1))));
        }
    }
}
