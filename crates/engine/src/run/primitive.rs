//! Runs a primitive with policy, pacing, events and secrets.

use actions_browser::{Announcement, AnsweredDialog, DialogAnswer};
use actions_dictionary::{ANNOUNCEMENTS, ANSWERED_DIALOGS, OPENED_PAGES, Primitive};
use actions_primitives::{Failure, perform};
use actions_protocol::StepId;
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::Run;
use super::loss::as_lost;
use super::progress::Begun;
use crate::plan::Effect;
use crate::policy::Operation;
use crate::secret;

impl Run<'_> {
    /// Performs a primitive: asks the policy, keeps the pace, emits its events, and watches the page afterwards.
    pub(super) async fn primitive(
        &self,
        step_id: Option<&StepId>,
        primitive: &'static Primitive,
        args: Value,
        index: Option<usize>,
    ) -> Result<Value, Failure> {
        // Planning the inner call first makes its secrets known: the arguments are masked next.
        let nested = primitive.calls_tool.then(|| self.plan_nested(args.clone()));
        secret::learn_marked(self.secrets, primitive.input_schema(), &args);
        let masked = self.secrets.mask(&args);
        let mutating = primitive.may_change(|argument| args.get(argument).cloned());
        let effect = if mutating { Effect::Mutating } else { Effect::Read };
        let operation = Operation::Primitive { primitive, step_id, arguments: &masked };
        self.admit(operation, effect, &masked).await?;
        if primitive.human_visible {
            self.pace().await?;
        }
        self.loss.refuse(self.stage.page())?;
        let start = self.now();
        self.emit(EventKind::PrimitiveStarted {
            step_id: step_id.cloned(),
            primitive: primitive.name.clone(),
            args: masked,
            mutating,
            index,
        });
        let (step, name) = (step_id.cloned(), primitive.name.clone());
        self.progress.enter(Begun::Primitive { origin: self.origin(), step_id: step, name, start });
        let changing = (mutating && nested.is_none()).then(|| self.about_to_change());
        let result = match nested {
            Some(Ok(nested)) => Box::pin(self.nested(nested)).await,
            Some(Err(failure)) => Err(failure),
            None if primitive.reads_state => Box::pin(self.read_state(primitive, args)).await,
            None => perform(self.stage, primitive, args, self.deadline()).await,
        };
        let mut result = result.map_err(as_lost);
        let answered = self.stage.page().take_answered();
        let opened = match mutating || primitive.human_visible {
            true => self.report_opened().await,
            false => Vec::new(),
        };
        if let Ok(Value::Object(output)) = &mut result
            && !answered.is_empty()
        {
            let dialogs: Vec<Value> = answered.iter().map(shown).collect();
            output.insert(ANSWERED_DIALOGS.to_owned(), Value::Array(dialogs));
        }
        if let Ok(Value::Object(output)) = &mut result
            && !opened.is_empty()
        {
            output.insert(OPENED_PAGES.to_owned(), Value::Array(opened));
        }
        let said = self.stage.memory().announcing.take(self.stage.page());
        if let Ok(Value::Object(output)) = &mut result
            && !said.is_empty()
            && !output.contains_key(ANNOUNCEMENTS)
        {
            output.insert(ANNOUNCEMENTS.to_owned(), said.iter().map(announced).collect());
        }
        if let Ok(output) = &result {
            secret::learn_marked(self.secrets, primitive.output_schema(), output);
        }
        self.progress.leave();
        if let Some(changing) = changing {
            changing.ended(self, result.as_ref().err());
        }
        self.emit(EventKind::PrimitiveFinished {
            step_id: step_id.cloned(),
            primitive: primitive.name.clone(),
            output: result.as_ref().ok().map(|output| self.secrets.mask(output)),
            error: result.as_ref().err().map(|failure| self.masked_error(failure)),
            duration_ms: self.millis_since(start),
        });
        answered.iter().for_each(|answered| self.emit_answered(answered));
        self.watch()?;
        result
    }
}

/// An announcement as the output of a step shows it.
fn announced(said: &Announcement) -> Value {
    json!({ "text": said.text, "politeness": if said.is_assertive { "assertive" } else { "polite" } })
}

/// A dialog as the output of a step shows it.
fn shown(AnsweredDialog { dialog, answer }: &AnsweredDialog) -> Value {
    let accepted = matches!(answer, DialogAnswer::Accept { .. });
    json!({ "kind": dialog.kind.as_str(), "message": dialog.message, "accepted": accepted })
}
