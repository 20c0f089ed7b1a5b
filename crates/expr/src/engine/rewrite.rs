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
const SMALL_FUNCTIONS: &[&str] = &[
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

/// The functions of JSONata whose value is a text of any length.
const TEXT_FUNCTIONS: &[&str] = &[
    "base64decode",
    "base64encode",
    "decodeUrl",
    "decodeUrlComponent",
    "encodeUrl",
    "encodeUrlComponent",
    "formatInteger",
    "join",
    "lowercase",
    "pad",
    "replace",
    "string",
    "substring",
    "substringAfter",
    "substringBefore",
    "trim",
    "uppercase",
];

/// What the engine is given.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) source: String,
    /// The names of our functions it uses.
    pub(super) functions: Vec<&'static str>,
    pub(super) patterns: Vec<Pattern>,
}

/// Which guards an expression needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guards {
    /// What is built must be paid for.
    pub(super) building: bool,
    /// What is kept must be looked at.
    pub(super) keeping: bool,
}

/// Rewrites `source`, whose tree is `tree`, with the guards it needs or with those it is told.
pub(super) fn rewrite(source: &str, tree: &Node, guards: Option<Guards>) -> Result<Rewritten, CompileError> {
    let mut traits = Traits::default();
    traits.gather(tree);
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
            Kind::Path(_, right) if field_name(right).is_none() => {
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

    /// An expression in which everything is computed once from the scope cannot make anything grow.
    fn guards(&self) -> Guards {
        Guards {
            building: self.reuses || self.accumulates,
            keeping: self.accumulates || self.growth > MAX_GROWTH,
        }
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
                    let guard =
                        (this.guards.building && !this.is_small(part, position.at_root)).then_some("build");
                    this.wrapped(guard, part, inside)
                })
            }
            Kind::Binary { operator: "~>", left, right } => {
                self.parts(node, [&**left, &**right], |this, part| {
                    let piped = usize::from(std::ptr::eq(part, &raw const **right));
                    this.emit(part, Position { piped, ..inside })
                })
            }
            Kind::Range(left, right) => self.range(left, right, inside),
            Kind::Array(items) => self.parts(node, items, |this, item| {
                let is_array = matches!(item.kind, Kind::Array(_) | Kind::Range(..));
                let guard = (this.guards.keeping && !is_array && !this.is_scalar(item)).then_some("keep");
                this.wrapped(guard, item, inside)
            }),
            Kind::Object(pairs) => self.pairs(node, None, pairs, inside),
            Kind::Group(left, pairs) => self.pairs(node, Some(left), pairs, inside),
            Kind::Bind { value, .. } => self.parts(node, [&**value], |this, value| {
                let guard = (this.guards.keeping && !this.is_scalar(value)).then_some("keep");
                this.wrapped(guard, value, inside)
            }),
            Kind::Lambda { body, .. } => self.parts(node, [&**body], |this, body| this.result(body, inside)),
            Kind::Path(..) => self.path(node, inside),
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
            let guard = (is_value && self.guards.keeping && !self.is_scalar(part)).then_some("keep");
            let is_left = left.is_some_and(|left| std::ptr::eq(left, part));
            self.wrapped(guard, part, if is_left { position } else { inner })?;
            copied = part.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    fn range(&mut self, left: &'a Node, right: &'a Node, position: Position) -> Result<(), CompileError> {
        let literal = matches!(left.kind, Kind::Literal(Literal::Number(_)));
        self.wrapped((!literal).then_some("from"), left, position)?;
        self.copy_between(left.place.end(), right.place.offset);
        self.open("to");
        self.emit(right, position)?;
        if literal {
            self.output.push_str(", ");
            self.copy(left.place);
        }
        self.output.push(')');
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
                let guard = (self.guards.keeping && !self.is_scalar(node)).then_some("keep");
                self.wrapped(guard, node, position)
            }
        }
    }

    /// A path. A step that starts over adds all its items for each item before it, and pays for them.
    fn path(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        let steps = steps_of(node);
        let mut copied = node.place.offset;
        for (index, step) in steps.iter().enumerate() {
            self.copy_between(copied, step.place.offset);
            let guarded = self.guards.building && !self.traits.looks_back && index > 0;
            match (index, guarded) {
                (0, _) => self.emit(step, position)?,
                (_, false) => self.emit(step, position.below())?,
                (_, true) => self.step(step, &steps[index + 1..], position.below())?,
            }
            copied = step.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    /// A step behind the first one; `following` are the steps behind it.
    fn step(
        &mut self,
        step: &'a Node,
        following: &[&'a Node],
        position: Position,
    ) -> Result<(), CompileError> {
        match &step.kind {
            Kind::Filter(left, _) | Kind::KeepArray(left) => {
                let mut children = Vec::new();
                step.each_child(&mut |child| children.push(child));
                self.parts(step, children, |this, child| {
                    if std::ptr::eq(child, &raw const **left) {
                        return this.step(child, following, position);
                    }
                    this.emit(child, position)
                })
            }
            _ if self.starts_over(step) => {
                self.output.push('(');
                self.open("step");
                self.emit(step, position)?;
                for name in following.iter().map_while(|step| field_name(step)) {
                    self.output.push_str(&format!(", {}", serde_json::Value::from(name)));
                }
                self.output.push_str("))");
                Ok(())
            }
            _ => self.emit(step, position),
        }
    }

    /// Tells whether a step of a path may give any number of items for each item before it: it goes back to the root or
    /// to a variable, or computes something. What it takes from the item itself is limited by the item.
    fn starts_over(&self, step: &Node) -> bool {
        match &step.kind {
            Kind::Variable(name) => !name.is_empty(),
            // An array that is written out pays for its ranges, and stays an array only where it stands.
            Kind::Block(expressions) => expressions.last().is_some_and(|last| self.may_be_long(last)),
            Kind::Call { .. } => !self.is_scalar(step),
            _ => false,
        }
    }

    fn may_be_long(&self, value: &Node) -> bool {
        match &value.kind {
            Kind::Path(left, right) => self.may_be_long(left) || self.starts_over(right),
            Kind::Filter(left, _) | Kind::KeepArray(left) | Kind::Sort(left, _) => self.may_be_long(left),
            Kind::Condition(_, then, otherwise) => {
                self.may_be_long(then)
                    || otherwise.as_deref().is_some_and(|otherwise| self.may_be_long(otherwise))
            }
            Kind::Default(left, right) | Kind::Coalesce(left, right) => {
                self.may_be_long(left) || self.may_be_long(right)
            }
            Kind::Binary { operator, .. } => *operator == "~>",
            _ => self.starts_over(value),
        }
    }

    fn call(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        position: Position,
    ) -> Result<(), CompileError> {
        let Kind::Variable(name) = &callee.kind else {
            return self.arguments(node, callee, arguments, |this, _| this.guards.keeping.then_some("keep"));
        };
        if self.is_bound(name) {
            return self.arguments(node, callee, arguments, |this, _| this.guards.keeping.then_some("keep"));
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
            ("string", 0) => (self.guards.building && !self.is_scalar(argument)).then_some("build"),
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
                matches!(&callee.kind, Kind::Variable(name) if !self.is_bound(name))
            }
            Kind::Variable(name) => match self.traits.bound.get(name.as_str()) {
                Some(Some(value)) => !matches!(value.kind, Kind::Variable(_)) && self.is_plain(value),
                Some(None) | None => false,
            },
            _ => true,
        }
    }

    /// Tells whether a value is no array and no object.
    fn is_scalar(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Literal(_)
            | Kind::Regex { .. }
            | Kind::Placeholder
            | Kind::Negate(_)
            | Kind::Lambda { .. } => true,
            Kind::Binary { operator, .. } => *operator != "~>",
            _ => self.is_call_of(node, SMALL_FUNCTIONS) || self.is_call_of(node, TEXT_FUNCTIONS),
        }
    }

    /// Tells whether a text is no longer than what the scope or the source already hold.
    fn is_small(&self, node: &Node, at_root: bool) -> bool {
        match &node.kind {
            Kind::Name(_) => at_root,
            Kind::Path(left, right) => field_name(right).is_some() && self.is_small(left, at_root),
            Kind::Variable(name) => name == "$",
            // Its own operands have been paid for.
            Kind::Binary { operator, .. } => *operator != "~>",
            _ => self.is_scalar(node) && !self.is_call_of(node, TEXT_FUNCTIONS),
        }
    }

    fn is_call_of(&self, node: &Node, functions: &[&str]) -> bool {
        let Kind::Call { callee, .. } = &node.kind else {
            return false;
        };
        matches!(&callee.kind, Kind::Variable(name) if functions.contains(&name.as_str()) && !self.is_bound(name))
    }

    fn is_bound(&self, name: &str) -> bool {
        self.traits.bound.contains_key(name)
    }

    fn replacement(&self, name: &str, table: &'static [HostFunction]) -> Option<&'static HostFunction> {
        if self.is_bound(name) {
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

/// The steps of a path, from the first to the last.
fn steps_of(path: &Node) -> Vec<&Node> {
    let mut steps = Vec::new();
    let mut here = path;
    while let Kind::Path(left, right) = &here.kind {
        steps.push(&**right);
        here = left;
    }
    steps.push(here);
    steps.reverse();
    steps
}

/// The field that a step takes, if that is all it does but select.
fn field_name(step: &Node) -> Option<&str> {
    match &step.kind {
        Kind::Name(name) | Kind::Literal(Literal::String(name)) => Some(name),
        Kind::Filter(left, _) | Kind::KeepArray(left) => field_name(left),
        _ => None,
    }
}
