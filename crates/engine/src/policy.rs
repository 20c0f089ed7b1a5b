//! What a call may do, decided before it does anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use actions_browser::{AnsweredDialog, Confinement, DialogAnswer, Error, Refused, WhyRefused};
use actions_dictionary::{CapabilityClass, Dictionary, Primitive};
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, SafeName};
use actions_trace::{EventKind, Masked};
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::failure::CallError;
use crate::plan::{Effect, Execution, Plan, Standing};
use crate::run::Run;

/// A tool that wants to run, as a person is asked about it.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// The tool.
    pub tool: SafeName,
    /// What it does.
    pub description: String,
    /// What it does to the site.
    pub effect: Effect,
    /// Its arguments, without secrets.
    pub input: Masked<Value>,
}

/// Asks a person, or a program in their place; `true` lets the tool run.
pub type Confirm = Arc<dyn Fn(Confirmation) -> BoxFuture<'static, bool> + Send + Sync>;

/// What calls may do. Everything that is not allowed is refused.
#[derive(Clone, Default)]
pub struct Policy {
    /// Whether debug primitives run; never those of an imported map.
    pub allow_debug: bool,
    /// Whether functions of the page may be called as handlers.
    pub allow_handlers: bool,
    /// Origins pages may be on, beside the surface's own.
    pub allow_origins: BTreeSet<String>,
    /// Whether everything a page asks for stays on the allowed origins, not only where it goes. The context must have
    /// been opened with [`Engine::confinement`](crate::Engine::confinement) then.
    pub confine_subresources: bool,
    /// Asked before a mutating tool runs; without it every tool runs.
    pub on_confirm: Option<Confirm>,
}

impl std::fmt::Debug for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Policy")
            .field("allow_debug", &self.allow_debug)
            .field("allow_handlers", &self.allow_handlers)
            .field("allow_origins", &self.allow_origins)
            .field("confine_subresources", &self.confine_subresources)
            .field("on_confirm", &self.on_confirm.is_some())
            .finish()
    }
}

/// A policy together with the origins of the maps it guards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    pub(crate) policy: Policy,
    /// The origins of the maps; navigation stays there.
    pub(crate) surface_origins: BTreeSet<String>,
}

impl Gate {
    /// Lets everything a tool may do run, or says why not; before its first step and before anyone is asked.
    pub(crate) fn admit_all(&self, plan: &Plan, standing: Standing) -> Result<(), CallError> {
        self.can_confine()?;
        plan.requires.iter().try_for_each(|capability| self.provides(capability))?;
        if let Execution::PageFunction { path, .. } = &plan.execution {
            self.allows_handlers(path)?;
        }
        plan.primitives().into_iter().try_for_each(|primitive| self.admit(primitive, standing))?;
        Ok(())
    }

    /// Lets a primitive run, or says why not.
    pub(crate) fn admit(&self, primitive: &Primitive, standing: Standing) -> Result<(), Failure> {
        let refusal =
            |code, why: String| Failure::new(code, why).with_evidence("primitive", primitive.name.clone());
        let refuse = |code, why: String| Err(refusal(code, why));
        match primitive.class {
            CapabilityClass::Debug if !self.policy.allow_debug => {
                let why = format!("`{}` is a debug primitive and debugging is off", primitive.name);
                Err(refusal(ErrorCode::PermissionDenied, why).with_evidence("policy", "allow_debug"))
            }
            CapabilityClass::Debug if standing.imported => refuse(
                ErrorCode::PermissionDenied,
                format!("an imported map may not use the debug primitive `{}`", primitive.name),
            ),
            CapabilityClass::Privileged if !standing.privileged => refuse(
                ErrorCode::PermissionDenied,
                format!("a map of this trust may not use the privileged primitive `{}`", primitive.name),
            ),
            _ if !primitive.support.is_performed() => refuse(
                ErrorCode::CapabilityUnavailable,
                format!("this engine does not perform `{}`", primitive.name),
            ),
            _ => Ok(()),
        }
    }

    /// Whether a capability a tool requires is there.
    pub(crate) fn provides(&self, capability: &str) -> Result<(), CallError> {
        let missing = |why: &str| {
            let message = format!("the tool requires `{capability}`: {why}");
            CallError::new(ErrorCode::CapabilityUnavailable, message).with_evidence("capability", capability)
        };
        let debugging_is_off = || missing("debugging is off").with_evidence("policy", "allow_debug");
        match (capability, Dictionary::builtin().get(capability)) {
            ("portable" | "privileged" | "mixed", _) => Ok(()),
            ("debug", _) if self.policy.allow_debug => Ok(()),
            ("debug", _) => Err(debugging_is_off()),
            (_, None) => Err(missing("there is no such capability")),
            (_, Some(primitive)) if !primitive.support.is_performed() => {
                Err(missing("this engine does not perform it"))
            }
            (_, Some(primitive)) if primitive.class == CapabilityClass::Debug && !self.policy.allow_debug => {
                Err(debugging_is_off())
            }
            (_, Some(_)) => Ok(()),
        }
    }

    /// Lets a function of the page be called, or says why not.
    pub(crate) fn allows_handlers(&self, path: &SafeName) -> Result<(), CallError> {
        if self.policy.allow_handlers {
            return Ok(());
        }
        let message = format!("the handler `{path}` is a function of the page, and calling those is off");
        Err(CallError::new(ErrorCode::PermissionDenied, message)
            .with_evidence("handler", path.to_string())
            .with_evidence("policy", "allow_handlers"))
    }

