//! The policy of an engine that is given no other.

use actions_dictionary::{CapabilityClass, Dictionary, Primitive};
use actions_protocol::{ErrorCode, SafeName};
use async_trait::async_trait;

use super::{Decision, Denial, Intent, Operation, Policy};
use crate::plan::{Effect, Standing};

/// Denies debugging and functions of the page unless they are allowed, denies what the standing of a map forbids, and
/// asks about tools that may change the site if there is someone to ask.
///
/// ```
/// use actions_engine::Rules;
///
/// let rules = Rules::default().allow_handlers(true);
/// assert!(!rules.allow_debug);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rules {
    /// Whether debug primitives run. Those of an imported map never do.
    pub allow_debug: bool,
    /// Whether functions of the page may be called as handlers.
    pub allow_handlers: bool,
}

#[async_trait]
impl Policy for Rules {
    async fn decide(&self, intent: &Intent<'_>) -> Decision {
        match self.check(intent) {
            Err(denial) => Decision::Deny(denial),
            Ok(()) if intent.can_ask && is_mutating_call(intent) => Decision::Ask { reason: None },
            Ok(()) => Decision::Allow,
        }
    }
}

fn is_mutating_call(intent: &Intent<'_>) -> bool {
    matches!(intent.operation, Operation::Call { .. }) && intent.effect == Effect::Mutating
}

impl Rules {
    /// Sets whether debug primitives run.
    #[must_use]
    pub fn allow_debug(mut self, allow: bool) -> Self {
        self.allow_debug = allow;
        self
    }

    /// Sets whether functions of the page may be called as handlers.
    #[must_use]
    pub fn allow_handlers(mut self, allow: bool) -> Self {
        self.allow_handlers = allow;
        self
    }

    fn check(&self, intent: &Intent<'_>) -> Result<(), Denial> {
        match &intent.operation {
            Operation::Call { requires, primitives, page_function, .. } => {
                requires.iter().try_for_each(|capability| self.check_capability(capability))?;
                page_function.map_or(Ok(()), |path| self.check_page_function(path))?;
                primitives.iter().try_for_each(|primitive| self.check_primitive(primitive, intent.standing))
            }
            Operation::Primitive { primitive, .. } => self.check_primitive(primitive, intent.standing),
            Operation::PageFunction { path, .. } => self.check_page_function(path),
        }
    }

    fn check_capability(&self, capability: &str) -> Result<(), Denial> {
        let primitive = Dictionary::builtin().get(capability);
        let is_debug = capability == CapabilityClass::Debug.as_str()
            || primitive.is_some_and(|primitive| primitive.class == CapabilityClass::Debug);
        if !is_debug || self.allow_debug {
            return Ok(());
        }
        let message = format!("the tool requires `{capability}`: debugging is off");
        Err(Denial::new(ErrorCode::CapabilityUnavailable, message)
            .with_evidence("capability", capability)
            .with_evidence("policy", "allow_debug"))
    }

    fn check_page_function(&self, path: &SafeName) -> Result<(), Denial> {
        if self.allow_handlers {
            return Ok(());
        }
        let message = format!("the handler `{path}` is a function of the page, and calling those is off");
        Err(Denial::new(ErrorCode::PermissionDenied, message)
            .with_evidence("handler", path.to_string())
            .with_evidence("policy", "allow_handlers"))
    }

    fn check_primitive(&self, primitive: &Primitive, standing: Standing) -> Result<(), Denial> {
        let name = &primitive.name;
        let deny = |why: String| {
            Denial::new(ErrorCode::PermissionDenied, why).with_evidence("primitive", name.clone())
        };
        match primitive.class {
            CapabilityClass::Debug if !self.allow_debug => {
                let why = format!("`{name}` is a debug primitive and debugging is off");
                Err(deny(why).with_evidence("policy", "allow_debug"))
            }
            CapabilityClass::Debug if standing.imported => {
                Err(deny(format!("an imported map may not use the debug primitive `{name}`")))
            }
            CapabilityClass::Privileged if !standing.privileged => {
                Err(deny(format!("a map of this trust may not use the privileged primitive `{name}`")))
            }
            _ => Ok(()),
        }
    }
}
