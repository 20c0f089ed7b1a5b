//! `keyboard.press`: presses a key or a chord on the element that has the focus.

use std::time::Duration;

use actions_browser::{Error, Input, Key, Modifiers};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use super::keys::{key_for_char, named, shifted};
use crate::Failure;
use crate::dialog::{ShownDialog, open_dialog};
use crate::gesture::listen_at_focus;
use crate::modifiers::{ModifierNames, add, names};
use crate::scene::Scene;

/// How long the confirmation may take after the browser has acknowledged the input.
const ECHO: Duration = Duration::from_millis(1500);

#[derive(Deserialize)]
pub(crate) struct Args {
    key: String,
    #[serde(default)]
    modifiers: ModifierNames,
    repeat: u32,
    confirm: Option<Events>,
}

/// What proves that a key was pressed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Events {
    /// The page received every press.
    Events,
}

#[derive(Serialize)]
pub(crate) struct Output {
    pressed: bool,
    key: String,
    modifiers: Vec<&'static str>,
    repeat: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed_by: Option<Events>,
    fidelity: &'static str,
    dialog: Option<ShownDialog>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let (key, modifiers) = chord(&args.key, args.modifiers.held())?;
    for nth in 1..=args.repeat {
        let input = press(&key, modifiers, nth == 1, nth == args.repeat);
        let whole = |Missed { failure, received }: Missed| {
            let failure = if received { failure.with_evidence("received", true) } else { failure };
            let pressed = if received { nth } else { nth - 1 };
            failure.with_evidence("pressed", pressed).with_evidence("repeat", args.repeat)
        };
        // Each press waits for the one before: if a key opens a dialog, the dialog must not receive the next presses.
        match nth == 1 || nth == args.repeat || args.confirm.is_some() {
            true => press_confirmed(&scene, &key, &input, nth == args.repeat).await.map_err(whole)?,
            false => taken(scene.page().input(&input, scene.deadline).await, false).map_err(whole)?,
        }
    }
    Ok(Output {
        pressed: args.repeat > 0,
        key: key.key,
        modifiers: names(modifiers),
        repeat: args.repeat,
        confirmed_by: args.confirm.filter(|_| args.repeat > 0),
        fidelity: "trusted",
        dialog: open_dialog(scene.page()),
    })
}

/// Sends a press and waits until the document that has the focus confirms the key. Does not wait for the effects of the
/// last press.
async fn press_confirmed(scene: &Scene<'_>, key: &Key, input: &[Input], last: bool) -> Result<(), Missed> {
    let mut pending = listen_at_focus(scene, &key.key).await?;
    let sent = pending.during(scene.page().input(input, scene.deadline)).await;
    match (pending.within(ECHO).await, sent) {
        // The page received the key, but the next call would go to a page that does not answer.
        (Some(Ok(confirmation)), Err(Error::Timeout { .. })) if confirmation.received => {
            let message = "the page received the key, but has not answered since";
            Err(Missed { failure: Failure::new(ErrorCode::Timeout, message), received: true })
        }
        (Some(Ok(confirmation)), Ok(())) if confirmation.received => Ok(()),
        (Some(Ok(confirmation)), Err(_)) if confirmation.received && last => Ok(()),
        (Some(Ok(confirmation)), sent) if confirmation.received => taken(sent, true),
        (_, Err(error)) => taken(Err(error), false),
        _ => Err(Failure::new(
            ErrorCode::InputNotReceived,
            "the key was sent, but the page did not confirm that it received it",
        )
        .into()),
    }
}

/// Maps the result of sending a key. A key was not received if its document was replaced meanwhile.
fn taken(sent: Result<(), Error>, received: bool) -> Result<(), Missed> {
    let failure = |error| match error {
        Error::DocumentReplaced { .. } => {
            Failure::new(ErrorCode::InputNotReceived, "the document was replaced while keys were sent")
        }
        other => Failure::from(other),
    };
    sent.map_err(|error| Missed { failure: failure(error), received })
}

/// A press that failed.
struct Missed {
    failure: Failure,
    /// Whether the page received the key nevertheless.
    received: bool,
}

impl From<Failure> for Missed {
    fn from(failure: Failure) -> Self {
        Self { failure, received: false }
    }
}

/// A key with its modifiers.
pub(crate) struct Chord {
    key: Key,
    modifiers: Modifiers,
}

impl Chord {
    /// Reads a chord such as `Control+Shift+A`.
    pub(crate) fn parse(text: &str, held: Modifiers) -> Result<Self, Failure> {
        let (key, modifiers) = chord(text, held)?;
        Ok(Self { key, modifiers })
    }

    /// Presses it and waits until the document that has the focus confirms the key.
    pub(crate) async fn press_once(&self, scene: &Scene<'_>, last: bool) -> Result<(), Failure> {
        let input = press(&self.key, self.modifiers, true, true);
        press_confirmed(scene, &self.key, &input, last).await.map_err(|missed| missed.failure)
    }
}

