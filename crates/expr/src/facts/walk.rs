//! The walk through the syntax tree that gathers the facts.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::reads::Reads;
use super::reference::{
    InputReference, PathName, PathReference, RootReference, StepReference, VariableReference,
};
use super::shape::{Segment, Shape};
use crate::Place;
use crate::builtin::Builtin;
use crate::syntax::{Kind, Literal, Node, grow};

/// Everything the source reveals. The lists are in the order of the source.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) steps: Vec<StepReference>,
    pub(crate) steps_as_a_whole: Vec<Place>,
    pub(crate) inputs: Vec<InputReference>,
    pub(crate) paths: Vec<PathReference>,
    pub(crate) roots: Vec<RootReference>,
    pub(crate) null_comparisons: Vec<Place>,
    pub(crate) unknown_variables: Vec<VariableReference>,
    pub(crate) reads: Reads,
}

impl Facts {
    /// Gathers the facts of `tree`, which was parsed from `source`.
    pub(crate) fn of(tree: &Node, source: &str) -> Facts {
        let mut walk = Walk { source, ..Walk::default() };
        walk.count_bindings(tree);
        walk.functions.retain(|name| walk.bindings.get(name) == Some(&1));
        walk.consume(tree, &Shape::ROOT);
        Facts {
            steps: walk.steps.into_iter().collect(),
            steps_as_a_whole: walk.steps_as_a_whole.into_iter().collect(),
            inputs: walk.inputs.into_iter().collect(),
            paths: walk.paths.into_iter().collect(),
            roots: walk.roots.into_iter().collect(),
            null_comparisons: walk.null_comparisons.into_iter().collect(),
            unknown_variables: walk.unknown_variables.into_iter().collect(),
            reads: walk.reads,
        }
    }
}

#[derive(Default)]
struct Walk<'a> {
    source: &'a str,
    /// How often each variable is bound; one that is bound twice is not followed.
    bindings: HashMap<&'a str, usize>,
    /// The variables that are bound once, to a function written out.
    functions: HashSet<&'a str>,
    /// What the variables stand for that are bound once, by `:=`.
    variables: HashMap<&'a str, Shape>,
    /// The variables that were met before they were bound, as in a function that is called later.
    early: HashSet<&'a str>,
    steps: BTreeSet<StepReference>,
    steps_as_a_whole: BTreeSet<Place>,
    inputs: BTreeSet<InputReference>,
    paths: BTreeSet<PathReference>,
    roots: BTreeSet<RootReference>,
    null_comparisons: BTreeSet<Place>,
    unknown_variables: BTreeSet<VariableReference>,
    reads: Reads,
}

impl<'a> Walk<'a> {
    fn count_bindings(&mut self, node: &'a Node) {
        match &node.kind {
            Kind::Bind { name, value } => {
                *self.bindings.entry(name).or_default() += 1;
                if matches!(value.kind, Kind::Lambda { .. }) {
                    self.functions.insert(name);
                }
            }
            Kind::Focus(_, name) | Kind::Index(_, name) => *self.bindings.entry(name).or_default() += 1,
            Kind::Lambda { parameters, .. } => {
                for name in parameters {
                    *self.bindings.entry(name).or_default() += 1;
                }
            }
            _ => {}
        }
        node.each_child(&mut |child| grow(|| self.count_bindings(child)));
    }

    /// Visits a node whose value is used as a whole.
    fn consume(&mut self, node: &'a Node, context: &Shape) {
        let shape = self.visit(node, context);
        self.record(&shape, true);
    }

    /// Visits a node and returns where its value comes from. A shape is recorded as read only when its value is used.
    fn visit(&mut self, node: &'a Node, context: &Shape) -> Shape {
        grow(|| self.visit_kind(node, context))
    }

