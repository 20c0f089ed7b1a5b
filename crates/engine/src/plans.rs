//! A map with what was planned of it so far: tools and projections are planned once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use actions_dictionary::Dictionary;
use actions_manifest::CheckedManifest;
use actions_protocol::ErrorCode;

use crate::failure::CallError;
use crate::limits::Limits;
use crate::plan::Plan;
use crate::state::Projection;

/// A map, the limits it is planned with, and the plans of its tools and projections.
#[derive(Debug)]
pub(crate) struct Plans {
    pub(crate) manifest: Arc<CheckedManifest>,
    pub(crate) limits: Limits,
    tools: Cache<Plan>,
    primitives: Cache<Plan>,
    projections: Cache<Projection>,
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
        }
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
