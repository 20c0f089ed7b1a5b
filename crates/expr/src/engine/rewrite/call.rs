//! Calls: of our functions, of the engine's behind guards, and of the author's own.

use super::{Position, Rewriter};
use crate::CompileError;
use crate::engine::host::guard::is_harmless_picture;
use crate::engine::host::{MATCHING, PREFIX, REPLACEMENTS};
use crate::syntax::{Kind, Literal, Node};

/// The context of an argument is that of the call, but what is known of the scope does not matter there.
const ARGUMENT: Position = Position { at_root: false, piped: 0 };

impl<'a> Rewriter<'a> {
    pub(super) fn call(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        position: Position,
    ) -> Result<(), CompileError> {
        let name = match &callee.kind {
            Kind::Variable(name) if !self.traits.is_bound(name) => name.as_str(),
            _ => {
                self.emit(callee, ARGUMENT)?;
                return self
                    .arguments(node, callee, arguments, |this, index| this.keep(arguments.get(index)?));
            }
        };
        let count = arguments.len() + position.piped;
        let function = self.replacement(name, REPLACEMENTS).or_else(|| {
            let function = self.replacement(name, MATCHING)?;
            self.is_plain_matching(arguments, position.piped).then_some(function)
        });
        if let Some(function) = function.filter(|function| count <= function.max_arguments) {
            self.name(function.name);
            if count < function.without_context {
                return self.arguments_after_context(arguments);
            }
            return self.arguments(node, callee, arguments, |_, _| None);
        }
        match (name, position.piped, arguments) {
            ("reduce", 0, [items, function]) => return self.reduce(items, function),
            ("reduce", 0, [items, function, initial]) if !is_constructed(initial) => {
                return self.reduce_from(items, function, initial);
            }
            // The engine looks for a variable without a name.
            ("exists", 0, [context]) if context.kind == Kind::Variable(String::new()) => {
                self.output.push_str("$exists(($))");
                return Ok(());
            }
            _ => {}
        }
        // The engine's own function, under its own name even where it has a replacement.
        self.copy(callee.place);
        self.arguments(node, callee, arguments, |this, index| {
            this.argument_guard(name, index + position.piped, arguments.get(index)?)
        })
    }

