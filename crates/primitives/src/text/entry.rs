//! Enters text into a prepared field, and confirms that it arrived.

use std::time::Duration;

use actions_browser::{Call, Error, Input};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::aim::Field;
use crate::Failure;
use crate::begun::{Begun, next_act};
use crate::patience::Patience;
use crate::scene::Scene;

/// How long the page may take to confirm the text after the browser has acknowledged the input.
const ECHO: Duration = Duration::from_secs(3);

/// What a caller takes as a proof that the text was entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Confirm {
    /// The field contains exactly the text.
    #[default]
    Text,
    /// Every key arrived, for fields that reformat what is typed.
    Events,
}

/// How it was confirmed that a text was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConfirmedBy {
    /// The field contains exactly the text.
    Text,
    /// Every key arrived.
    Events,
}

/// How an attempt to enter a text ended.
pub(super) enum Attempt {
    Entered(Entered),
    /// The page took the field or the focus away before anything of the input reached it. Another attempt may succeed.
    Lost(Failure),
}

/// A text to enter.
pub(super) struct Entry<'a> {
    pub(super) text: &'a str,
    /// Whether it is typed key by key.
    pub(super) typed: bool,
    /// How many characters before the caret it replaces.
    pub(super) selected_back: u32,
    pub(super) confirm: Confirm,
    /// Whether it takes the place of the content.
    pub(super) replaces: bool,
}

/// A text that was entered.
#[derive(Debug)]
pub(super) struct Entered {
    /// How that was confirmed; `None` if a dialog opened before the page could confirm it.
    pub(super) by: Option<ConfirmedBy>,
    /// The content of the field, unless that is exactly the text or cannot be read.
    pub(super) shown: Option<String>,
    pub(super) value_length: u64,
}

/// What the page script saw of an entry.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Seen {
    readable: bool,
    holds: bool,
    arrived: bool,
    strayed: bool,
    holds_nothing: bool,
    /// Whether nothing of the input has reached the document.
    untouched: bool,
    /// Whether the field had content before.
    had_text: bool,
    text: Option<String>,
    wanted: Option<String>,
    keys: u64,
    value_length: u64,
    connected: bool,
}

