//! `text.type`: types a text key by key.

use actions_browser::{Input, Modifiers};
use serde::{Deserialize, Serialize};

use super::aim::{TextTarget, aim};
use super::entry::{Attempt, Confirm, ConfirmedBy, Entry};
use crate::Failure;
use crate::acted_on::ActedOn;
use crate::dialog::{ShownDialog, open_dialog};
use crate::keyboard::keys::{key_for_char, named};
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
    target: Option<TextTarget>,
    mode: String,
    select_back_chars: u32,
    #[serde(default)]
    confirm: Confirm,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    typed: bool,
    length: usize,
    selected_back: u32,
    confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed_by: Option<ConfirmedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    tag_name: String,
    target_kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    acted_on: Option<ActedOn>,
    fidelity: &'static str,
    dialog: Option<ShownDialog>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let mut input = Vec::new();
    let shift = Modifiers { shift: true, ..Modifiers::NONE };
    if let Some(left) = named("ArrowLeft") {
        for _ in 0..args.select_back_chars {
            input.push(Input::KeyDown { key: left.clone(), modifiers: shift, repeat: false });
            input.push(Input::KeyUp { key: left.clone(), modifiers: shift });
        }
    }
    // A line end of two characters is one press of Enter.
    for character in args.text.replace("\r\n", "\n").chars() {
        match key_for_char(character) {
            Some((key, modifiers)) => {
                input.push(Input::KeyDown { key: key.clone(), modifiers, repeat: false });
                input.push(Input::KeyUp { key, modifiers });
            }
            // No key types this character, so it is inserted as by an input method.
            None => input.push(Input::InsertText { text: character.to_string() }),
        }
    }
    let entry = Entry {
        text: &args.text,
        typed: true,
        selected_back: args.select_back_chars,
        confirm: args.confirm,
        replaces: args.mode == "replace",
    };
    let patience = Patience::of(&scene, args.timeout_ms);
    let (field, entered) = loop {
        let field = aim(&scene, args.target.as_ref(), &args.mode, patience, true).await?;
        match entry.send(&scene, &field, &input).await? {
            Attempt::Entered(entered) => break (field, entered),
            Attempt::Lost(failure) if patience.left(&scene).is_zero() => return Err(failure),
            Attempt::Lost(_) => {}
        }
    };
    Ok(Output {
        typed: true,
        length: args.text.chars().count(),
        selected_back: args.select_back_chars,
        confirmed: entered.by == Some(ConfirmedBy::Text),
        confirmed_by: entered.by,
        text: entered.shown,
        tag_name: field.aimed.tag_name,
        target_kind: field.aimed.target_kind,
        acted_on: field.aimed.acted_on,
        fidelity: "trusted",
        dialog: open_dialog(scene.page()),
    })
}
