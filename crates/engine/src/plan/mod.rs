//! From a checked manifest to something that can run: slots compiled, primitives resolved, limits applied.

mod argument;
mod attachment;
mod checked_input;
mod defaults;
mod demands;
mod draft;
mod execution;
mod input;
mod login;
mod policy_facts;
mod shown;
mod signal;
mod step;
mod target;
mod transition;

use std::sync::Arc;

use actions_dictionary::{Dictionary, Primitive};
use actions_manifest::document::NodeId;
use actions_manifest::model::{self, OnDialog, OnMisfit};
use actions_manifest::{CheckedManifest, Exposed, Part};
use actions_protocol::{ErrorCode, Millis, SafeName};

pub use argument::typed_argument;
pub use attachment::{AttachmentPlan, Overlay};
pub use checked_input::CheckedInput;
pub use demands::{CallLimit, ConfirmNeed, Demands, SiteStanding};
pub(crate) use execution::{Execution, Workflow};
pub(crate) use input::Input;
pub(crate) use login::LoginPlan;
pub use policy_facts::PolicyFacts;
pub use signal::SignalPlan;
pub(crate) use step::{AfterEach, Args, Control, Performs, Settle, Step};
pub use target::target_locator;
pub(crate) use target::{Probe, StatePlan, Target};
pub(crate) use transition::{CompleteWhen, Precondition, TransitionPlan};

use crate::failure::{CallError, Place};
use crate::limits::Limits;
use crate::schema::Checker;

/// What a tool does to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// It only looks.
    Read,
    /// It may change something.
    Mutating,
}

/// A tool that is ready to run. Only [`Plan::of`] makes one.
#[derive(Debug)]
pub struct Plan {
    pub(crate) name: SafeName,
    pub(crate) description: String,
    pub(crate) input: Input,
    pub(crate) result: Option<Checker>,
    pub(crate) execution: Execution,
    pub(crate) target: Option<Target>,
    /// The transitions that the tool performs.
    pub(crate) transitions: Vec<TransitionPlan>,
    pub(crate) requires: Vec<String>,
    pub(crate) effect: Effect,
    /// What it demands before it runs.
    pub(crate) demands: Demands,
    /// Whether a result that does not fit its schema is only worth a warning.
    pub(crate) tolerates_misfit: bool,
    pub(crate) on_dialog: Option<OnDialog>,
    pub(crate) postcondition: Option<Postcondition>,
    pub(crate) standing: Standing,
    /// The prefix of the names of its map.
    pub(crate) namespace: Option<SafeName>,
    /// The least time between two human-visible primitives, by the transitions the tool performs.
    pub(crate) rate_limit: Millis,
    /// What a policy may want to know of the tool.
    pub(crate) facts: PolicyFacts,
    /// The origin of the site of its map.
    pub(crate) site: Option<String>,
    /// Where the tool stands in its map.
    pub(crate) place: Place,
}

/// What the map of a tool may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Standing {
    /// Whether the map is imported. Imported maps never debug.
    pub imported: bool,
    /// Whether the map may use privileged primitives: maps of little trust may not.
    pub privileged: bool,
}

impl Standing {
    /// What both of two maps may use.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { imported: self.imported || other.imported, privileged: self.privileged && other.privileged }
    }
}

/// What must be true of a projection after the tool ran.
#[derive(Debug)]
pub(crate) struct Postcondition {
    pub(crate) projection: String,
    pub(crate) condition: actions_expr::Expression,
    pub(crate) timeout: Option<Millis>,
    pub(crate) failure_message: Option<String>,
}

impl Plan {
    /// Plans a tool of a manifest by its name.
    pub fn of(manifest: &CheckedManifest, tool: &str, limits: &Limits) -> Result<Arc<Self>, CallError> {
        let Some(exposed) = manifest.tool(tool) else {
            let names: Vec<String> = manifest.tools().map(|tool| tool.name.to_string()).collect();
            return Err(CallError::new(ErrorCode::UnknownAction, format!("the map has no tool `{tool}`"))
                .with_evidence("tools", names));
        };
        Planner { manifest, limits, part: exposed.part }.tool(&exposed).map(Arc::new)
    }

