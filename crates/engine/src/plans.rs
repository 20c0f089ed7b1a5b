//! A map with what was planned of it so far: tools and projections are planned once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use actions_dictionary::Dictionary;
use actions_manifest::CheckedManifest;
use actions_protocol::ErrorCode;

use crate::failure::CallError;
use crate::limits::Limits;
use crate::plan::{AttachmentPlan, LoginPlan, Plan, SignalPlan, StatePlan, TransitionPlan};
use crate::state::Projection;

/// A map, the limits it is planned with, and the plans of its tools and projections.
#[derive(Debug)]
pub(crate) struct Plans {
    pub(crate) manifest: Arc<CheckedManifest>,
    pub(crate) limits: Limits,
    tools: Cache<Plan>,
    primitives: Cache<Plan>,
    projections: Cache<Projection>,
    states: OnceLock<Vec<StatePlan>>,
    transitions: OnceLock<Vec<TransitionPlan>>,
    login: OnceLock<LoginPlan>,
    signals: OnceLock<Vec<SignalPlan>>,
    attachments: OnceLock<Vec<AttachmentPlan>>,
}

type Cache<T> = Mutex<HashMap<String, Arc<T>>>;

impl Plans {
    pub(crate) fn new(manifest: Arc<CheckedManifest>, limits: Limits) -> Self {
        Self {
            manifest,
            limits,
            tools: Mutex::default(),
            primitives: Mutex::default(),
            projections: Mutex::default(),
            states: OnceLock::new(),
            transitions: OnceLock::new(),
            login: OnceLock::new(),
            signals: OnceLock::new(),
            attachments: OnceLock::new(),
        }
    }

    /// The states that the map declares.
    pub(crate) fn states(&self) -> &[StatePlan] {
        self.states.get_or_init(|| StatePlan::all(&self.manifest, &self.limits))
    }

    /// The transitions that the map declares.
    pub(crate) fn transitions(&self) -> &[TransitionPlan] {
        self.transitions.get_or_init(|| TransitionPlan::all(&self.manifest, &self.limits))
    }

    /// The enabled signals that the map declares.
    pub(crate) fn signals(&self) -> &[SignalPlan] {
        self.signals.get_or_init(|| SignalPlan::all(&self.manifest))
    }

    /// The attachments that the map declares.
    pub(crate) fn attachments(&self) -> &[AttachmentPlan] {
        self.attachments.get_or_init(|| AttachmentPlan::all(&self.manifest, &self.limits))
    }

    /// A transition that can be repeated, and the tool that performs it.
    pub(crate) fn traversed(&self, name: &str) -> Result<(&TransitionPlan, &str), CallError> {
        let Some(transition) = self.transitions().iter().find(|one| one.name == name) else {
            let names: Vec<&str> = self.transitions().iter().map(|one| one.name.as_str()).collect();
            let message = format!("the map has no transition `{name}`");
            return Err(CallError::new(ErrorCode::UnknownAction, message).with_evidence("transitions", names));
        };
        transition.repeated_tool().map(|tool| (transition, tool))
    }

    /// The states that decide about a login.
    pub(crate) fn login(&self) -> &LoginPlan {
        self.login.get_or_init(|| LoginPlan::of(&self.manifest))
    }

    /// The plan of a tool.
    pub(crate) fn tool(&self, name: &str) -> Result<Arc<Plan>, CallError> {
        planned(&self.tools, name, || Plan::of(&self.manifest, name, &self.limits))
    }

    /// The plan of a call of one primitive.
    pub(crate) fn primitive(&self, name: &str) -> Result<Arc<Plan>, CallError> {
        let Some(primitive) = Dictionary::builtin().get(name) else {
            let error = CallError::new(ErrorCode::UnknownAction, format!("there is no primitive `{name}`"));
            let near = Dictionary::builtin().closest(name);
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            return Err(hint.into_iter().fold(error, |error, hint| error.with_evidence("hint", hint)));
        };
        planned(&self.primitives, name, || Plan::of_primitive(&self.manifest, primitive))
    }

    /// The plan of a projection.
    pub(crate) fn projection(&self, name: &str) -> Result<Arc<Projection>, CallError> {
        planned(&self.projections, name, || Projection::plan(&self.manifest, name).map(Arc::new))
    }
}

/// The plan in the cache, or a new one that is kept there. A name that cannot be planned is not kept.
fn planned<T>(
    cache: &Cache<T>,
    name: &str,
    plan: impl FnOnce() -> Result<Arc<T>, CallError>,
) -> Result<Arc<T>, CallError> {
    let cache = || cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(plan) = cache().get(name) {
        return Ok(Arc::clone(plan));
    }
    let plan = plan()?;
    cache().insert(name.to_owned(), Arc::clone(&plan));
    Ok(plan)
}
