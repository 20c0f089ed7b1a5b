//! `text.insert`: inserts a text into an editable element at once and reads it back.

use actions_browser::{Input, Key, Modifiers};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::aim::{TextTarget, aim, verify};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
    target: Option<TextTarget>,
    mode: String,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    inserted: bool,
    inserted_length: usize,
    value_length: u64,
    mode: String,
    tag_name: String,
    target_kind: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let field = aim(&scene, args.target.as_ref(), &args.mode, args.timeout_ms, false).await?;
    if field.aimed.editing.as_deref() == Some("value") {
        let set = json!({ "token": field.aimed.token, "text": args.text });
        let _: Value = scene.act_in(&field.frame, "text.set_value", &set).await?;
    } else {
        // The text to replace is selected. Inserting an empty text would leave it there, so it is deleted.
        let input = match args.text.is_empty() && args.mode == "replace" {
            true => erase(),
            false => vec![Input::InsertText { text: args.text.clone() }],
        };
        scene.page().input(&input, scene.deadline).await?;
    }
    let verified = verify(&scene, &field, &args.text, 0).await?;
    if !verified.holds {
        return Err(Failure::new(
            ErrorCode::InputNotReceived,
            "the text was sent, but the field does not contain it",
        )
        .with_evidence("value_length", verified.value_length)
        .with_evidence("readable", verified.readable));
    }
    Ok(Output {
        inserted: true,
        inserted_length: args.text.chars().count(),
        value_length: verified.value_length,
        mode: args.mode,
        tag_name: field.aimed.tag_name,
        target_kind: field.aimed.target_kind,
    })
}

/// The input events of the Delete key.
fn erase() -> Vec<Input> {
    let key = Key { key: "Delete".to_owned(), code: "Delete".to_owned(), key_code: 46, ..Key::default() };
    vec![
        Input::KeyDown { key: key.clone(), modifiers: Modifiers::NONE, repeat: false },
        Input::KeyUp { key, modifiers: Modifiers::NONE },
    ]
}
