//! The source that the engine is given instead of the author's.
//!
//! It says the same, with our functions in place of some of JSONata's and with guards where the engine would build
//! something without bounds. Regular expressions are translated.

use std::collections::HashMap;

use actions_protocol::ErrorCode;
use regex::Regex;

use super::host::guard::is_harmless_picture;
use super::host::{GUARDS, HostFunction, MATCHING, PREFIX, Pattern, REPLACEMENTS};
use crate::pattern::translate;
use crate::syntax::{Kind, Literal, Node, grow};
use crate::{CompileError, Place};

/// The most a chain of variables may multiply a value without guards.
const MAX_GROWTH: usize = 1_000;

/// The functions of JSONata whose value is a number, a truth value or a short text.
const SCALAR_FUNCTIONS: &[&str] = &[
    "abs",
    "average",
    "boolean",
    "ceil",
    "contains",
    "count",
    "exists",
    "floor",
    "formatBase",
    "formatNumber",
    "fromMillis",
    "length",
    "max",
    "min",
    "not",
    "number",
    "parseInteger",
    "power",
    "round",
    "sqrt",
    "sum",
    "toMillis",
    "type",
];

/// What the engine is given.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) source: String,
    /// The names of our functions it uses.
    pub(super) functions: Vec<&'static str>,
    pub(super) patterns: Vec<Pattern>,
}

/// Rewrites `source`, whose tree is `tree`.
pub(super) fn rewrite(source: &str, tree: &Node) -> Result<Rewritten, CompileError> {
    let mut traits = Traits::default();
    traits.gather(tree);
    let mut rewriter = Rewriter {
        source,
        guarded: !traits.is_straight(),
        accumulates: traits.accumulates || traits.growth > MAX_GROWTH,
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

/// What must be known of the whole tree before it is rewritten.
#[derive(Default)]
struct Traits<'a> {
    /// The variables that the expression binds itself, with the value if there is just one.
    bound: HashMap<&'a str, Option<&'a Node>>,
    /// A value that was computed can be used again: by a function, a variable or as the context of a step.
    reuses: bool,
    /// A value can be used to build a larger one any number of times.
    accumulates: bool,
    /// How much larger a value can get by going from variable to variable.
    growth: usize,
    /// A step may look at what led to it.
    looks_back: bool,
}

impl<'a> Traits<'a> {
    fn gather(&mut self, node: &'a Node) {
        self.growth = self.growth.max(1);
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
            Kind::Path(_, right) if !is_field(right) => {
                self.reuses = true;
                self.growth = self.growth.saturating_mul(2);
            }
            Kind::Group(..) | Kind::Transform { .. } => self.reuses = true,
            Kind::Variable(name) => self.accumulates |= name == "reduce",
            Kind::Call { callee, .. } => self.accumulates |= !matches!(callee.kind, Kind::Variable(_)),
            _ => {}
        }
        node.each_child(&mut |child| grow(|| self.gather(child)));
    }

    fn bind(&mut self, name: &'a str, value: Option<&'a Node>) {
        self.bound.entry(name).and_modify(|known| *known = None).or_insert(value);
    }

    /// Tells whether everything is computed once from the scope, so that nothing can grow.
    fn is_straight(&self) -> bool {
        !self.reuses && !self.accumulates
    }
}

/// Tells whether a step of a path takes a part of the item before it.
fn is_field(step: &Node) -> bool {
    match &step.kind {
        Kind::Name(_) | Kind::Literal(_) => true,
        Kind::Filter(left, _) | Kind::KeepArray(left) => is_field(left),
        _ => false,
    }
}

fn count_variables(node: &Node) -> usize {
    let mut count = usize::from(matches!(node.kind, Kind::Variable(_)));
    node.each_child(&mut |child| count = count.saturating_add(grow(|| count_variables(child))));
    count
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
    const fn inside(self) -> Position {
        Position { piped: 0, ..self }
    }

    const fn below(self) -> Position {
        Position { at_root: false, piped: 0 }
    }
}

