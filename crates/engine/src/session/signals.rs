//! What a page says by itself: the signals that a map declares, the states they report, and the attachments of a page.

use serde::Deserialize;
use serde_json::{Value, json};

use actions_browser::{Call as ScriptCall, HeardEvent};
use actions_primitives::Failure;
use actions_protocol::Millis;

use super::Session;
use crate::failure::CallError;
use crate::plan::{AttachmentPlan, SignalPlan};

/// Where an attachment stands on a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct AttachmentStanding {
    /// Its id.
    pub id: String,
    /// `attached`, `waiting` for its target, `detached` with its target, or `elsewhere`: the address or the state of the
    /// page is another one.
    pub state: String,
    /// How many copies are on the page.
    #[serde(default)]
    pub instances: u64,
    /// What is wrong with it: the document it opens cannot be read, or its kind is unknown.
    #[serde(default)]
    pub problem: Option<String>,
}

/// The kinds of attachments that can be put on a page.
const KINDS: &[&str] = &["overlay_launcher", "annotation", "status_badge", "shortcut"];

impl Session {
    /// The enabled signals of the map.
    pub fn signals(&self) -> &[SignalPlan] {
        self.engine.plans.signals()
    }

    /// The attachments of the map.
    pub fn attachments(&self) -> &[AttachmentPlan] {
        self.engine.plans.attachments()
    }

    /// Makes the page of this view report these events, and no others.
    pub async fn hear(&self, heard: &[HeardEvent], timeout: Option<Millis>) -> Result<(), CallError> {
        let heard = self.page().hear(heard, self.deadline(timeout)).await;
        heard.map_err(|error| CallError::from(Failure::from(error)))
    }

    /// Notes that a signal was received: the transitions that it reports update the states that have no diagnostics.
    pub fn signal_received(&self, signal: &str) {
        let stage = self.stage();
        for transition in self.engine.plans.transitions() {
            if transition.signal.as_deref() == Some(signal) {
                let (to, from) = (transition.to.iter(), transition.from.iter());
                stage.signal_states(to.map(String::as_str), from.map(String::as_str));
            }
        }
    }

    /// Forgets what signals reported: the page shows another document.
    pub fn forget_signals(&self) {
        self.stage().forget_signals();
    }

    /// Puts the attachments of these maps on the page of this view, takes all others away, and returns where each stands.
    pub async fn sync_attachments(
        &self,
        maps: &[Session],
        timeout: Option<Millis>,
    ) -> Result<Vec<AttachmentStanding>, CallError> {
        let page = self.page();
        let url = page.url();
        let mut wanted: Vec<Value> = Vec::new();
        let mut standing = Vec::new();
        let elsewhere = |plan: &AttachmentPlan, problem: Option<String>| AttachmentStanding {
            id: plan.id.clone(),
            state: "elsewhere".to_owned(),
            instances: 0,
            problem,
        };
        for map in maps {
            let needs_states = map.attachments().iter().any(|plan| plan.state.is_some());
            let states = match needs_states {
                true => map.current_states(timeout).await?.current,
                false => Vec::new(),
            };
            for plan in map.attachments() {
                let is_known = KINDS.contains(&plan.kind.as_str());
                let problem = match (&plan.opens, is_known) {
                    (_, false) => Some(format!("there are no attachments of the kind `{}`", plan.kind)),
                    (Some(overlay), _) => overlay.html.as_ref().err().cloned(),
                    (None, _) => None,
                };
                let in_state = plan.state.as_ref().is_none_or(|state| states.contains(state));
                let Some(locator) =
                    plan.locator.as_ref().filter(|_| is_known && in_state && plan.applies_to(&url))
                else {
                    standing.push(elsewhere(plan, problem));
                    continue;
                };
                let opens = plan.opens.as_ref().and_then(|overlay| {
                    let html = overlay.html.as_ref().ok()?;
                    Some(json!({ "title": overlay.title, "html": html }))
                });
                wanted.push(json!({
                    "id": plan.id, "kind": plan.kind, "locator": locator, "label": plan.label,
                    "placement": plan.placement, "max_instances": plan.max_instances, "opens": opens,
                    "key": plan.key, "removes": plan.removes, "reattaches": plan.reattaches,
                }));
                if let Some(problem) = problem {
                    standing.push(elsewhere(plan, Some(problem)));
                }
            }
        }
        let main = page.main_frame();
        let arguments = json!({ "attachments": wanted });
        let call = ScriptCall::new(&main, "attachment.sync", &arguments);
        let found: Result<Synced, _> = page.call(call, self.deadline(timeout)).await;
        let found = found.map_err(|error| CallError::from(Failure::from(error)))?;
        for one in found.attachments {
            match standing.iter_mut().find(|known| known.id == one.id) {
                Some(known) => (known.state, known.instances) = (one.state, one.instances),
                None => standing.push(one),
            }
        }
        Ok(standing)
    }
}

#[derive(Deserialize)]
struct Synced {
    attachments: Vec<AttachmentStanding>,
}