    /// The guard of an argument of one of the engine's functions.
    fn argument_guard(&self, function: &str, index: usize, argument: &Node) -> Option<&'static str> {
        match (function, index) {
            ("string", 0) => {
                let guard = (self.guards.building && !self.is_small(argument, false)).then_some("build");
                self.written().or(guard)
            }
            ("pad", 1) => Some("width"),
            ("boolean" | "not", 0) => self.truth(),
            ("map" | "filter" | "single" | "reduce", 0) => (!is_array(argument)).then_some("listed"),
            ("fromMillis", 0) => Some("millis"),
            ("fromMillis", 2) => Some("timezone"),
            ("fromMillis" | "toMillis", 1) => match &argument.kind {
                Kind::Literal(Literal::String(picture)) if is_harmless_picture(picture) => None,
                _ => Some("picture"),
            },
            _ => None,
        }
    }

    /// Tells whether a call that `~>` hands a value to goes over its items with a function.
    pub(super) fn goes_over_items(&self, call: &Node) -> bool {
        let Kind::Call { arguments, .. } = &call.kind else { return false };
        let is_known = call
            .called_name()
            .is_some_and(|name| matches!(name, "map" | "filter" | "single") && !self.traits.is_bound(name));
        is_known && !arguments.is_empty() && !arguments.iter().any(|one| one.kind == Kind::Placeholder)
    }

    /// Such a call with the value as its first argument. Behind `~>` the engine takes an array of one item for the item.
    pub(super) fn piped_over_items(
        &mut self,
        value: &'a Node,
        call: &'a Node,
        position: Position,
    ) -> Result<(), CompileError> {
        let Kind::Call { callee, arguments } = &call.kind else { return self.emit(call, position) };
        self.copy(callee.place);
        self.output.push('(');
        self.guarded(Some("listed").filter(|_| !is_array(value)), value, position)?;
        for argument in arguments {
            self.output.push_str(", ");
            self.emit(argument, ARGUMENT)?;
        }
        self.output.push(')');
        Ok(())
    }

    /// The guard of a value that `~>` hands to a function.
    pub(super) fn piped_guard(&self, function: &Node, value: &Node) -> Option<&'static str> {
        let Kind::Call { callee, .. } = &function.kind else {
            return None;
        };
        let Kind::Variable(name) = &callee.kind else {
            return None;
        };
        match name.as_str() {
            name if self.traits.is_bound(name) => None,
            "reduce" => Some("listed").filter(|_| !is_array(value)),
            "string" => self.written(),
            _ => None,
        }
    }

    /// `$reduce` of nothing is undefined, where the engine gives null.
    fn reduce(&mut self, items: &'a Node, function: &'a Node) -> Result<(), CompileError> {
        self.output.push_str(&format!("(${PREFIX}items := "));
        self.guarded(Some("listed"), items, ARGUMENT)?;
        self.output
            .push_str(&format!("; $count(${PREFIX}items) = 0 ? ${PREFIX}nothing : $reduce(${PREFIX}items, "));
        self.emit(function, ARGUMENT)?;
        self.output.push_str("))");
        Ok(())
    }

    /// To start with undefined is to start with the first item.
    fn reduce_from(
        &mut self,
        items: &'a Node,
        function: &'a Node,
        initial: &'a Node,
    ) -> Result<(), CompileError> {
        for (name, value) in [("items", items), ("function", function), ("initial", initial)] {
            let open = if name == "items" { "(" } else { "; " };
            self.output.push_str(&format!("{open}${PREFIX}{name} := "));
            self.guarded(Some("listed").filter(|_| name == "items"), value, ARGUMENT)?;
        }
        self.output.push_str(&format!(
            "; $exists(${PREFIX}initial) ? $reduce(${PREFIX}items, ${PREFIX}function, ${PREFIX}initial) : \
             $count(${PREFIX}items) = 0 ? ${PREFIX}nothing : $reduce(${PREFIX}items, ${PREFIX}function))"
        ));
        Ok(())
    }

    /// Emits the arguments of a call.
    fn arguments(
        &mut self,
        node: &'a Node,
        callee: &'a Node,
        arguments: &'a [Node],
        guard: impl Fn(&Self, usize) -> Option<&'static str>,
    ) -> Result<(), CompileError> {
        let mut copied = callee.place.end();
        for (index, argument) in arguments.iter().enumerate() {
            self.copy_between(copied, argument.place.offset);
            self.guarded(guard(self, index), argument, ARGUMENT)?;
            copied = argument.place.end();
        }
        self.copy_between(copied, node.place.end());
        Ok(())
    }

    /// The arguments of one of our functions, which sees no context unless it is an argument.
    fn arguments_after_context(&mut self, arguments: &'a [Node]) -> Result<(), CompileError> {
        self.output.push_str("($");
        for argument in arguments {
            self.output.push_str(", ");
            self.emit(argument, ARGUMENT)?;
        }
        self.output.push(')');
        Ok(())
    }

    /// Tells whether neither the pattern nor the replacement of a call can be a function, which only the engine can
    /// call.
    fn is_plain_matching(&self, arguments: &[Node], piped: usize) -> bool {
        [1_usize, 2].into_iter().all(|index| {
            let argument = index.checked_sub(piped).and_then(|index| arguments.get(index));
            argument.is_none_or(|argument| self.is_plain(argument))
        })
    }

    fn is_plain(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Lambda { .. } | Kind::Transform { .. } | Kind::Placeholder | Kind::Block(_) => false,
            Kind::Condition(..) | Kind::Default(..) | Kind::Coalesce(..) => false,
            Kind::Call { callee, .. } => {
                matches!(&callee.kind, Kind::Variable(name) if !self.traits.is_bound(name))
            }
            Kind::Variable(name) => self
                .traits
                .value_of(name)
                .is_some_and(|value| !matches!(value.kind, Kind::Variable(_)) && self.is_plain(value)),
            _ => true,
        }
    }
}

/// Tells whether a value is written out, and so is not undefined.
fn is_constructed(node: &Node) -> bool {
    matches!(node.kind, Kind::Literal(_) | Kind::Array(_) | Kind::Object(_))
}

/// Tells whether a value is certainly an array.
fn is_array(node: &Node) -> bool {
    matches!(node.kind, Kind::Array(_))
}
