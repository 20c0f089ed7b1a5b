//! Rewrites the author's source into the one that the engine evaluates.
//!
//! It means the same, with our functions in place of some of JSONata's and with guards where the engine would build
//! something without bounds. Regular expressions are translated.

mod call;
mod guards;
mod path;
mod regex;
mod size;
mod transform;

use super::host::{GUARDS, HostFunction, PREFIX, Pattern};
use crate::syntax::{Kind, Literal, Node, grow};
use crate::{CompileError, Place};
pub(super) use guards::Guards;
use guards::Traits;

/// The source for the engine, and what it needs to run.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) source: String,
    /// The names of our functions it uses.
    pub(super) functions: Vec<&'static str>,
    pub(super) patterns: Vec<Pattern>,
}

/// Rewrites `source`, whose tree is `tree`, with the guards it needs, or with `guards` if given.
pub(super) fn rewrite(source: &str, tree: &Node, guards: Option<Guards>) -> Result<Rewritten, CompileError> {
    let traits = Traits::of(tree);
    let mut rewriter = Rewriter {
        source,
        guards: guards.unwrap_or_else(|| traits.guards()),
        traits,
        output: String::with_capacity(source.len() * 2),
        functions: Vec::new(),
        patterns: Vec::new(),
    };
    rewriter.copy_between(0, tree.place.offset);
    rewriter.emit(tree, Position { at_root: true, piped: 0 })?;
    rewriter.copy_between(tree.place.end(), source.len());
    Ok(Rewritten { source: rewriter.output, functions: rewriter.functions, patterns: rewriter.patterns })
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Position {
    /// The context is the scope, so that names lead to data of limited size.
    at_root: bool,
    /// How many arguments a call gets from `~>`.
    piped: usize,
}

impl Position {
    /// A part of the node that has the same context.
    const fn inside(self) -> Position {
        Position { piped: 0, ..self }
    }

    /// A part of the node whose context is some other value.
    const fn below(self) -> Position {
        Position { at_root: false, piped: 0 }
    }
}

struct Rewriter<'a> {
    source: &'a str,
    guards: Guards,
    traits: Traits<'a>,
    output: String,
    functions: Vec<&'static str>,
    patterns: Vec<Pattern>,
}

impl<'a> Rewriter<'a> {
    fn emit(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        grow(|| self.emit_kind(node, position))
    }

