//! A state that decides about a login has diagnostics.
//!
//! `x_actions.auth_check` is the state that must be current after a session restored a login, and
//! `x_actions.login_state` the one that shows the login page. A state without diagnostics is never known to be current,
//! so an expired login would go unnoticed.
//!
//! Breaks the rule:
//! ```json
//! { "states": [{ "name": "signed_out", "description": "The login page is shown." }],
//!   "x_actions": { "login_state": "signed_out" } }
//! ```
//!
//! Instead: say how the state is recognised.
//! ```json
//! { "states": [{ "name": "signed_out", "description": "The login page is shown.",
//!                "diagnostics": [{ "target": { "selector": "form#login" }, "visible": true }] }],
//!   "x_actions": { "login_state": "signed_out" } }
//! ```

use crate::document::NodeId;
use crate::finding::Report;
use crate::model::{Manifest, State};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("X008", include_str!("x008_login_state.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for (name, at) in named(subject.manifest) {
        let Some(state) = declared(subject, name).filter(|state| state.diagnostics.is_empty()) else {
            continue;
        };
        let node = subject.document.node(at);
        let key = node.key().unwrap_or("x_actions");
        report
            .find(&RULE, node, format!("`{key}` is the state `{name}`, which has no diagnostics"))
            .help(format!("add `diagnostics` to `{}`, so that the engine can recognise it", *state.name));
    }
}

/// The states that decide about a login, and where they are named.
pub(super) fn named(manifest: &Manifest) -> impl Iterator<Item = (&str, NodeId)> {
    let x_actions = manifest.x_actions.as_ref();
    let check = x_actions.and_then(|x_actions| x_actions.auth_check.as_ref());
    let login = x_actions.and_then(|x_actions| x_actions.login_state.as_ref());
    check.into_iter().chain(login).map(|name| (name.as_str(), name.at))
}

/// The state of this name, of this map or of one it imports.
fn declared<'s>(subject: &'s Subject<'_>, name: &str) -> Option<&'s State> {
    let own = subject.part.namespace().map(|namespace| format!("{namespace}.")).unwrap_or_default();
    subject.composition.parts().iter().find_map(|part| {
        let manifest = part.manifest()?;
        let is_named =
            |state: &&State| part.exposed_name(&state.name.value).as_str() == format!("{own}{name}");
        manifest.states().iter().find(is_named)
    })
}
