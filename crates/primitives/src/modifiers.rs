//! The modifier keys of a gesture.

use actions_browser::Modifiers;
use serde::Deserialize;

/// The key that shortcuts of this system are made with.
pub(crate) const CONTROL_OR_META: &str = if cfg!(target_os = "macos") { "Meta" } else { "Control" };

/// The modifiers of a gesture, as a list of names the dictionary allows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct ModifierNames(Vec<String>);

impl ModifierNames {
    /// Converts the names for the driver. The schema has rejected all other names.
    pub(crate) fn held(&self) -> Modifiers {
        self.0.iter().fold(Modifiers::NONE, |held, name| add(held, name).unwrap_or(held))
    }
}

/// Adds a modifier by any of its names; `None` for an unknown name.
pub(crate) fn add(mut held: Modifiers, name: &str) -> Option<Modifiers> {
    let name = if name.eq_ignore_ascii_case("ControlOrMeta") { CONTROL_OR_META } else { name };
    match name.to_ascii_lowercase().as_str() {
        "alt" | "option" => held.alt = true,
        "control" | "ctrl" => held.control = true,
        "meta" | "cmd" | "command" => held.meta = true,
        "shift" => held.shift = true,
        _ => return None,
    }
    Some(held)
}

/// The held modifiers as outputs show them.
pub(crate) fn names(held: Modifiers) -> Vec<&'static str> {
    let names = [(held.alt, "Alt"), (held.control, "Control"), (held.meta, "Meta"), (held.shift, "Shift")];
    names.into_iter().filter(|(on, _)| *on).map(|(_, name)| name).collect()
}
