//! Paths. A step that starts over adds all its items for each item before it, and pays for them.

use serde_json::Value as Json;

use super::{Position, Rewriter, is_same};
use crate::CompileError;
use crate::syntax::{Kind, Literal, Node};

impl<'a> Rewriter<'a> {
    pub(super) fn path(&mut self, node: &'a Node, position: Position) -> Result<(), CompileError> {
        let steps = steps_of(node);
        // A guard between two steps would change what `%` refers to.
        let is_guarded = self.guards.building && !self.traits.looks_back;
        let mut index = 0;
        self.parts(node, steps.clone(), |this, step| {
            index += 1;
            match (index, is_guarded) {
                (1, _) => this.emit(step, position),
                (_, false) => this.emit(step, position.below()),
                (_, true) => this.step(step, &steps[index..], position.below()),
            }
        })
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
                    if is_same(child, left) {
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
                    self.output.push_str(&format!(", {}", Json::from(name)));
                }
                self.output.push_str("))");
                Ok(())
            }
            _ => self.emit(step, position),
        }
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
pub(super) fn field_name(step: &Node) -> Option<&str> {
    match &step.kind {
        Kind::Name(name) | Kind::Literal(Literal::String(name)) => Some(name),
        Kind::Filter(left, _) | Kind::KeepArray(left) => field_name(left),
        _ => None,
    }
}