    fn emit_kind(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        let inside = position.inside();
        match &node.kind {
            Kind::Regex { pattern, flags } => self.regex(pattern, flags, node.place),
            Kind::Variable(name) => self.variable(name, node.place),
            Kind::Call { callee, arguments } => self.call(node, callee, arguments, position),
            Kind::Path(..) => self.path(node, inside),
            Kind::Range(left, right) => self.range(left, right, inside),
            Kind::Binary { operator: "&", left, right } => {
                self.parts(node, [&**left, &**right], |this, part| {
                    let guard =
                        (this.guards.building && !this.is_small(part, position.at_root)).then_some("build");
                    let written = this.written().filter(|_| !is_literal(part));
                    this.guarded(written.or(guard), part, inside)
                })
            }
            Kind::Binary { operator: "~>", left, right } if self.goes_over_items(right) => {
                self.piped_over_items(left, right, inside)
            }
            Kind::Binary { operator: "~>", left, right } if transform::reads_by_name(right) => {
                self.open("untwinned");
                self.parts(node, [&**left, &**right], |this, part| {
                    this.guarded(Some("twinned").filter(|_| is_same(part, left)), part, inside)
                })?;
                self.output.push(')');
                Ok(())
            }
            Kind::Binary { operator: "~>", left, right } => {
                self.parts(node, [&**left, &**right], |this, part| {
                    if is_same(part, right) {
                        return this.emit(part, Position { piped: 1, ..inside });
                    }
                    this.guarded(this.piped_guard(right, part), part, inside)
                })
            }
            Kind::Binary { operator: "+" | "-" | "*" | "/" | "%", left, right } if self.traits.has_nan => {
                self.parts(node, [&**left, &**right], |this, part| {
                    let guard = if is_same(part, right) { "right" } else { "left" };
                    this.guarded(Some(guard).filter(|_| !is_literal(part)), part, inside)
                })
            }
            Kind::Negate(operand) if self.traits.has_nan && !is_literal(operand) => {
                self.parts(node, [&**operand], |this, part| this.guarded(Some("negated"), part, inside))
            }
            Kind::Condition(condition, then, otherwise) => {
                let parts = [&**condition, &**then].into_iter().chain(otherwise.as_deref());
                self.parts(node, parts, |this, part| {
                    let guard = this.truth().filter(|_| is_same(part, condition));
                    this.guarded(guard, part, inside)
                })
            }
            // The engine binds `?:` and `??` more loosely than JSONata does.
            Kind::Binary { operator: "and" | "or", left, right }
            | Kind::Default(left, right)
            | Kind::Coalesce(left, right) => self.parts(node, [&**left, &**right], |this, part| {
                let is_condition = match node.kind {
                    Kind::Binary { .. } => true,
                    Kind::Default(..) => is_same(part, left),
                    _ => false,
                };
                if let Some(guard) = this.truth().filter(|_| is_condition) {
                    return this.guarded(Some(guard), part, inside);
                }
                let is_default = matches!(part.kind, Kind::Default(..) | Kind::Coalesce(..));
                this.bracketed(is_default && is_same(part, right), part, inside)
            }),
            Kind::Array(items) => self.parts(node, items, |this, item| {
                let is_array = matches!(item.kind, Kind::Array(_) | Kind::Range(..));
                this.guarded(this.keep(item).filter(|_| !is_array), item, inside)
            }),
            Kind::Object(pairs) => self.pairs(node, None, pairs, inside),
            Kind::Group(left, pairs) => self.pairs(node, Some(left), pairs, inside),
            Kind::Bind { value, .. } => {
                self.parts(node, [&**value], |this, value| this.guarded(this.keep(value), value, inside))
            }
            Kind::Lambda { parameters, body, .. } => self.parts(node, [&**body], |this, body| {
                // The engine has its own idea of a comparison in `$sort`: it moves items without the field to the end.
                let is_order = parameters.len() > 1
                    && matches!(body.kind, Kind::Binary { operator: "<" | "<=" | ">" | ">=" | "-", .. });
                this.output.push_str(if is_order { "(" } else { "" });
                this.result(body, inside)?;
                this.output.push_str(if is_order { ")" } else { "" });
                Ok(())
            }),
            Kind::Filter(left, predicate) => self.parts(node, [&**left, &**predicate], |this, part| {
                if is_same(part, left) {
                    return this.emit(part, position);
                }
                this.guarded(this.truth().filter(|_| !is_literal(part)), part, position.below())
            }),
            Kind::Sort(left, terms) => {
                self.parts(node, std::iter::once(&**left).chain(terms), |this, part| {
                    if is_same(part, left) {
                        this.left(part, inside)
                    } else {
                        this.emit(part, position.below())
                    }
                })
            }
            Kind::Transform { pattern, update, delete } => {
                let parts = [&**pattern, &**update].into_iter().chain(delete.as_deref());
                self.parts(node, parts, |this, part| this.emit(part, position.below()))
            }
            _ => {
                let mut children = Vec::new();
                node.each_child(&mut |child| children.push(child));
                self.parts(node, children, |this, child| this.emit(child, inside))
            }
        }
    }