struct Rewriter<'a> {
    source: &'a str,
    /// What is built must be paid for.
    guarded: bool,
    /// What is kept must be looked at.
    accumulates: bool,
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
            Kind::Variable(name) => {
                match self.replacement(name, REPLACEMENTS) {
                    Some(function) => self.name(function.name),
                    None => self.copy(node.place),
                }
                Ok(())
            }
            Kind::Call { callee, arguments } => self.call(node, callee, arguments, position),
            Kind::Binary { operator: "&", left, right } => {
                self.parts(node, [&**left, &**right], |this, part| {
                    let guard = (this.guarded && !this.is_small(part, position.at_root)).then_some("build");
                    this.wrapped(guard, part, inside)
                })
            }
            Kind::Binary { operator: "~>", left, right } => {
                self.parts(node, [&**left, &**right], |this, part| {
                    let piped = usize::from(std::ptr::eq(part, &raw const **right));
                    this.emit(part, Position { piped, ..inside })
                })
            }
            Kind::Range(left, right) => self.parts(node, [&**left, &**right], |this, part| {
                let guard = if std::ptr::eq(part, &raw const **left) { "from" } else { "to" };
                this.wrapped(Some(guard), part, inside)
            }),
            Kind::Array(items) => self.parts(node, items, |this, item| {
                let is_array = matches!(item.kind, Kind::Array(_) | Kind::Range(..));
                let guard = (this.accumulates && !is_array && !this.is_scalar(item)).then_some("keep");
                this.wrapped(guard, item, inside)
            }),
            Kind::Object(pairs) => self.pairs(node, None, pairs, inside),
            Kind::Group(left, pairs) => self.pairs(node, Some(left), pairs, inside),
            Kind::Bind { value, .. } => self.parts(node, [&**value], |this, value| {
                let guard = (this.accumulates && !this.is_scalar(value)).then_some("keep");
                this.wrapped(guard, value, inside)
            }),
            Kind::Lambda { body, .. } => self.parts(node, [&**body], |this, body| this.result(body, inside)),
            Kind::Path(left, right) => self.path(node, left, right, inside),
            Kind::Filter(left, predicate) => self.parts(node, [&**left, &**predicate], |this, part| {
                let is_left = std::ptr::eq(part, &raw const **left);
                this.emit(part, if is_left { position } else { position.below() })
            }),
            Kind::Sort(left, terms) => {
                let parts = std::iter::once(&**left).chain(terms);
                self.parts(node, parts, |this, part| {
                    let is_left = std::ptr::eq(part, &raw const **left);
                    this.emit(part, if is_left { position } else { position.below() })
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

    fn pairs(
        &mut self,
        node: &'a Node,
        left: Option<&'a Node>,
        pairs: &'a [(Node, Node)],
        position: Position,
    ) -> Result<(), CompileError> {
        let inner = if left.is_some() { position.below() } else { position };
        let parts = pairs.iter().flat_map(|(key, value)| [(key, false), (value, true)]);
        let parts = left.map(|left| (left, false)).into_iter().chain(parts);
        let mut copied = node.place.offset;
        for (part, is_value) in parts {
            self.copy_between(copied, part.place.offset);
            let guard = (is_value && self.accumulates && !self.is_scalar(part)).then_some("keep");
            let is_left = left.is_some_and(|left| std::ptr::eq(left, part));
            self.wrapped(guard, part, if is_left { position } else { inner })?;
            copied = part.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    /// The value of a function. What is behind a call in tail position stays there, so that recursion needs no depth.
    fn result(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        match &node.kind {
            Kind::Condition(condition, then, otherwise) => {
                let parts = [&**condition, &**then].into_iter().chain(otherwise.as_deref());
                self.parts(node, parts, |this, part| {
                    if std::ptr::eq(part, &raw const **condition) {
                        return this.emit(part, position);
                    }
                    grow(|| this.result(part, position))
                })
            }
            Kind::Block(expressions) => {
                self.parts(node, expressions, |this, part| match expressions.last() {
                    Some(last) if std::ptr::eq(last, part) => grow(|| this.result(part, position)),
                    _ => this.emit(part, position),
                })
            }
            Kind::Call { .. } => self.emit(node, position),
            _ => {
                let guard = (self.accumulates && !self.is_scalar(node)).then_some("keep");
                self.wrapped(guard, node, position)
            }
        }
    }

    /// A path. A step that starts over, from a variable or the root, adds all its items for each item before it.
    fn path(
        &mut self,
        node: &'a Node,
        left: &'a Node,
        right: &'a Node,
        position: Position,
    ) -> Result<(), CompileError> {
        if !self.guarded || self.traits.looks_back {
            return self.plain_path(node, left, right, position);
        }
        // A path is read from its end: find the last step that starts over.
        let mut start = node;
        loop {
            let Kind::Path(before, step) = &start.kind else {
                return self.plain_path(node, left, right, position);
            };
            if starts_over(step) {
                self.emit(before, position)?;
                self.copy_between(before.place.end(), step.place.offset);
                self.output.push('(');
                self.open("step");
                self.steps_from(step, node, position.below())?;
                self.output.push_str("))");
                return Ok(());
            }
            start = before;
        }
    }

    /// The steps of the path `node` from `first` on.
    fn steps_from(
        &mut self,
        first: &'a Node,
        node: &'a Node,
        position: Position,
    ) -> Result<(), CompileError> {
        if std::ptr::eq(first, node) {
            return self.emit(first, position);
        }
        let Kind::Path(before, step) = &node.kind else {
            return self.emit(first, position);
        };
        if std::ptr::eq(first, &raw const **step) {
            return self.emit(first, position);
        }
        grow(|| self.steps_from(first, before, position))?;
        self.copy_between(before.place.end(), step.place.offset);
        self.emit(step, position)
    }

    fn plain_path(
        &mut self,
        node: &'a Node,
        left: &'a Node,
        right: &'a Node,
        position: Position,
    ) -> Result<(), CompileError> {
        self.parts(node, [left, right], |this, part| {
            this.emit(part, if std::ptr::eq(part, left) { position } else { position.below() })
        })
    }

    fn call(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        position: Position,
    ) -> Result<(), CompileError> {
        let Kind::Variable(name) = &callee.kind else {
            return self.arguments(node, callee, arguments, |this, _| this.accumulates.then_some("keep"));
        };
        if self.traits.bound.contains_key(name.as_str()) {
            return self.arguments(node, callee, arguments, |this, _| this.accumulates.then_some("keep"));
        }
        let count = arguments.len() + position.piped;
        let function = self.replacement(name, REPLACEMENTS).or_else(|| {
            let function = self.replacement(name, MATCHING)?;
            self.is_plain_matching(arguments, position.piped).then_some(function)
        });
        if let Some(function) = function.filter(|function| count <= function.max_arguments) {
            self.name(function.name);
            let context = if count < function.without_context { Some("$") } else { None };
            return self.argument_list(node, callee, arguments, context, |_, _| None);
        }
        if name == "reduce" && count == 2 && position.piped == 0 {
            return self.reduce(node, callee, arguments);
        }
        // The engine's own function, under its own name even where it has a replacement.
        self.copy(callee.place);
        self.argument_list(node, callee, arguments, None, |this, index| {
            this.argument_guard(name, index + position.piped, arguments.get(index)?)
        })
    }

    /// The guard of an argument of one of the engine's functions.
    fn argument_guard(&self, function: &str, index: usize, argument: &Node) -> Option<&'static str> {
        let picture = match &argument.kind {
            Kind::Literal(Literal::String(picture)) => Some(picture.as_str()),
            _ => None,
        };
        match (function, index) {
            ("string", 0) => (self.guarded && !self.is_scalar(argument)).then_some("build"),
            ("pad", 1) => Some("width"),
            ("formatNumber" | "fromMillis" | "toMillis" | "formatInteger" | "parseInteger", 1)
            | ("fromMillis", 2) => (!picture.is_some_and(is_harmless_picture)).then_some("picture"),
            ("formatInteger", 0) => Some("numeral"),
            _ => None,
        }
    }

    /// `$reduce` of nothing is undefined, where the engine gives null.
    fn reduce(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
    ) -> Result<(), CompileError> {
        let (Some(items), Some(function)) = (arguments.first(), arguments.get(1)) else {
            return Ok(());
        };
        let at_root = Position { at_root: false, piped: 0 };
        self.output.push_str(&format!("(${PREFIX}items := "));
        self.emit(items, at_root)?;
        self.output.push_str(&format!("; $count(${PREFIX}items) = 0 ? ${PREFIX}nothing : "));
        self.copy(callee.place);
        self.output.push_str(&format!("(${PREFIX}items, "));
        self.emit(function, at_root)?;
        self.output.push_str("))");
        debug_assert!(node.place.end() >= function.place.end());
        Ok(())
    }

    /// A call of something else than a function of JSONata.
    fn arguments(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        guard: impl Fn(&Self, &Node) -> Option<&'static str>,
    ) -> Result<(), CompileError> {
        self.emit(callee, Position { at_root: false, piped: 0 })?;
        self.argument_list(node, callee, arguments, None, |this, index| {
            let argument = arguments.get(index)?;
            guard(this, argument).filter(|_| !this.is_scalar(argument))
        })
    }

    /// The arguments of a call, behind its callee.
    fn argument_list(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        context: Option<&str>,
        guard: impl Fn(&Self, usize) -> Option<&'static str>,
    ) -> Result<(), CompileError> {
        let mut copied = callee.place.end();
        if let Some(context) = context {
            let open = self.source[copied..].find('(').map_or(copied, |at| copied + at + 1);
            self.copy_between(copied, open);
            self.output.push_str(context);
            self.output.push_str(if arguments.is_empty() { "" } else { ", " });
            copied = open;
        }
        for (index, argument) in arguments.iter().enumerate() {
            self.copy_between(copied, argument.place.offset);
            self.wrapped(guard(self, index), argument, Position { at_root: false, piped: 0 })?;
            copied = argument.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    /// Tells whether neither the pattern nor the replacement of a call can be a function, which only the engine can call.
    fn is_plain_matching(&self, arguments: &[Node], piped: usize) -> bool {
        let is_plain = |index: usize| match index.checked_sub(piped).and_then(|index| arguments.get(index)) {
            None => true,
            Some(node) => self.is_plain(node),
        };
        is_plain(1) && is_plain(2)
    }

    fn is_plain(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Lambda { .. } | Kind::Transform { .. } | Kind::Placeholder | Kind::Block(_) => false,
            Kind::Condition(..) | Kind::Default(..) | Kind::Coalesce(..) => false,
            Kind::Call { callee, .. } => {
                matches!(&callee.kind, Kind::Variable(name) if !self.traits.bound.contains_key(name.as_str()))
            }
            Kind::Variable(name) => match self.traits.bound.get(name.as_str()) {
                Some(Some(value)) => !matches!(value.kind, Kind::Variable(_)) && self.is_plain(value),
                Some(None) | None => false,
            },
            _ => true,
        }
    }

    fn is_scalar(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Literal(_)
            | Kind::Regex { .. }
            | Kind::Placeholder
            | Kind::Negate(_)
            | Kind::Lambda { .. } => true,
            Kind::Binary { operator, .. } => *operator != "~>",
            Kind::Call { callee, .. } => match &callee.kind {
                Kind::Variable(name) => {
                    SCALAR_FUNCTIONS.contains(&name.as_str())
                        && !self.traits.bound.contains_key(name.as_str())
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Tells whether an operand is no longer than what the scope or the source already hold.
    fn is_small(&self, node: &Node, at_root: bool) -> bool {
        match &node.kind {
            Kind::Name(_) => at_root,
            Kind::Path(left, right) => {
                matches!(right.kind, Kind::Name(_) | Kind::Literal(_)) && self.is_small(left, at_root)
            }
            Kind::Variable(name) => name == "$",
            Kind::Binary { operator: "&", .. } => true,
            _ => self.is_scalar(node),
        }
    }

    fn replacement(&self, name: &str, table: &'static [HostFunction]) -> Option<&'static HostFunction> {
        if self.traits.bound.contains_key(name) {
            return None;
        }
        table.iter().find(|function| function.name == name)
    }

    fn wrapped(
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

    fn regex(&mut self, pattern: &str, flags: &str, place: Place) -> Result<(), CompileError> {
        let refused = |place, message, hint: Option<&str>| CompileError {
            code: ErrorCode::InvalidExpression,
            jsonata_code: None,
            place,
            message,
            hint: hint.map(str::to_owned),
        };
        let source = translate(pattern, flags.contains('m')).map_err(|error| {
            let place = Place::new(place.offset + 1 + error.offset, error.len);
            refused(place, error.message, error.hint)
        })?;
        let flags = if flags.contains('i') { "i" } else { "" };
        self.output.push_str(&format!("/{source}/{flags}"));
        if self.patterns.iter().any(|known| known.source == source && known.flags == flags) {
            return Ok(());
        }
        let case = if flags.is_empty() { "" } else { "(?i)" };
        let regex = Regex::new(&format!("{case}{source}")).map_err(|error| {
            let message = match error {
                regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
                _ => "the regular expression is not valid".to_owned(),
            };
            refused(place, message, Some("use smaller repetitions and simpler groups"))
        })?;
        self.patterns.push(Pattern { source, flags: flags.to_owned(), regex });
        Ok(())
    }
}

/// Tells whether a step of a path does not depend on the item before it.
fn starts_over(step: &Node) -> bool {
    match &step.kind {
        Kind::Variable(name) => !name.is_empty(),
        Kind::Filter(left, _) | Kind::KeepArray(left) => starts_over(left),
        Kind::Block(expressions) => matches!(expressions.as_slice(), [only] if starts_over(only)),
        _ => false,
    }
}
