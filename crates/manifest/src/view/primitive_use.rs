//! Every place of a map that names a primitive.

use actions_dictionary::{Dictionary, Primitive};

use super::{Projection, Workflow};
use crate::document::{Document, Node};

/// A place that names a primitive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrimitiveUse<'d> {
    /// The string with the name.
    pub(crate) at: Node<'d>,
    /// The name.
    pub(crate) name: &'d str,
    /// The arguments that are written beside it.
    pub(crate) args: Option<Node<'d>>,
    /// What it is used as.
    pub(crate) used_as: UsedAs,
    /// The tool it is used by, if it is.
    pub(crate) tool: Option<Node<'d>>,
}

/// What a primitive is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsedAs {
    /// A step of a workflow.
    Step,
    /// What runs between the attempts of a step.
    AfterEach,
    /// A step of a marker's recipe.
    RecipeStep,
    /// The handler of a tool, which may as well be a function of the page.
    Handler,
    /// What an attachment opens, which may as well be a tool.
    Opens,
}

impl<'d> PrimitiveUse<'d> {
    /// Whether it performs another tool of the map.
    pub(crate) fn calls_a_tool(&self) -> bool {
        self.used_as != UsedAs::Opens && self.primitive().is_some_and(|primitive| primitive.calls_tool)
    }

    /// What the dictionary says about it.
    pub(crate) fn primitive(&self) -> Option<&'static Primitive> {
        Dictionary::builtin().get(self.name)
    }
}

/// Every place of a map that names a primitive.
pub(super) fn find<'d>(
    document: &'d Document,
    workflows: &[Workflow<'d>],
    projections: &[Projection<'d>],
) -> Vec<PrimitiveUse<'d>> {
    let mut found = Vec::new();
    let mut add = |owner: Node<'d>, key: &str, args: Option<Node<'d>>, used_as, tool| {
        let Some((at, name)) = owner.get(key).and_then(|at| Some((at, at.as_str()?))) else { return };
        found.push(PrimitiveUse { at, name, args, used_as, tool });
    };
    for workflow in workflows {
        for step in &workflow.steps {
            add(step.node, "primitive", step.args, UsedAs::Step, Some(workflow.tool));
            if let Some(after_each) = step.after_each {
                add(after_each, "primitive", after_each.get("args"), UsedAs::AfterEach, Some(workflow.tool));
            }
        }
    }
    let markers = projections.iter().filter_map(|projection| projection.markers).flat_map(Node::elements);
    for step in markers.filter_map(|marker| marker.get("recipe")).flat_map(Node::elements) {
        add(step, "primitive", step.get("args"), UsedAs::RecipeStep, None);
    }
    for tool in super::tools(document) {
        let Some(x_actions) = tool.get("x_actions") else { continue };
        add(x_actions, "handler", x_actions.at("/binding/arguments"), UsedAs::Handler, Some(tool));
    }
    for attachment in super::section(document, "attachments") {
        let Some(opens) = attachment.at("/affordance/opens") else { continue };
        add(opens, "tool", opens.get("arguments"), UsedAs::Opens, None);
    }
    found
}
