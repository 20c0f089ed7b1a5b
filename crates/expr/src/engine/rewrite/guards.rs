//! Which guards an expression needs.

use std::collections::HashMap;

use super::path::field_name;
use crate::syntax::{Kind, Literal, Node, grow};

/// The most a value may be multiplied on its way from variable to variable without guards.
const MAX_GROWTH: usize = 1_000;

#[derive(Clone, Copy, Debug)]
pub(in crate::engine) struct Guards {
    /// What is built must be paid for.
    pub(in crate::engine) building: bool,
    /// What is kept must be looked at.
    pub(in crate::engine) keeping: bool,
}

/// What must be known of the whole tree before it is rewritten.
pub(super) struct Traits<'a> {
    /// The variables that the expression binds itself, with the value if there is just one.
    bound: HashMap<&'a str, Option<&'a Node>>,
    /// A value that was computed can be used again: by a function, a variable or as the context of a step.
    reuses: bool,
    /// A value can be used to build a larger one any number of times.
    accumulates: bool,
    /// How much larger a value can get by going from variable to variable and from step to step.
    growth: usize,
    /// A step may look at what led to it.
    pub(super) looks_back: bool,
    /// A number may not be one: something may be divided by zero, or read from a text without a number.
    pub(super) has_nan: bool,
}

impl<'a> Traits<'a> {
    pub(super) fn of(tree: &'a Node) -> Self {
        let mut traits = Traits {
            bound: HashMap::new(),
            reuses: false,
            accumulates: false,
            growth: 1,
            looks_back: false,
            has_nan: false,
        };
        traits.gather(tree);
        traits
    }

    /// An expression in which everything is computed once from the scope cannot make anything grow.
    pub(super) fn guards(&self) -> Guards {
        Guards {
            building: self.reuses || self.accumulates,
            keeping: self.accumulates || self.growth > MAX_GROWTH,
        }
    }

    /// Tells whether the expression gives a variable a value of its own.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.bound.contains_key(name)
    }

    /// The only value that a variable is given.
    pub(super) fn value_of(&self, name: &str) -> Option<&'a Node> {
        self.bound.get(name).copied().flatten()
    }

    fn gather(&mut self, node: &'a Node) {
        match &node.kind {
            Kind::Bind { name, value } => {
                self.reuses = true;
                self.bind(name, Some(value));
                self.growth = self.growth.saturating_mul(count_variables(value).max(1));
                // A function with a name can call itself.
                self.accumulates |= matches!(value.kind, Kind::Lambda { .. });
            }
            Kind::Lambda { parameters, .. } => {
                self.reuses = true;
                parameters.iter().for_each(|name| self.bind(name, None));
            }
            Kind::Focus(_, name) | Kind::Index(_, name) => {
                self.reuses = true;
                self.looks_back = true;
                self.bind(name, None);
            }
            Kind::Parent => self.looks_back = true,
            Kind::Path(_, right) if field_name(right).is_none() => {
                self.reuses = true;
                self.growth = self.growth.saturating_mul(2);
            }
            Kind::Group(..) | Kind::Transform { .. } => self.reuses = true,
            Kind::Variable(name) => {
                self.accumulates |= name == "reduce";
                self.has_nan |= name == "parseInteger";
            }
            Kind::Call { callee, arguments } => {
                self.accumulates |= !matches!(callee.kind, Kind::Variable(_));
                let is_round = matches!(&callee.kind, Kind::Variable(name) if name == "round");
                self.has_nan |= is_round && arguments.get(1).is_some_and(|places| !is_whole(places));
            }
            Kind::Binary { operator: "/" | "%", right, .. } => self.has_nan |= !is_not_zero(right),
            _ => {}
        }
        node.each_child(&mut |child| grow(|| self.gather(child)));
    }

    fn bind(&mut self, name: &'a str, value: Option<&'a Node>) {
        self.bound.entry(name).and_modify(|known| *known = None).or_insert(value);
    }
}

fn count_variables(node: &Node) -> usize {
    let mut count = usize::from(matches!(node.kind, Kind::Variable(_)));
    node.each_child(&mut |child| count = count.saturating_add(grow(|| count_variables(child))));
    count
}

/// Tells whether a divisor is written out and is not zero.
fn is_not_zero(divisor: &Node) -> bool {
    matches!(divisor.kind, Kind::Literal(Literal::Number(number)) if number != 0.0)
}

/// Tells whether a number of places is written out and is whole.
fn is_whole(places: &Node) -> bool {
    match &places.kind {
        Kind::Negate(places) => is_whole(places),
        Kind::Literal(Literal::Number(number)) => number.fract() == 0.0 && number.abs() < 300.0,
        _ => false,
    }
}
