//! What several rules look at, found once for each map: the steps of workflows, the uses of primitives, slots with what
//! they may read, selectors, projections.
//!
//! The views go through the text and not through the model, because the model leaves out what is broken: a mistake in
//! one key of a tool must not hide what is wrong with the rest of it.

mod arguments;
mod call_graph;
pub(crate) mod declared;
mod literal;
mod locator;
mod primitive_use;
mod projection;
mod repeated;
pub(crate) mod schemas;
mod selector;
mod slots;
mod subject;
mod target;
mod workflow;

pub(crate) use arguments::{holes, label};
pub(crate) use call_graph::CallGraph;
pub(crate) use literal::literal;
pub(crate) use locator::identifies;

pub(crate) use crate::lower::{is_locator, is_misplaced_timeout};
pub(crate) use primitive_use::{PrimitiveUse, UsedAs};
pub(crate) use projection::{PostconditionView, Projection};
pub(crate) use repeated::repeated;
pub(crate) use selector::{Language, Selector};
pub(crate) use slots::{PlacedSlot, Role, Scope, of_the_root};
pub(crate) use subject::Subject;
pub(crate) use target::Target;
pub(crate) use workflow::{Step, Workflow};

use crate::compose::Part;
use crate::document::{Document, Node};

/// One map as the rules look at it.
#[derive(Debug)]
pub(crate) struct View<'a> {
    /// Its workflows.
    pub(crate) workflows: Vec<Workflow<'a>>,
    /// Its state projections.
    pub(crate) projections: Vec<Projection<'a>>,
    /// Its compiled slots.
    pub(crate) slots: Vec<PlacedSlot<'a>>,
    /// Every place that names a primitive.
    pub(crate) primitives: Vec<PrimitiveUse<'a>>,
    /// Its target descriptors.
    pub(crate) targets: Vec<Target<'a>>,
    /// Its literal selectors.
    pub(crate) selectors: Vec<Selector<'a>>,
}

impl<'a> View<'a> {
    pub(crate) fn of(part: &'a Part) -> Self {
        let document: &'a Document = part.document();
        let workflows = workflow::find(document);
        let projections = projection::find(document);
        let slots = slots::find(part, &workflows, &projections);
        let primitives = primitive_use::find(document, &workflows, &projections);
        let targets = target::find(document);
        let steps = workflows.iter().flat_map(|workflow| workflow.steps.iter().copied());
        let selectors = selector::find(&targets, &projections, &primitives, steps);
        Self { workflows, projections, slots, primitives, targets, selectors }
    }

    /// Every step of every workflow.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &Step<'a>> {
        self.workflows.iter().flat_map(|workflow| &workflow.steps)
    }
}

/// The tools of a map, in order.
pub(crate) fn tools(document: &Document) -> impl Iterator<Item = Node<'_>> {
    section(document, "tools")
}

/// The elements of a section of the map that is a list.
fn section<'d>(document: &'d Document, key: &str) -> impl Iterator<Item = Node<'d>> + use<'d> {
    document.root().get(key).into_iter().flat_map(Node::elements)
}
