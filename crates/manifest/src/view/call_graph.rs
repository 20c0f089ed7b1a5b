//! Which tool of a map calls which.

use std::collections::HashMap;

use super::{PrimitiveUse, literal};
use crate::document::{Document, Node};

/// Which tool of a map calls which, as far as the map says so.
#[derive(Debug)]
pub(crate) struct CallGraph<'d> {
    names: Vec<&'d str>,
    /// By the number of the caller: the number of the tool that is called, and where.
    calls: Vec<Vec<(usize, Node<'d>)>>,
}

/// The tools of a chain of calls, and the call it is about.
pub(crate) type Chain<'d> = (Vec<&'d str>, Node<'d>);

impl<'d> CallGraph<'d> {
    pub(crate) fn of(document: &'d Document, primitives: &[PrimitiveUse<'d>]) -> Self {
        let tools: Vec<_> = super::tools(document).collect();
        let names: Vec<_> =
            tools.iter().map(|tool| tool.get("name").and_then(Node::as_str).unwrap_or_default()).collect();
        let by_name: HashMap<_, _> = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
        let by_node: HashMap<_, _> =
            tools.iter().enumerate().map(|(number, tool)| (tool.id(), number)).collect();
        let mut calls = vec![Vec::new(); tools.len()];
        for used in primitives.iter().filter(|used| used.calls_a_tool()) {
            let caller = used.tool.and_then(|tool| by_node.get(&tool.id()));
            let action = used.args.and_then(|args| args.get("action"));
            let callee = action.and_then(literal).and_then(|name| by_name.get(name));
            if let (Some(caller), Some(action), Some(callee)) = (caller, action, callee) {
                calls[*caller].push((*callee, action));
            }
        }
        Self { names, calls }
    }

    /// Every chain of calls that comes back to where it began, once.
    pub(crate) fn circles(&self) -> Vec<Chain<'d>> {
        let mut circles = Vec::new();
        let mut finished = vec![false; self.names.len()];
        for start in 0..self.names.len() {
            // The tools that are running, each with the number of its next call.
            let mut running = vec![(start, 0)];
            while let Some((tool, next)) = running.last_mut() {
                let (tool, call) = (*tool, self.calls[*tool].get(*next).filter(|_| !finished[*tool]));
                *next += 1;
                let Some((callee, at)) = call else {
                    finished[tool] = true;
                    running.pop();
                    continue;
                };
                match running.iter().position(|(above, _)| above == callee) {
                    Some(first) => {
                        let circle = running[first..].iter().map(|(tool, _)| *tool).chain([*callee]);
                        circles.push((circle.map(|tool| self.names[tool]).collect(), *at));
                    }
                    None => running.push((*callee, 0)),
                }
            }
        }
        circles
    }

    /// Every chain that is one call longer than `limit`; chains that contain it are not reported again.
    pub(crate) fn deeper_than(&self, limit: usize) -> Vec<Chain<'d>> {
        let mut too_deep = Vec::new();
        // The longest chain of at most `length` calls from each tool, for growing lengths.
        let mut longest: Vec<Option<(usize, Node<'d>)>> = vec![None; self.names.len()];
        let mut depth = vec![0; self.names.len()];
        for length in 1..=limit + 2 {
            let before = depth.clone();
            for (caller, calls) in self.calls.iter().enumerate() {
                if let Some(call) = calls.iter().find(|(callee, _)| before[*callee] + 1 == length) {
                    depth[caller] = length;
                    longest[caller] = Some(*call);
                }
            }
        }
        for caller in (0..self.names.len()).filter(|caller| depth[*caller] == limit + 1) {
            let mut chain = vec![self.names[caller]];
            let mut at = caller;
            while let Some((callee, _)) = longest[at].filter(|_| chain.len() <= limit + 1) {
                chain.push(self.names[callee]);
                at = callee;
            }
            too_deep.extend(longest[caller].map(|(_, at)| (chain, at)));
        }
        too_deep
    }
}