    /// Asks before a tool that changes something.
    pub(crate) async fn confirm(&self, plan: &Plan, input: &Masked<Value>) -> Result<(), CallError> {
        let Some(ask) = self.policy.on_confirm.as_ref().filter(|_| plan.effect == Effect::Mutating) else {
            return Ok(());
        };
        let confirmation = Confirmation {
            tool: plan.name.clone(),
            description: plan.description.clone(),
            effect: plan.effect,
            input: input.clone(),
        };
        match ask(confirmation).await {
            true => Ok(()),
            false => {
                Err(CallError::new(ErrorCode::PermissionDenied, format!("`{}` was not confirmed", plan.name)))
            }
        }
    }

    /// Makes sure that a page that must be confined can be.
    pub(crate) fn can_confine(&self) -> Result<(), CallError> {
        if !self.policy.confine_subresources || self.confinement().is_some() {
            return Ok(());
        }
        let message = "everything a page asks for must stay on the allowed origins, and there are none: neither the \
                       surface of the map nor the policy names one";
        Err(CallError::new(ErrorCode::CapabilityUnavailable, message))
    }

    /// Where pages may go: the origins of the maps and those the policy adds. Where nobody names one, nobody is confined.
    pub(crate) fn confinement(&self) -> Option<Confinement> {
        if self.surface_origins.is_empty() && self.policy.allow_origins.is_empty() {
            return None;
        }
        let confinement = Confinement::to(self.surface_origins.union(&self.policy.allow_origins));
        Some(if self.policy.confine_subresources { confinement.with_subresources() } else { confinement })
    }

    /// Tells of the requests that were stopped before a call began. They failed what set them off, or nobody; the page
    /// has stayed, and the call may begin if it is where it may be.
    pub(crate) fn begin(&self, run: &Run<'_>) -> Result<(), Failure> {
        if run.depth == 0 {
            // What was answered before the call is none of its business.
            run.stage.page().take_answered();
            run.stage.page().take_refused().iter().for_each(|refused| run.emit(told(refused, run)));
        }
        self.confine(run)
    }

    /// Waits until the page has told what was set off in it, as far as it has not.
    pub(crate) async fn catch_up(&self, run: &Run<'_>) -> Result<(), Failure> {
        if self.confinement().is_some() {
            // A page that cannot be asked, because a dialog is open or it is gone, has told what it could. Of one that does
            // not answer in time it is not known whether it stays where it may be.
            if let Err(Error::Timeout { waited_for, .. }) = run.stage.page().catch_up(run.deadline()).await {
                return Err(Failure::new(ErrorCode::HandlerTimeout, waited_for));
            }
        }
        self.confine(run)
    }

    /// Tells of the dialogs that were answered and the requests that were stopped, and fails if the page wanted to leave
    /// or is where it may not be.
    pub(crate) fn confine(&self, run: &Run<'_>) -> Result<(), Failure> {
        let page = run.stage.page();
        page.take_answered().iter().for_each(|answered| run.emit(dialog_told(answered, run)));
        let mut left = None;
        for refused in page.take_refused() {
            run.emit(told(&refused, run));
            left = left.or(refused.is_navigation.then_some(refused));
        }
        if let Some(refused) = left {
            return Err(Error::RequestRefused(Box::new(refused)).into());
        }
        let Some(confinement) = self.confinement() else { return Ok(()) };
        let fail = |what: &str, url: String| {
            let allowed: Vec<&str> = confinement.origins().collect();
            Err(Failure::new(ErrorCode::UnsafeState, format!("the page {what} {url}"))
                .with_evidence("address", url)
                .with_evidence("allowed_origins", allowed))
        };
        let url = page.url();
        if !confinement.admits(&url) {
            return fail("left its surface for", url);
        }
        match page.navigating_to().filter(|url| !confinement.admits(url)) {
            Some(url) => fail("is about to leave its surface for", url),
            None => Ok(()),
        }
    }
}

/// A dialog that was answered, as an event.
fn dialog_told(AnsweredDialog { dialog, answer }: &AnsweredDialog, run: &Run<'_>) -> EventKind {
    EventKind::DialogAnswered {
        kind: dialog.kind.as_str().to_owned(),
        message: run.secrets.mask(dialog.message.as_str()),
        url: run.secrets.mask(dialog.url.as_str()),
        accepted: matches!(answer, DialogAnswer::Accept { .. }),
    }
}

/// A request that was stopped, as an event.
fn told(refused: &Refused, run: &Run<'_>) -> EventKind {
    let (method, resource) = (run.secrets.mask(refused.method.as_str()), refused.resource.clone());
    let url = run.secrets.mask(refused.url.as_str());
    let navigation = refused.is_navigation;
    match &refused.why {
        WhyRefused::NotRecorded(miss) => EventKind::ReplayMiss {
            method,
            url,
            resource,
            navigation,
            body: miss.body.clone(),
            nearest: miss.nearest.as_ref().map(|nearest| run.secrets.mask(nearest.as_str())),
        },
        WhyRefused::Confined { by, .. } => {
            EventKind::RequestRefused { method, url, resource, navigation, by: run.secrets.mask(by.as_str()) }
        }
    }
}