    /// Copies a node except for its parts, which are emitted one after the other.
    fn parts(
        &mut self,
        node: &'a Node,
        parts: impl IntoIterator<Item = &'a Node>,
        mut emit: impl FnMut(&mut Self, &'a Node) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        let mut copied = node.place.offset;
        for part in parts {
            self.copy_between(copied, part.place.offset);
            emit(self, part)?;
            copied = part.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    /// The members of an object or group.
    fn pairs(
        &mut self,
        node: &'a Node,
        left: Option<&'a Node>,
        pairs: &'a [(Node, Node)],
        position: Position,
    ) -> Result<(), CompileError> {
        let inner = if left.is_some() { position.below() } else { position };
        let members = pairs.iter().flat_map(|(key, value)| [key, value]);
        let mut count = 0;
        self.parts(node, left.into_iter().chain(members), |this, part| {
            if left.is_some_and(|left| is_same(part, left)) {
                return this.left(part, position);
            }
            count += 1;
            let is_value = count % 2 == 0;
            this.guarded(this.keep(part).filter(|_| is_value), part, inner)
        })
    }

    /// The left side of a sort or group. The engine binds those more tightly than JSONata does.
    fn left(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        let is_loose = matches!(
            node.kind,
            Kind::Binary { .. }
                | Kind::Negate(_)
                | Kind::Condition(..)
                | Kind::Default(..)
                | Kind::Coalesce(..)
        );
        self.bracketed(is_loose, node, position)
    }

    fn bracketed(&mut self, brackets: bool, node: &'a Node, position: Position) -> Result<(), CompileError> {
        self.output.push_str(if brackets { "(" } else { "" });
        self.emit(node, position)?;
        self.output.push_str(if brackets { ")" } else { "" });
        Ok(())
    }

    fn range(&mut self, left: &'a Node, right: &'a Node, position: Position) -> Result<(), CompileError> {
        let is_literal = matches!(left.kind, Kind::Literal(Literal::Number(_)));
        self.guarded((!is_literal).then_some("from"), left, position)?;
        self.copy_between(left.place.end(), right.place.offset);
        self.open("to");
        self.emit(right, position)?;
        if is_literal {
            self.output.push_str(", ");
            self.copy(left.place);
        }
        self.output.push(')');
        Ok(())
    }

    /// The value of a function. A call at its end stays at the end, so that such recursion needs no depth.
    fn result(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        match &node.kind {
            Kind::Condition(condition, then, otherwise) => {
                let parts = [&**condition, &**then].into_iter().chain(otherwise.as_deref());
                self.parts(node, parts, |this, part| {
                    if is_same(part, condition) {
                        return this.guarded(this.truth(), part, position);
                    }
                    grow(|| this.result(part, position))
                })
            }
            Kind::Block(expressions) => {
                self.parts(node, expressions, |this, part| match expressions.last() {
                    Some(last) if is_same(part, last) => grow(|| this.result(part, position)),
                    _ => this.emit(part, position),
                })
            }
            Kind::Call { .. } => self.emit(node, position),
            _ => self.guarded(self.keep(node), node, position),
        }
    }

    fn variable(&mut self, name: &str, place: Place) -> Result<(), CompileError> {
        match self.replacement(name, super::host::REPLACEMENTS) {
            Some(function) => self.name(function.name),
            None => self.copy(place),
        }
        Ok(())
    }

    /// The function of ours that stands in for one of JSONata's.
    fn replacement(&self, name: &str, table: &'static [HostFunction]) -> Option<&'static HostFunction> {
        if self.traits.is_bound(name) {
            return None;
        }
        table.iter().find(|function| function.name == name)
    }

    /// The guard of a value that is kept, where one is needed.
    fn keep(&self, node: &Node) -> Option<&'static str> {
        (self.guards.keeping && !self.is_scalar(node)).then_some("keep")
    }

    /// The guard of a condition, where one is needed.
    fn truth(&self) -> Option<&'static str> {
        self.traits.has_nan.then_some("truth")
    }

    /// The guard of a value that becomes text, where it may contain what is no number.
    fn written(&self) -> Option<&'static str> {
        self.traits.has_nan.then_some("written")
    }

    fn guarded(
        &mut self,
        guard: Option<&'static str>,
        node: &'a Node,
        position: Position,
    ) -> Result<(), CompileError> {
        let Some(guard) = guard else {
            return self.emit(node, position);
        };
        debug_assert!(GUARDS.iter().any(|known| known.name == guard), "{guard} is a guard");
        self.open(guard);
        self.emit(node, position)?;
        self.output.push(')');
        Ok(())
    }

    fn open(&mut self, function: &'static str) {
        self.name(function);
        self.output.push('(');
    }

    fn name(&mut self, function: &'static str) {
        if !self.functions.contains(&function) {
            self.functions.push(function);
        }
        self.output.push('$');
        self.output.push(PREFIX);
        self.output.push_str(function);
    }

    fn copy(&mut self, place: Place) {
        self.copy_between(place.offset, place.end());
    }

    fn copy_between(&mut self, start: usize, end: usize) {
        self.output.push_str(&self.source[start..end]);
    }
}

/// Tells whether two references are to one node of the tree.
fn is_same(one: &Node, other: &Node) -> bool {
    std::ptr::eq(one, other)
}

fn is_literal(node: &Node) -> bool {
    matches!(node.kind, Kind::Literal(_))
}
