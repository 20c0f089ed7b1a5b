//! `text.insert`: inserts a text into an editable element at once and reads it back.

use actions_browser::{Input, Key, Modifiers};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::aim::{Field, TextTarget, aim};
use super::entry::{Attempt, Confirm, ConfirmedBy, Entered, Entry, Seen};
use crate::Failure;
use crate::acted_on::ActedOn;
use crate::begun::Ended;
use crate::dialog::{ShownDialog, open_dialog};
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
    target: Option<TextTarget>,
    mode: String,
    #[serde(default)]
    confirm: Confirm,
    timeout_ms: u64,
}

impl Args {
    /// Inserts a text, which the field must then contain exactly.
    pub(crate) fn new(text: String, target: Option<TextTarget>, mode: String, timeout_ms: u64) -> Self {
        Self { text, target, mode, confirm: Confirm::default(), timeout_ms }
    }
}

#[derive(Serialize)]
pub(crate) struct Output {
    inserted: bool,
    inserted_length: usize,
    value_length: u64,
    confirmed_by: ConfirmedBy,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    mode: String,
    tag_name: String,
    target_kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    acted_on: Option<ActedOn>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let (field, entered) = loop {
        let field = aim(&scene, args.target.as_ref(), &args.mode, patience, false).await?;
        match enter(&scene, &args, &field).await? {
            Attempt::Entered(entered) => break (field, entered),
            Attempt::Lost(failure) if patience.left(&scene).is_zero() => return Err(failure),
            Attempt::Lost(_) => {}
        }
    };
    let Some(confirmed_by) = entered.by else { return Err(interrupted(open_dialog(scene.page()))) };
    Ok(Output {
        inserted: true,
        inserted_length: args.text.chars().count(),
        value_length: entered.value_length,
        confirmed_by,
        text: entered.shown,
        mode: args.mode,
        tag_name: field.aimed.tag_name,
        target_kind: field.aimed.target_kind,
        acted_on: field.aimed.acted_on,
    })
}

async fn enter(scene: &Scene<'_>, args: &Args, field: &Field) -> Result<Attempt, Failure> {
    let replaces = args.mode == "replace";
    let entry = Entry { text: &args.text, typed: false, selected_back: 0, confirm: args.confirm, replaces };
    if field.aimed.editing.as_deref() == Some("value") {
        let set = json!({ "token": field.aimed.token, "text": args.text });
        return match scene.finish_noted::<Seen>(&field.frame, "text.set_value", &set).await? {
            Ended::Answered(seen) => {
                Entry { confirm: Confirm::Text, ..entry }.judge(seen).map(Attempt::Entered)
            }
            Ended::Left(set) => Ok(Attempt::Entered(Entered {
                by: Some(ConfirmedBy::Text),
                shown: None,
                value_length: set["value_length"].as_u64().unwrap_or_default(),
            })),
        };
    }
    // The text to replace is selected. Inserting an empty text would leave it there, so it is deleted.
    let input = match args.text.is_empty() && replaces {
        true => erase(),
        false => vec![Input::InsertText { text: args.text.clone() }],
    };
    entry.send(scene, field, &input).await
}

/// The failure of an insertion that a dialog interrupted before it could be confirmed.
fn interrupted(dialog: Option<ShownDialog>) -> Failure {
    let message = "the text was sent, and a dialog opened before the field could be read";
    Failure::new(ErrorCode::DialogOpen, message).with_evidence("dialog", json!(dialog))
}

/// The input events of the Delete key.
fn erase() -> Vec<Input> {
    let key = Key { key: "Delete".to_owned(), code: "Delete".to_owned(), key_code: 46, ..Key::default() };
    vec![
        Input::KeyDown { key: key.clone(), modifiers: Modifiers::NONE, repeat: false },
        Input::KeyUp { key, modifiers: Modifiers::NONE },
    ]
}
