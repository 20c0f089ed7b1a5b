//! Chooses the context blocks of a map that apply to a page, its states and a task.

use actions_manifest::model::{self, TargetReference};
use actions_manifest::{Exposed, Part};
use serde::Serialize;

use crate::plan::{Planner, Probe};
use crate::plans::Plans;
use crate::probe::{Look, Verdict};

/// A block of documentation that applies now. It describes; it grants nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ContextBlock {
    /// Its id.
    pub id: String,
    /// A short label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub body: String,
    /// The tools that are useful here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub available_tools: Vec<String>,
    /// The states that may follow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next_states: Vec<String>,
    /// The conditions that could not be decided: `states`, `targets` or `tasks`. A block is shown in that case, because
    /// it only describes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<&'static str>,
}

/// The blocks whose address fits, with the targets they look for.
pub(crate) struct Contexts<'m> {
    candidates: Vec<Candidate<'m>>,
}

struct Candidate<'m> {
    block: Exposed<'m, model::Context>,
    targets: Vec<Probe>,
}

impl<'m> Contexts<'m> {
    /// The blocks that may apply to a page of this address.
    pub(crate) fn at(plans: &'m Plans, url: &str) -> Self {
        let blocks = plans.manifest.contexts().filter(|block| block.applies_to(url));
        let candidates = blocks.map(|block| {
            let named = block.item.load_when.iter().flat_map(|when| &when.targets);
            let targets = named.filter_map(|target| probe(plans, block.part, target)).collect();
            Candidate { targets, block }
        });
        Self { candidates: candidates.collect() }
    }

    /// The targets they look for, in order.
    pub(crate) fn probes(&self) -> Vec<&Probe> {
        self.candidates.iter().flat_map(|candidate| &candidate.targets).collect()
    }

    /// The states they ask for.
    pub(crate) fn states(&self) -> Vec<String> {
        self.candidates.iter().flat_map(|candidate| states(&candidate.block)).collect()
    }

    /// The blocks that apply by what was seen. The probes of the look begin with those of [`Contexts::probes`].
    pub(crate) fn seen(&self, look: &Look, task: Option<&str>) -> Vec<ContextBlock> {
        let mut blocks = Vec::new();
        let mut next = 0;
        for Candidate { block, targets } in &self.candidates {
            let places = next..next + targets.len();
            next = places.end;
            let verdicts = [
                ("states", of_states(look, &states(block))),
                ("targets", of_targets(places.map(|place| look.probe(place)))),
                ("tasks", of_task(block.item.load_when.as_ref(), task)),
            ];
            if verdicts.iter().any(|(_, holds)| *holds == Holds::No) {
                continue;
            }
            let undecided = verdicts.iter().filter(|(_, holds)| *holds == Holds::Maybe).map(|(key, _)| *key);
            blocks.push(ContextBlock {
                id: block.name.to_string(),
                title: block.item.title.clone(),
                body: block.item.body.to_string(),
                available_tools: exposed(block.part, &block.item.available_tools),
                next_states: exposed(block.part, &block.item.next_states),
                undecided: undecided.collect(),
            });
        }
        blocks
    }
}

/// Whether a condition of a block holds. A block without the condition needs nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Yes,
    No,
    Maybe,
}

fn states(block: &Exposed<'_, model::Context>) -> Vec<String> {
    let when = block.item.load_when.as_ref();
    when.map(|when| exposed(block.part, &when.states)).unwrap_or_default()
}

fn of_states(look: &Look, states: &[String]) -> Holds {
    match () {
        () if states.is_empty() || states.iter().any(|name| look.is_current(name)) => Holds::Yes,
        () if states.iter().any(|name| look.is_unknown(name)) => Holds::Maybe,
        () => Holds::No,
    }
}

fn of_targets<'v>(verdicts: impl ExactSizeIterator<Item = &'v Verdict>) -> Holds {
    if verdicts.len() == 0 {
        return Holds::Yes;
    }
    let mut holds = Holds::No;
    for verdict in verdicts {
        match verdict {
            Verdict::Current => return Holds::Yes,
            Verdict::Undecided(_) | Verdict::Undiagnosed => holds = Holds::Maybe,
            Verdict::Absent => {}
        }
    }
    holds
}

fn of_task(when: Option<&model::LoadWhen>, task: Option<&str>) -> Holds {
    let words = when.map(|when| when.tasks.as_slice()).unwrap_or_default();
    match task {
        _ if words.is_empty() => Holds::Yes,
        None => Holds::Maybe,
        Some(task) if words.iter().any(|word| mentions(task, word)) => Holds::Yes,
        Some(_) => Holds::No,
    }
}

/// Whether a text contains a word or a phrase, in any case, and not inside a longer word.
fn mentions(text: &str, phrase: &str) -> bool {
    let (text, phrase) = (text.to_lowercase(), phrase.trim().to_lowercase());
    if phrase.is_empty() {
        return false;
    }
    text.match_indices(&phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// A target written out, or that of the tool or attachment of this name.
fn probe(plans: &Plans, part: &Part, target: &TargetReference) -> Option<Probe> {
    let manifest = &plans.manifest;
    let limits = &plans.limits;
    match target {
        TargetReference::Inline(target) => {
            Some(Probe::of_target(&Planner { manifest, limits, part }, target))
        }
        TargetReference::Named(name) => {
            let name = Planner { manifest, limits, part }.exposed_name(&name.value);
            let of_tool = manifest.tool(&name).and_then(|tool| Some((tool.part, tool.item.target.as_ref()?)));
            let of_attachment = || manifest.attachment(&name).map(|one| (one.part, &one.item.target));
            let (part, target) = of_tool.or_else(of_attachment)?;
            Some(Probe::of_target(&Planner { manifest, limits, part }, target))
        }
    }
}

/// Names of a map as its composition exposes them.
fn exposed(part: &Part, names: &[model::Located<String>]) -> Vec<String> {
    let exposed = |name: &model::Located<String>| match part.namespace() {
        Some(namespace) => format!("{namespace}.{}", name.value),
        None => name.value.clone(),
    };
    names.iter().map(exposed).collect()
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_task_mentions_whole_words_in_any_case() {
        let table = [
            ("Add a card to the board", "add", true),
            ("Show the address", "add", false),
            ("readd it", "add", false),
            ("please ADD", "add", true),
            ("compare prices, then leave", "compare prices", true),
            ("über alles", "über", true),
            ("anything", " ", false),
        ];
        for (text, phrase, expected) in table {
            assert_eq!(mentions(text, phrase), expected, "{phrase} in {text}");
        }
    }
}
