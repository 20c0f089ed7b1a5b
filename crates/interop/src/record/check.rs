//! Makes sure that a written map is valid, and leaves out actions that would make it invalid.

use actions_engine::{CallError, ErrorCode};
use actions_manifest::{Options, Severity, validate};
use serde_json::Value;

use super::{ImportedSite, LeftOut, NameCollision};

/// Why a site has no map.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Two actions would get one name.
    #[error(transparent)]
    Collision(#[from] NameCollision),
    /// The map is not valid although each of its tools is.
    #[error("the map is not valid: {first}")]
    Invalid {
        /// The first thing that is wrong with it.
        first: String,
    },
}

impl From<&Unfit> for CallError {
    fn from(unfit: &Unfit) -> Self {
        match unfit {
            Unfit::Collision(collision) => collision.into(),
            Unfit::Invalid { .. } => CallError::new(ErrorCode::ManifestInvalid, unfit.to_string()),
        }
    }
}

impl ImportedSite {
    /// The map of the site, valid by the strict rules. An action whose tool breaks them, because its schema or its selectors
    /// are wrong, is left out first, and so are those that depend on it.
    pub fn into_map(mut self) -> Result<(Self, Value), Unfit> {
        // A collision is a fault of the document even if one of the two could not be called.
        self.names()?;
        loop {
            let map = self.write()?;
            let Some(first) = first_error(&map) else { return Ok((self, map)) };
            let before = self.actions.len();
            self.leave_out_invalid();
            self.leave_out_dependent();
            if self.actions.len() == before {
                return Err(Unfit::Invalid { first });
            }
        }
    }

    fn leave_out_invalid(&mut self) {
        let actions = std::mem::take(&mut self.actions);
        for action in actions {
            let mut alone = action.clone();
            alone.depends_on.clear();
            let site = Self { actions: vec![alone], left_out: Vec::new(), ..self.clone() };
            match site.write().ok().and_then(|map| first_error(&map)) {
                None => self.actions.push(action),
                Some(reason) => self.left_out.push(LeftOut { id: action.id, reason }),
            }
        }
    }

    /// Leaves out what depends on an action that is not there: it could never be called.
    pub(crate) fn leave_out_dependent(&mut self) {
        loop {
            let known: Vec<String> = self.actions.iter().map(|action| action.id.clone()).collect();
            let is_met = |id: &String| known.contains(id);
            let Some(place) = self.actions.iter().position(|action| !action.depends_on.iter().all(is_met))
            else {
                return;
            };
            let action = self.actions.remove(place);
            let missing = action.depends_on.iter().find(|id| !is_met(id)).cloned().unwrap_or_default();
            let reason = format!("it depends on `{}`, which cannot be called", super::plain(&missing));
            self.left_out.push(LeftOut { id: action.id, reason });
        }
    }
}

/// The first thing that makes a map invalid.
fn first_error(map: &Value) -> Option<String> {
    let text = map.to_string();
    let validation = validate("imported.json", text.as_bytes(), &Options::default());
    let error = validation.findings.iter().find(|finding| finding.severity == Severity::Error);
    error.map(|finding| format!("{} {}", finding.rule.code, super::plain(&finding.message)))
}
