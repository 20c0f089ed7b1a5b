//! Lists what can be done here and now.

use actions_manifest::{Exposed, model};
use actions_primitives::{Failure, ListedPageTool, page_tools};
use futures_util::future;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{ContextBlock, Contexts};
use crate::engine::Engine;
use crate::plan::{Effect, Plan, Precondition, Probe, TransitionPlan};
use crate::probe::{Look, Prober, Verdict};
use crate::site::{ListedProjection, ListedTransition, Listing};

/// What a map offers where a page is now.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HereListing {
    /// The address of the page.
    pub url: String,
    /// The states that are current.
    pub current_states: Vec<String>,
    /// The states of which nothing is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_states: Vec<String>,
    /// Every tool, with whether it applies.
    pub tools: Vec<HereTool>,
    /// Every transition, with whether it starts here.
    pub transitions: Vec<ListedTransition>,
    /// The projections that apply to the page.
    pub state_projections: Vec<ListedProjection>,
    /// The documentation that applies.
    pub context: Vec<ContextBlock>,
    /// The tools that the page has registered itself, for `webmcp.call_tool`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub page_tools: Vec<ListedPageTool>,
}

/// A tool, and whether it applies to the page as it is now.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HereTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub input_schema: Map<String, Value>,
    /// What it does to the site, if it can be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// Whether a call would be let in now. The policy, the arguments and the page may still refuse it.
    pub applies: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// What could not be decided without a call: a state without diagnostics, a precondition that reads the input.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
    /// The transitions it performs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<String>,
    /// Approaches known to be bad.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub do_not_use: Vec<String>,
}

/// Looks at the page once and lists everything.
pub(crate) async fn list(
    engine: &Engine,
    prober: &Prober<'_>,
    task: Option<&str>,
) -> Result<HereListing, Failure> {
    let manifest = engine.manifest();
    let url = prober.stage.page().url();
    let contexts = Contexts::at(&engine.plans, &url);
    let tools: Vec<_> = manifest.tools().map(|tool| Candidate::of(engine, tool, &url)).collect();
    let mut probes = contexts.probes();
    let first = probes.len();
    probes.extend(tools.iter().filter_map(|tool| tool.element.as_ref()));
    // Both questions go out together.
    let states = prober.states.iter().map(|state| state.name.as_str());
    let asked = future::join(prober.look(states, &probes), page_tools(prober.stage, prober.deadline));
    let (look, page_tools) = asked.await;
    let (look, page_tools) = (look?, page_tools?);
    let mut next = first;
    let tools = tools.iter().map(|tool| {
        let element = tool.element.as_ref().map(|_| look.probe(next));
        next += usize::from(element.is_some());
        tool.listed(&look, element)
    });
    let mut tools: Vec<HereTool> = tools.collect();
    let transitions = manifest.transitions().map(|one| {
        let planned = engine.plans.transitions().iter().find(|plan| plan.name == one.name.as_str());
        let starts_here = planned.map(|plan| starts(plan, &look)).and_then(|start| match start {
            Start::Here => Some(true),
            Start::Elsewhere => Some(false),
            Start::Unknown(_) => None,
        });
        let listed = ListedTransition { starts_here, ..ListedTransition::of(&one) };
        let tool = tools.iter_mut().find(|tool| Some(&tool.name) == listed.tool.as_ref());
        tool.into_iter().for_each(|tool| tool.do_not_use.extend(listed.do_not_use.iter().cloned()));
        listed
    });
    let transitions = transitions.collect();
    let seen = look.seen(prober.states);
    Ok(HereListing {
        transitions,
        tools,
        state_projections: Listing::of(manifest, &look.url).state_projections,
        context: contexts.seen(&look, task),
        page_tools,
        url: look.url,
        current_states: seen.current,
        unknown_states: seen.unknown,
    })
}

/// A tool before the page was looked at.
struct Candidate<'m> {
    tool: Exposed<'m, model::Tool>,
    plan: Result<std::sync::Arc<Plan>, String>,
    is_at: bool,
    /// The element it needs.
    element: Option<Probe>,
}

