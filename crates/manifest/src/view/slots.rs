//! Every compiled slot with the names its expression may read.

use super::{PostconditionView, Projection, Workflow};
use crate::compose::Part;
use crate::document::{Document, Node};
use crate::model::Slot;

/// A compiled slot and what its expression may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedSlot<'a> {
    pub(crate) slot: &'a Slot,
    pub(crate) scope: Scope,
    /// The schema of what `input` is there, if it has one.
    pub(crate) input_schema: Option<Node<'a>>,
}

/// Where an expression stands, and so which names it may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In a workflow, in a step of it unless it is the output.
    Workflow { workflow: usize, step: Option<usize>, role: Role },
    /// In the expression that makes a projection's state, or that says when it may be read.
    Projection { projection: usize },
    /// In a projection's markers.
    Markers { projection: usize },
    /// In a summary of a projection.
    Summary { projection: usize, takes_input: bool },
    /// In a postcondition.
    Postcondition,
    /// In the preconditions of a transition.
    Precondition,
    /// In the condition that ends a traversal.
    Convergence,
}

/// The part of a workflow an expression stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Args,
    When,
    ForEach,
    RetryUntil,
    AfterEach,
    SettleAfter,
    Output,
}

impl Role {
    /// The key the expression stands under.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Role::Args => "args",
            Role::When => "when",
            Role::ForEach => "for_each",
            Role::RetryUntil => "retry_until",
            Role::AfterEach => "after_each",
            Role::SettleAfter => "settle_after",
            Role::Output => "output",
        }
    }
}

impl Scope {
    /// The names an expression may read there.
    pub(crate) fn names(self) -> &'static [&'static str] {
        match self {
            Scope::Workflow { .. } => &["input", "steps", "item", "index"],
            Scope::Projection { .. } => &["records", "url", "title", "projection"],
            Scope::Markers { .. } => &["state", "records", "url", "projection"],
            Scope::Summary { takes_input: true, .. } => {
                &["state", "records", "url", "title", "projection", "input"]
            }
            Scope::Summary { takes_input: false, .. } => &["state", "records", "url", "title", "projection"],
            Scope::Postcondition => &["state", "input"],
            Scope::Precondition => &["input", "states", "url"],
            Scope::Convergence => &["input", "attempt", "values", "value", "states", "url"],
        }
    }

    /// Names the place for a sentence.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Scope::Workflow { .. } => "a workflow",
            Scope::Projection { .. } => "a projection",
            Scope::Markers { .. } => "markers",
            Scope::Summary { .. } => "a summary",
            Scope::Postcondition => "a postcondition",
            Scope::Precondition => "a precondition",
            Scope::Convergence => "`complete_when`",
        }
    }
}

/// The hint for a name of the whole scope that is read as if it were a field: inside `[…]` names are those of the element.
pub(crate) fn of_the_root(name: &str, scope: Scope) -> Option<String> {
    let is_root = scope.names().contains(&name);
    is_root.then(|| format!("inside `[…]` a name is a field of the element; write `$$.{name}`"))
}

/// Every compiled slot of a map.
pub(super) fn find<'a>(
    part: &'a Part,
    workflows: &[Workflow<'a>],
    projections: &[Projection<'a>],
) -> Vec<PlacedSlot<'a>> {
    let document: &'a Document = part.document();
    let mut finder = Finder { part, found: Vec::new() };
    for (number, workflow) in workflows.iter().enumerate() {
        finder.workflow(number, workflow);
    }
    for (number, projection) in projections.iter().enumerate() {
        finder.projection(number, projection);
    }
    for postcondition in PostconditionView::find(document) {
        let input_schema = postcondition.tool.and_then(|tool| tool.get("input_schema"));
        finder.below(postcondition.condition(), Scope::Postcondition, input_schema);
    }
    for transition in document.root().get("transitions").into_iter().flat_map(Node::elements) {
        finder.transition(document, transition);
    }
    finder.found
}

struct Finder<'a> {
    part: &'a Part,
    found: Vec<PlacedSlot<'a>>,
}

impl<'a> Finder<'a> {
    /// Adds the slots of everything at and below a node.
    fn below(&mut self, node: Option<Node<'a>>, scope: Scope, input_schema: Option<Node<'a>>) {
        let Some(node) = node else { return };
        let part = self.part;
        let found = &mut self.found;
        node.walk(&mut |node| {
            found.extend(part.slot(node).map(|slot| PlacedSlot { slot, scope, input_schema }));
        });
    }

    fn workflow(&mut self, number: usize, workflow: &Workflow<'a>) {
        let input_schema = workflow.tool.get("input_schema");
        let scope = |step, role| Scope::Workflow { workflow: number, step, role };
        for (index, step) in workflow.steps.iter().enumerate() {
            for (node, role) in [
                (step.args, Role::Args),
                (step.when, Role::When),
                (step.for_each, Role::ForEach),
                (step.retry_until, Role::RetryUntil),
                (step.after_each, Role::AfterEach),
                (step.settle_after, Role::SettleAfter),
            ] {
                self.below(node, scope(Some(index), role), input_schema);
            }
        }
        self.below(workflow.output, scope(None, Role::Output), input_schema);
    }

    fn transition(&mut self, document: &'a Document, transition: Node<'a>) {
        let tool = transition.get("tool").and_then(Node::as_str);
        let performs = super::tools(document).find(|one| tool.is_some() && name(*one) == tool);
        let input_schema = performs.and_then(|tool| tool.get("input_schema"));
        self.below(transition.get("preconditions"), Scope::Precondition, input_schema);
        let complete_when = transition.get("convergence").and_then(|one| one.get("complete_when"));
        self.below(complete_when, Scope::Convergence, input_schema);
    }

    fn projection(&mut self, number: usize, projection: &Projection<'a>) {
        self.below(projection.expression(), Scope::Projection { projection: number }, None);
        let ready = projection.ready.and_then(|ready| ready.get("expression"));
        self.below(ready, Scope::Projection { projection: number }, None);
        self.below(projection.markers, Scope::Markers { projection: number }, None);
        for summary in &projection.summaries {
            let input_schema = summary.get("input_schema");
            let scope = Scope::Summary { projection: number, takes_input: input_schema.is_some() };
            self.below(summary.get("expression"), scope, input_schema);
        }
    }
}

fn name(tool: Node<'_>) -> Option<&str> {
    tool.get("name").and_then(Node::as_str)
}