    /// Plans a call of one primitive that no tool of the map makes. The policy decides whether it runs.
    pub fn of_primitive(
        manifest: &CheckedManifest,
        primitive: &'static Primitive,
    ) -> Result<Arc<Self>, CallError> {
        let name = SafeName::parse(&primitive.name).map_err(|error| {
            CallError::new(ErrorCode::InternalError, format!("`{}`: {error}", primitive.name))
        })?;
        let part = manifest.root_part();
        Ok(Arc::new(Self {
            name,
            description: primitive.summary.clone(),
            input: Input::of_primitive(primitive),
            result: None,
            execution: Execution::Primitive { primitive, bound: serde_json::Map::new() },
            target: None,
            transitions: Vec::new(),
            requires: Vec::new(),
            effect: if primitive.mutating { Effect::Mutating } else { Effect::Read },
            demands: Demands::default(),
            tolerates_misfit: false,
            on_dialog: None,
            postcondition: None,
            standing: Standing { imported: false, privileged: part.may_be_privileged() },
            namespace: None,
            rate_limit: Millis(0),
            facts: PolicyFacts::of_primitive(),
            site: None,
            place: Place::of(part.document(), part.document().root().id(), part.document().root().id()),
        }))
    }

    /// The name of the tool.
    pub fn name(&self) -> &SafeName {
        &self.name
    }

    /// What the tool does, for people.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What the tool does to the site.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// What the tool demands before it runs.
    pub fn demands(&self) -> &Demands {
        &self.demands
    }

    /// Whether the tool works on a page. A tool that does not is performed without a browser.
    pub fn needs_page(&self) -> bool {
        let looks = self.target.is_some() || self.postcondition.is_some() || !self.transitions.is_empty();
        looks
            || match &self.execution {
                Execution::Static(_) => false,
                Execution::PageFunction { .. } => true,
                Execution::Primitive { primitive, .. } => !primitive.without_page,
                Execution::Workflow(workflow) => workflow.needs_page(),
            }
    }

    /// What a policy may want to know of the tool.
    pub fn facts(&self) -> &PolicyFacts {
        &self.facts
    }

    /// Fails if the tool requires something that this engine does not perform.
    pub fn can_perform(&self) -> Result<(), CallError> {
        for capability in &self.requires {
            let missing = |why: &str| {
                let message = format!("the tool requires `{capability}`: {why}");
                CallError::new(ErrorCode::CapabilityUnavailable, message)
                    .with_evidence("capability", capability.clone())
            };
            match (capability.as_str(), Dictionary::builtin().get(capability)) {
                ("portable" | "privileged" | "debug" | "mixed", _) => {}
                (_, None) => return Err(missing("there is no such capability")),
                (_, Some(_)) => {}
            }
        }
        Ok(())
    }

    /// The function of the page that performs the tool, if one does. The policy must allow calling it.
    pub fn page_function(&self) -> Option<&SafeName> {
        match &self.execution {
            Execution::PageFunction { path, .. } => Some(path),
            Execution::Static(_) | Execution::Workflow(_) | Execution::Primitive { .. } => None,
        }
    }

    /// Whether the tool has a fixed answer, which needs nothing of the page.
    pub(crate) fn is_static(&self) -> bool {
        matches!(self.execution, Execution::Static(_))
    }

    /// The name by which the map of this tool means another one of its own.
    pub(crate) fn sibling(&self, name: &str) -> String {
        self.namespace.as_ref().map_or_else(|| name.to_owned(), |namespace| format!("{namespace}.{name}"))
    }

    /// Every primitive the tool may perform.
    pub(crate) fn primitives(&self) -> Vec<&'static Primitive> {
        match &self.execution {
            Execution::Static(_) | Execution::PageFunction { .. } => Vec::new(),
            Execution::Primitive { primitive, .. } => vec![primitive],
            Execution::Workflow(workflow) => workflow.steps.iter().flat_map(Step::primitives).collect(),
        }
    }
}

/// Plans the tools of one map.
pub(crate) struct Planner<'m> {
    pub(crate) manifest: &'m CheckedManifest,
    pub(crate) limits: &'m Limits,
    pub(crate) part: &'m Part,
}