impl<'m> Candidate<'m> {
    fn of(engine: &Engine, tool: Exposed<'m, model::Tool>, url: &str) -> Self {
        let plan = engine.plan(tool.name.as_str());
        let plan = plan.and_then(|plan| plan.can_perform().map(|()| plan)).map_err(|error| error.to_string());
        let is_at = tool.applies_to(url);
        let target = plan.as_ref().ok().and_then(|plan| plan.target.as_ref());
        let element = target.filter(|_| is_at).and_then(|target| {
            let locator = Some(target.locator.clone()?);
            let address = Vec::new();
            Some(Probe {
                locator,
                address,
                visible: None,
                exists: None,
                min_count: None,
                max_count: None,
                state: None,
            })
        });
        Self { tool, plan, is_at, element }
    }

    fn listed(&self, look: &Look, element: Option<&Verdict>) -> HereTool {
        let mut undecided = Vec::new();
        let why_not = self.why_not(look, element, &mut undecided);
        let plan = self.plan.as_ref().ok();
        let transitions = plan.map(|plan| plan.transitions.as_slice()).unwrap_or_default();
        HereTool {
            name: self.tool.name.to_string(),
            description: self.tool.item.description.to_string(),
            input_schema: self.tool.item.input_schema.schema.clone(),
            effect: plan.map(|plan| plan.effect()),
            applies: why_not.is_none(),
            undecided: if why_not.is_some() { Vec::new() } else { undecided },
            why_not,
            transitions: transitions.iter().map(|one| one.name.clone()).collect(),
            do_not_use: Vec::new(),
        }
    }

    /// Why a call would be refused now. What cannot be decided is collected.
    fn why_not(&self, look: &Look, element: Option<&Verdict>, undecided: &mut Vec<String>) -> Option<String> {
        let plan = match &self.plan {
            Ok(plan) => plan,
            Err(message) => return Some(message.clone()),
        };
        if plan.is_static() {
            return None;
        }
        if !self.is_at {
            return Some("it applies to other addresses".to_owned());
        }
        if let Some(state) = plan.target.as_ref().and_then(|target| target.state.as_ref()) {
            match look.state(state) {
                Verdict::Current => {}
                Verdict::Absent => return Some(format!("it needs the state `{state}`")),
                Verdict::Undiagnosed | Verdict::Undecided(_) => {
                    undecided.push(format!("the state `{state}`"))
                }
            }
        }
        match element {
            None | Some(Verdict::Current) => {}
            Some(Verdict::Absent) => return Some("nothing on the page matches its target".to_owned()),
            Some(Verdict::Undiagnosed | Verdict::Undecided(_)) => undecided.push("its target".to_owned()),
        }
        let starts: Vec<Start> = plan.transitions.iter().map(|one| starts(one, look)).collect();
        if starts.is_empty() || starts.iter().any(|start| matches!(start, Start::Here)) {
            return None;
        }
        let unknown = starts.into_iter().flat_map(|start| match start {
            Start::Unknown(what) => what,
            Start::Here | Start::Elsewhere => Vec::new(),
        });
        let unknown: Vec<String> = unknown.collect();
        if !unknown.is_empty() {
            undecided.extend(unknown);
            return None;
        }
        let mut from: Vec<String> = Vec::new();
        for name in plan
            .transitions
            .iter()
            .flat_map(|one| one.from.iter().map(String::as_str).chain(one.required_states()))
        {
            let name = format!("`{name}`");
            if !from.contains(&name) {
                from.push(name);
            }
        }
        Some(format!("it starts from {}", from.join(" or ")))
    }
}

/// Whether a transition starts where the page is, as far as that is known without a call.
enum Start {
    Here,
    Elsewhere,
    /// What is not known.
    Unknown(Vec<String>),
}

fn starts(transition: &TransitionPlan, look: &Look) -> Start {
    let mut unknown = Vec::new();
    if !transition.from.is_empty() && !transition.from.iter().any(|name| look.is_current(name)) {
        let open = transition.from.iter().filter(|name| look.is_unknown(name));
        unknown.extend(open.map(|name| format!("the state `{name}`")));
        if unknown.is_empty() {
            return Start::Elsewhere;
        }
    }
    for condition in &transition.preconditions {
        match condition {
            Precondition::Words(_) => {}
            Precondition::State(name) if look.is_current(name) => {}
            Precondition::State(name) if look.is_unknown(name) => unknown.push(format!("the state `{name}`")),
            Precondition::State(_) => return Start::Elsewhere,
            Precondition::Expression(_) => unknown.push(format!("the precondition `{}`", condition.source())),
        }
    }
    if unknown.is_empty() { Start::Here } else { Start::Unknown(unknown) }
}
