//! `text.type`: types a text key by key.

use actions_browser::{Input, Modifiers};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use super::aim::{TextTarget, aim, verify};
use crate::Failure;
use crate::dialog::{ShownDialog, open_dialog};
use crate::keyboard::keys::{key_for_char, named};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
    target: Option<TextTarget>,
    mode: String,
    select_back_chars: u32,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    typed: bool,
    length: usize,
    selected_back: u32,
    confirmed: bool,
    tag_name: String,
    target_kind: String,
    fidelity: &'static str,
    dialog: Option<ShownDialog>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let field = aim(&scene, args.target.as_ref(), &args.mode, args.timeout_ms, true).await?;
    let mut input = Vec::new();
    let shift = Modifiers { shift: true, ..Modifiers::NONE };
    if let Some(left) = named("ArrowLeft") {
        for _ in 0..args.select_back_chars {
            input.push(Input::KeyDown { key: left.clone(), modifiers: shift, repeat: false });
            input.push(Input::KeyUp { key: left.clone(), modifiers: shift });
        }
    }
    for character in args.text.chars() {
        match key_for_char(character) {
            Some((key, modifiers)) => {
                input.push(Input::KeyDown { key: key.clone(), modifiers, repeat: false });
                input.push(Input::KeyUp { key, modifiers });
            }
            // No key types this character, so it is inserted as by an input method.
            None => input.push(Input::InsertText { text: character.to_string() }),
        }
    }
    scene.page().input(&input, scene.deadline).await?;
    let dialog = open_dialog(scene.page());
    let confirmed = match &dialog {
        Some(_) => false,
        None => {
            let verified = verify(&scene, &field, &args.text, args.select_back_chars).await?;
            if verified.readable && !verified.holds {
                return Err(Failure::new(
                    ErrorCode::InputNotReceived,
                    "the text was typed, but the field does not contain it",
                )
                .with_evidence("value_length", verified.value_length));
            }
            verified.holds
        }
    };
    Ok(Output {
        typed: true,
        length: args.text.chars().count(),
        selected_back: args.select_back_chars,
        confirmed,
        tag_name: field.aimed.tag_name,
        target_kind: field.aimed.target_kind,
        fidelity: "trusted",
        dialog,
    })
}
