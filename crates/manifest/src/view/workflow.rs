//! Workflows and steps as the text has them.

use crate::document::{Document, Node};

/// A workflow as it stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct Workflow<'d> {
    /// The tool it belongs to.
    pub(crate) tool: Node<'d>,
    /// Its steps, in order.
    pub(crate) steps: Vec<Step<'d>>,
    /// Its result.
    pub(crate) output: Option<Node<'d>>,
}

/// A step as it stands in the text: the value of each of its keys, whatever it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'d> {
    pub(crate) node: Node<'d>,
    pub(crate) id: Option<Node<'d>>,
    pub(crate) args: Option<Node<'d>>,
    pub(crate) when: Option<Node<'d>>,
    pub(crate) for_each: Option<Node<'d>>,
    pub(crate) max_items: Option<Node<'d>>,
    pub(crate) retry_until: Option<Node<'d>>,
    pub(crate) max_attempts: Option<Node<'d>>,
    pub(crate) after_each: Option<Node<'d>>,
    pub(crate) settle_after: Option<Node<'d>>,
}

/// Every workflow of a map.
pub(super) fn find(document: &Document) -> Vec<Workflow<'_>> {
    super::tools(document).filter_map(|tool| Some(Workflow::of(tool, tool.get("workflow")?))).collect()
}

impl<'d> Workflow<'d> {
    fn of(tool: Node<'d>, workflow: Node<'d>) -> Self {
        let steps = workflow.get("steps").into_iter().flat_map(Node::elements).map(Step::of).collect();
        Self { tool, steps, output: workflow.get("output") }
    }

    /// The number of the step with this id; of several, the first.
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.steps.iter().position(|step| step.name() == Some(id))
    }
}

impl<'d> Step<'d> {
    fn of(node: Node<'d>) -> Self {
        Self {
            node,
            id: node.get("id"),
            args: node.get("args"),
            when: node.get("when"),
            for_each: node.get("for_each"),
            max_items: node.get("max_items"),
            retry_until: node.get("retry_until"),
            max_attempts: node.get("max_attempts"),
            after_each: node.get("after_each"),
            settle_after: node.get("settle_after"),
        }
    }

    /// The id, if it is text.
    pub(crate) fn name(&self) -> Option<&'d str> {
        self.id.and_then(Node::as_str)
    }

    /// Names the step for a sentence.
    pub(crate) fn subject(&self) -> String {
        crate::lower::subject(self.node)
    }
}