impl Entry<'_> {
    /// Sends the input and waits until the page confirms it. The call that waits is sent first, so that its answer arrives
    /// even if the input makes the page load another document.
    pub(super) async fn send(
        &self,
        scene: &Scene<'_>,
        field: &Field,
        input: &[Input],
    ) -> Result<Attempt, Failure> {
        let mut waits = self.question(field, Patience::of_call(scene).left_ms(scene));
        let act = next_act();
        waits["act"] = json!(act);
        let mut begun = Begun::new(scene, &field.frame, &act);
        let call = Call::new(&field.frame, "text.verify", &waits).outlasting_dialogs().hearing_aftermath();
        let verifying = scene.page().call(call, scene.deadline);
        tokio::pin!(verifying);
        let mut answer: Option<Result<Seen, Error>> = None;
        let token = json!({ "token": field.aimed.token });
        let sent = begun.during(async {
            let sending = async {
                // Input travels on another channel than calls. The answer to a later call proves that the page waits.
                let still: Poised = scene.look_in(&field.frame, "text.poised", &token).await?;
                if field.aimed.is_located() && !still.poised {
                    return Ok(None);
                }
                Ok::<_, Failure>(Some(scene.page().input(input, scene.deadline).await))
            };
            tokio::pin!(sending);
            loop {
                tokio::select! {
                    biased;
                    seen = &mut verifying, if answer.is_none() => answer = Some(seen),
                    sent = &mut sending => break sent,
                }
            }
        });
        let sent = sent.await;
        // If the input made the page load another document, the old one may have confirmed it before.
        let Some(sent) = sent? else { return Ok(Attempt::Lost(lost())) };
        let replaced = match sent {
            Err(error @ Error::DocumentReplaced { .. }) => Some(error),
            sent => {
                sent?;
                None
            }
        };
        if answer.is_none() && scene.page().dialog().is_none() {
            let clock = scene.stage.clock();
            tokio::select! {
                biased;
                seen = &mut verifying => answer = Some(seen),
                () = clock.sleep_until(clock.now() + ECHO.min(scene.left())) => {}
            }
        }
        match (answer, replaced) {
            (Some(Ok(seen)), _) if field.aimed.is_located() && seen.untouched && !seen.connected => {
                Ok(Attempt::Lost(lost()))
            }
            (Some(Ok(seen)), _) => self.judge(seen).map(Attempt::Entered),
            (Some(Err(error)), _) | (None, Some(error)) => {
                let failure = Failure::from(error);
                // All of it had arrived before the page loaded another document.
                let left = scene.left_after(&mut begun, &failure).await.is_some();
                let by = Some(ConfirmedBy::Events);
                if left {
                    Ok(Attempt::Entered(Entered { by, shown: None, value_length: 0 }))
                } else {
                    Err(failure)
                }
            }
            // The dialog keeps the page from answering.
            (None, None) if scene.page().dialog().is_some() => {
                Ok(Attempt::Entered(Entered { by: None, shown: None, value_length: 0 }))
            }
            // Some of the input has not arrived. The page says what has.
            (None, None) => {
                let question = self.question(field, 0);
                self.judge(scene.look_in(&field.frame, "text.verify", &question).await?).map(Attempt::Entered)
            }
        }
    }

    fn question(&self, field: &Field, timeout_ms: u64) -> Value {
        json!({
            "token": field.aimed.token,
            "text": self.text,
            "typed": self.typed,
            "reformats": self.confirm == Confirm::Events,
            "selected_back": self.selected_back,
            "timeout_ms": timeout_ms,
        })
    }

    /// Decides whether the text was entered.
    pub(super) fn judge(&self, seen: Seen) -> Result<Entered, Failure> {
        let by_events = match self.confirm {
            Confirm::Events => seen.arrived,
            // The target takes keys and holds no text, such as a canvas or a terminal.
            Confirm::Text => {
                self.typed && seen.arrived && !seen.strayed && (!seen.readable || seen.holds_nothing)
            }
        };
        let by = match (self.confirm, by_events) {
            (Confirm::Text, _) if seen.holds && seen.connected => ConfirmedBy::Text,
            (_, true) if seen.connected || self.confirm == Confirm::Events => ConfirmedBy::Events,
            _ => return Err(self.missing(seen)),
        };
        let shown = if by == ConfirmedBy::Events { seen.text } else { None };
        Ok(Entered { by: Some(by), shown, value_length: seen.value_length })
    }

    fn missing(&self, seen: Seen) -> Failure {
        if !seen.connected {
            let message = "the field left the document while it was being filled";
            return Failure::new(ErrorCode::TargetDetached, message);
        }
        let done = if self.typed { "typed" } else { "sent" };
        // Some fields fill themselves in when they get the focus.
        let is_longer = |text: &String| text.len() > self.text.len() && text.contains(self.text);
        let had_text = seen.had_text || seen.text.as_ref().is_some_and(is_longer);
        let message = match (self.confirm, &seen.text, &seen.wanted) {
            (Confirm::Events, ..) => {
                format!("the text was {done}, but not all of it arrived at the page")
            }
            (Confirm::Text, Some(text), Some(wanted)) => format!(
                "the text was {done}, but the field contains {}, not {}",
                quoted(text),
                quoted(wanted)
            ),
            (Confirm::Text, ..) => format!("the text was {done}, but the field does not contain it"),
        };
        let mut failure = Failure::new(ErrorCode::InputNotReceived, message)
            .with_evidence("readable", seen.readable)
            .with_evidence("value_length", seen.value_length)
            .with_evidence("arrived", seen.arrived);
        if let (Some(found), Some(expected)) = (seen.text, seen.wanted) {
            failure = failure.with_evidence("expected", expected).with_evidence("found", found);
        }
        if self.typed {
            failure = failure.with_evidence("keys_received", seen.keys);
        }
        if seen.arrived && self.confirm == Confirm::Text {
            failure = failure.with_evidence("hint", self.hint(had_text));
        }
        failure
    }

    /// What to write into the step if the field is not to contain exactly what was entered.
    fn hint(&self, had_text: bool) -> &'static str {
        match had_text && !self.replaces {
            true => {
                "the field was not empty: say `mode: \"replace\"` to replace its content, or `confirm: \"events\"` if it is \
                 meant to reformat what is typed"
            }
            false => "if the field is meant to reformat what is typed, say `confirm: \"events\"`",
        }
    }
}

/// Whether a field can still receive what is about to be entered.
#[derive(Deserialize)]
struct Poised {
    poised: bool,
}

/// The failure of an entry whose field the page took away before it received anything.
fn lost() -> Failure {
    Failure::new(
        ErrorCode::TargetDetached,
        "the page took the field or the focus away before the text reached it",
    )
}

/// A text for a message, in quotes and cut.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("{cut:?}")
}
