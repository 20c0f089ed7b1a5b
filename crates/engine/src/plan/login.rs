//! Plans which states decide about a login.

use actions_manifest::CheckedManifest;
use actions_manifest::model::Located;

/// The states that decide about a login.
#[derive(Debug, Default)]
pub(crate) struct LoginPlan {
    /// The state that must be current after a session restored a login. Only the map itself names it, because an
    /// imported map need not be about the page that a session starts on.
    pub(crate) auth_check: Option<String>,
    /// The states that show a login page, those of imported maps included.
    pub(crate) login_states: Vec<String>,
}

impl LoginPlan {
    pub(crate) fn of(manifest: &CheckedManifest) -> Self {
        let check = manifest.root().x_actions.as_ref().and_then(|x_actions| x_actions.auth_check.as_ref());
        let login_states = manifest.parts().iter().filter_map(|part| {
            let named: &Located<String> = part.manifest()?.x_actions.as_ref()?.login_state.as_ref()?;
            Some(match part.namespace() {
                Some(namespace) => format!("{namespace}.{}", named.value),
                None => named.value.clone(),
            })
        });
        Self { auth_check: check.map(|name| name.value.clone()), login_states: login_states.collect() }
    }
}