    fn visit_kind(&mut self, node: &'a Node, context: &Shape) -> Shape {
        match &node.kind {
            Kind::Literal(_) | Kind::Regex { .. } | Kind::Placeholder | Kind::Missing => Shape::Computed,
            Kind::Name(name) => context.field(name, node.place),
            Kind::Variable(name) => match name.as_str() {
                "" => context.clone(),
                "$" => Shape::ROOT,
                _ => self.variable(name, node.place),
            },
            Kind::Wildcard | Kind::Descendant => self.computed_from(context),
            // The parent of a value and the context after `@` lead out of what the path names.
            Kind::Parent => self.computed_from(&Shape::ROOT),
            Kind::Focus(left, _) => {
                self.consume(left, context);
                self.computed_from(&Shape::ROOT)
            }
            Kind::Path(left, right) => self.path(left, right, context),
            Kind::Filter(left, predicate) => {
                let shape = self.step(left, context);
                self.consume(predicate, &shape);
                shape
            }
            Kind::KeepArray(left) | Kind::Index(left, _) => self.step(left, context),
            Kind::Sort(left, terms) => {
                let shape = self.step(left, context);
                terms.iter().for_each(|term| self.consume(term, &shape));
                shape
            }
            Kind::Group(left, pairs) => {
                let shape = self.step(left, context);
                self.consume_pairs(pairs, &shape);
                self.record(&shape, false);
                Shape::Computed
            }
            Kind::Block(expressions) => self.block(expressions, context),
            Kind::Bind { name, value } => self.bind(name, value, context),
            Kind::Call { callee, arguments } => self.call(callee, arguments, 0, context),
            Kind::Lambda { signature, body, .. } => {
                // Such a signature lets a call without an argument take its context.
                if signature.is_some_and(|place| self.source[place.offset..place.end()].contains('-')) {
                    self.record(&Shape::ROOT, true);
                }
                self.consume(body, context);
                Shape::Computed
            }
            Kind::Binary { operator: "~>", left, right } => {
                self.consume(left, context);
                match &right.kind {
                    Kind::Call { callee, arguments } => self.call(callee, arguments, 1, context),
                    _ => {
                        self.consume(right, context);
                        Shape::Computed
                    }
                }
            }
            Kind::Binary { operator, left, right } => {
                if matches!(*operator, "=" | "!=") && (is_null(left) || is_null(right)) {
                    self.null_comparisons.insert(node.place);
                }
                self.consume(left, context);
                self.consume(right, context);
                Shape::Computed
            }
            Kind::Transform { .. } => {
                node.each_child(&mut |child| self.consume(child, &Shape::Computed));
                Shape::Computed
            }
            Kind::Object(pairs) => {
                self.consume_pairs(pairs, context);
                Shape::Computed
            }
            Kind::Negate(_)
            | Kind::Array(_)
            | Kind::Range(..)
            | Kind::Condition(..)
            | Kind::Default(..)
            | Kind::Coalesce(..) => {
                node.each_child(&mut |child| self.consume(child, context));
                Shape::Computed
            }
        }
    }

    fn consume_pairs(&mut self, pairs: &'a [(Node, Node)], context: &Shape) {
        for (key, value) in pairs {
            self.consume(key, context);
            self.consume(value, context);
        }
    }

    fn path(&mut self, left: &'a Node, right: &'a Node, context: &Shape) -> Shape {
        let base = self.step(left, context);
        let shape = self.step(right, &base);
        if !shape.is_within(&base) {
            self.record(&base, false);
        }
        shape
    }

    /// A step of a path. A string there is a name.
    fn step(&mut self, node: &'a Node, context: &Shape) -> Shape {
        match &node.kind {
            Kind::Literal(Literal::String(name)) => context.field(name, node.place),
            _ => self.visit(node, context),
        }
    }

    fn block(&mut self, expressions: &'a [Node], context: &Shape) -> Shape {
        let Some((last, before)) = expressions.split_last() else {
            return Shape::Computed;
        };
        for expression in before {
            match &expression.kind {
                // What the variable stands for is read where the variable is used.
                Kind::Bind { name, value } => drop(self.bind(name, value, context)),
                _ => self.consume(expression, context),
            }
        }
        self.visit(last, context)
    }