impl Planner<'_> {
    fn tool(&self, exposed: &Exposed<'_, model::Tool>) -> Result<Plan, CallError> {
        let tool = exposed.item;
        let x_actions = tool.x_actions.as_ref();
        let execution = Execution::plan(self, tool)?;
        let result_schema = x_actions.and_then(|x| x.result_schema.as_ref()).or(tool.result_schema.as_ref());
        let result = result_schema.map(|schema| Checker::of(&schema.schema)).transpose()?;
        let effect = self.effect(tool, &execution);
        let mut transitions = TransitionPlan::all(self.manifest, self.limits);
        transitions.retain(|one| one.tool.as_deref() == Some(exposed.name.as_str()));
        Ok(Plan {
            name: exposed.name.clone(),
            description: tool.description.to_string(),
            input: Input::plan(&tool.input_schema)?,
            result,
            target: tool.target.as_ref().map(|target| Target::plan(self, target)),
            rate_limit: Millis(transitions.iter().map(|one| one.rate_limit.0).max().unwrap_or(0)),
            transitions,
            requires: tool.requires.iter().map(|name| name.value.clone()).collect(),
            effect,
            demands: Demands::plan(self, tool, exposed.name.as_str()),
            tolerates_misfit: x_actions.and_then(|x| x.on_misfit) == Some(OnMisfit::Warn),
            on_dialog: x_actions.and_then(|x| x.on_dialog),
            postcondition: self.postcondition(exposed),
            standing: Standing {
                imported: self.part.is_imported(),
                privileged: self.part.may_be_privileged(),
            },
            namespace: self.part.namespace().cloned(),
            facts: PolicyFacts::of(tool),
            site: self.site(),
            place: self.place(tool.at, tool.name.at),
            execution,
        })
    }

    /// Makes sure that a workflow, in whatever form, has no more steps than one may have.
    fn allows_steps(&self, steps: usize) -> Result<(), CallError> {
        let allowed = self.limits.max_steps;
        if steps <= allowed {
            return Ok(());
        }
        let message = format!("the workflow has {steps} steps; {allowed} are allowed");
        Err(CallError::new(ErrorCode::WorkflowLimitExceeded, message))
    }

    fn effect(&self, tool: &model::Tool, execution: &Execution) -> Effect {
        let declared = tool.x_actions.as_ref().and_then(|x| x.effect.as_ref()).map(|effect| effect.as_str());
        // A word we do not know may mean anything but that nothing happens.
        match declared.is_none_or(|effect| effect == "read") && !execution.is_mutating() {
            true => Effect::Read,
            false => Effect::Mutating,
        }
    }

    /// The origin of the site of the map.
    fn site(&self) -> Option<String> {
        let surface = self.part_manifest()?.surface()?;
        surface.origin.as_ref().map(|origin| origin.value.clone())
    }

    fn part_manifest(&self) -> Option<&model::Manifest> {
        self.part.manifest()
    }

    /// The tool's own postcondition, else that of the first projection that names the tool.
    fn postcondition(&self, exposed: &Exposed<'_, model::Tool>) -> Option<Postcondition> {
        let tool = exposed.item;
        if let Some(own) = &tool.postcondition {
            let projection = own.projection.as_ref().map(|name| self.exposed_name(name))?;
            return self.planned(own, projection);
        }
        let projections =
            self.part_manifest().map(|manifest| manifest.state_projections.as_slice()).unwrap_or_default();
        projections.iter().find_map(|projection| {
            let listed =
                projection.postconditions.iter().find(|(name, _)| name.as_str() == tool.name.as_str());
            let (_, postcondition) = listed?;
            let named = postcondition.projection.as_ref().map(|name| name.as_str());
            self.planned(postcondition, self.exposed_name(named.unwrap_or(projection.name.as_str())))
        })
    }

    fn planned(&self, postcondition: &model::Postcondition, projection: String) -> Option<Postcondition> {
        Some(Postcondition {
            projection,
            condition: postcondition.condition()?.expression.clone(),
            timeout: postcondition.timeout_ms.map(|wait| Millis(wait.0)),
            failure_message: postcondition.failure_message.clone(),
        })
    }

    /// A name of this map as the composition exposes it.
    pub(crate) fn exposed_name(&self, name: &str) -> String {
        match self.part.namespace() {
            Some(namespace) => format!("{namespace}.{name}"),
            None => name.to_owned(),
        }
    }

    /// Where something of this map stands: its pointer, and the text that shows it best, such as its name.
    pub(crate) fn place(&self, at: NodeId, shown: NodeId) -> Place {
        Place::of(self.part.document(), at, shown)
    }

    /// The primitive of this name; the validator has made sure there is one.
    pub(crate) fn primitive(&self, name: &str) -> Result<&'static Primitive, CallError> {
        Dictionary::builtin().get(name).ok_or_else(|| {
            CallError::new(ErrorCode::CapabilityUnavailable, format!("there is no primitive `{name}`"))
        })
    }
}