/// Splits a chord such as `Control+Shift+A`. A plus at the end is the key itself.
fn chord(text: &str, mut modifiers: Modifiers) -> Result<(Key, Modifiers), Failure> {
    let unknown = || {
        Failure::new(ErrorCode::InvalidKey, format!("there is no key `{text}`")).with_evidence(
            "hint",
            "a character, a name such as Enter, Tab, Escape, ArrowDown, PageUp, F5, a code such as KeyA or Digit5, or a chord such as Control+A",
        )
    };
    let (names, key) = match text.strip_suffix('+') {
        Some(before) => (before.strip_suffix('+').unwrap_or(before), "+"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    for name in names.split('+').filter(|name| !name.is_empty()) {
        modifiers = add(modifiers, name).ok_or_else(unknown)?;
    }
    let shortcut = modifiers.control || modifiers.meta || modifiers.alt;
    let mut key = named(key).ok_or_else(unknown)?;
    let mut characters = key.key.chars();
    if let (Some(character), None, false) = (characters.next(), characters.next(), key.keypad) {
        // `Control+A` names the key by its printed letter. Shift is part of a shortcut only if the chord names it.
        let printed = shortcut && character.is_ascii_alphabetic();
        let needs_shift = key_for_char(character).is_some_and(|(_, needed)| needed.shift);
        modifiers.shift |= needs_shift && !printed;
        let typed = match modifiers.shift {
            true => shifted(character),
            false if printed => character.to_ascii_lowercase(),
            false => character,
        };
        key = Key { key: typed.to_string(), text: Some(typed.to_string()), ..key };
    }
    if shortcut {
        // A shortcut types nothing.
        key.text = None;
    }
    Ok((key, modifiers))
}

/// The input events of one press of a chord. The modifier keys go down before the first press and up after the last.
fn press(key: &Key, modifiers: Modifiers, first: bool, last: bool) -> Vec<Input> {
    let wanted = [
        (modifiers.control, "Control"),
        (modifiers.alt, "Alt"),
        (modifiers.shift, "Shift"),
        (modifiers.meta, "Meta"),
    ];
    let held: Vec<&str> = wanted.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
    let mut input = Vec::new();
    let mut down = Modifiers::NONE;
    for name in held.iter().filter(|_| first) {
        down = add(down, name).unwrap_or(down);
        input.extend(named(name).map(|key| Input::KeyDown { key, modifiers: down, repeat: false }));
    }
    // A modifier key is held while it is down itself.
    let with_own = add(modifiers, &key.key).unwrap_or(modifiers);
    input.push(Input::KeyDown { key: key.clone(), modifiers: with_own, repeat: false });
    input.push(Input::KeyUp { key: key.clone(), modifiers });
    let mut down = modifiers;
    for name in held.iter().rev().filter(|_| last) {
        down = without(down, name);
        input.extend(named(name).map(|key| Input::KeyUp { key, modifiers: down }));
    }
    input
}

fn without(mut held: Modifiers, name: &str) -> Modifiers {
    match name {
        "Control" => held.control = false,
        "Alt" => held.alt = false,
        "Shift" => held.shift = false,
        _ => held.meta = false,
    }
    held
}

#[cfg(test)]
mod tests {
    use actions_browser::{Input, Modifiers};

    use super::{chord, press};

    fn keydowns(text: &str) -> Vec<(String, String, Modifiers)> {
        let (key, modifiers) = chord(text, Modifiers::NONE).expect("it is a chord");
        let downs = press(&key, modifiers, true, true).into_iter().filter_map(|input| match input {
            Input::KeyDown { key, modifiers, .. } => Some((key.key, key.code, modifiers)),
            _ => None,
        });
        downs.collect()
    }

    #[test]
    fn a_modifier_key_has_its_own_flag_in_its_keydown() {
        let control = Modifiers { control: true, ..Modifiers::NONE };
        assert_eq!(keydowns("Control"), [("Control".to_owned(), "ControlLeft".to_owned(), control)]);
        let shift = Modifiers { shift: true, ..Modifiers::NONE };
        assert_eq!(keydowns("ShiftRight"), [("Shift".to_owned(), "ShiftRight".to_owned(), shift)]);
    }

    #[test]
    fn a_chord_may_name_its_key_by_code() {
        let last = |text: &str| keydowns(text).pop().map(|(key, code, _)| (key, code));
        assert_eq!(last("Shift+Digit5"), Some(("%".to_owned(), "Digit5".to_owned())));
        assert_eq!(last("Control+KeyA"), Some(("a".to_owned(), "KeyA".to_owned())));
    }

    #[test]
    fn control_or_meta_is_the_shortcut_key_of_the_system() {
        let (_, _, held) = keydowns("ControlOrMeta+a").pop().expect("a key goes down");
        assert_eq!((held.control, held.meta), (!cfg!(target_os = "macos"), cfg!(target_os = "macos")));
    }
}