    fn variable(&mut self, name: &'a str, place: Place) -> Shape {
        if let Some(shape) = self.variables.get(name) {
            return shape.clone();
        }
        if !self.bindings.contains_key(name) && Builtin::find(name).is_none() {
            self.unknown_variables.insert(VariableReference { place, name: name.to_owned() });
        }
        self.early.insert(name);
        Shape::Computed
    }

    fn bind(&mut self, name: &'a str, value: &'a Node, context: &Shape) -> Shape {
        let shape = self.visit(value, context);
        if self.bindings.get(name) == Some(&1) && !self.early.contains(name) {
            self.variables.insert(name, shape.clone());
            return shape;
        }
        self.computed_from(&shape)
    }

    /// A call, with `piped` arguments more than are written.
    fn call(&mut self, callee: &'a Node, arguments: &'a [Node], piped: usize, context: &Shape) -> Shape {
        match (&callee.kind, arguments) {
            (Kind::Variable(name), [base, key]) if name == "lookup" && self.is_builtin(name) => {
                if let Kind::Literal(Literal::String(field)) = &key.kind {
                    return self.visit(base, context).field(field, key.place);
                }
            }
            // How many there are, and whether there are any, needs no look into the items.
            (Kind::Variable(name), [only])
                if matches!(name.as_str(), "count" | "exists") && self.is_builtin(name) =>
            {
                let shape = self.visit(only, context);
                let is_root = shape == Shape::ROOT;
                self.record(&shape, is_root);
                return Shape::Computed;
            }
            (Kind::Variable(name), _) if self.is_builtin(name) => {
                let count = arguments.len() + piped;
                if Builtin::find(name).is_some_and(|builtin| builtin.takes_context(count)) {
                    self.record(context, true);
                }
            }
            (Kind::Variable(name), _) if self.functions.contains(name.as_str()) => {}
            (Kind::Lambda { .. }, _) => {}
            // It may be another name of a function that takes the context.
            _ => self.record(context, true),
        }
        self.consume(callee, context);
        arguments.iter().for_each(|argument| self.consume(argument, context));
        Shape::Computed
    }

    fn is_builtin(&self, name: &str) -> bool {
        !self.bindings.contains_key(name)
    }

    fn computed_from(&mut self, shape: &Shape) -> Shape {
        self.record(shape, true);
        Shape::Computed
    }

    /// Notes that a value is used: as a whole, or only to go through its items.
    fn record(&mut self, shape: &Shape, whole: bool) {
        let Shape::At(path) = shape else {
            return;
        };
        self.reads.add(path.iter().map(|segment| segment.name.as_str()), whole);
        let Some((root, below)) = path.split_first() else {
            return;
        };
        let placed = path.iter().map(|segment| PathName { place: segment.place, text: segment.name.clone() });
        self.paths.insert(PathReference { names: placed.collect() });
        let Segment { name, place: Place { offset, len } } = root;
        self.roots.insert(RootReference { offset: *offset, len: *len, name: name.clone() });
        match (name.as_str(), below.split_first()) {
            ("steps", None) => drop(self.steps_as_a_whole.insert(root.place)),
            ("steps", Some((id, fields))) => {
                let Place { offset, len } = id.place;
                self.steps.insert(StepReference { offset, len, id: id.name.clone(), path: names(fields) });
            }
            ("input", first) => {
                let Place { offset, len } = first.map_or(root.place, |(first, _)| first.place);
                self.inputs.insert(InputReference { offset, len, path: names(below) });
            }
            _ => {}
        }
    }
}

fn names(path: &[Segment]) -> Vec<String> {
    path.iter().map(|segment| segment.name.clone()).collect()
}

fn is_null(node: &Node) -> bool {
    node.kind == Kind::Literal(Literal::Null)
}
