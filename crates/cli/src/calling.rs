//! Runs a call with what a command wants besides its value: a trace, a difference, a screenshot.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actions_engine::browser::{Deadline, Screenshot};
use actions_engine::{
    Baseline, CallError, CancellationToken, CheckedInput, Engine, EventKind, Outcome, RunEvent, Secrets,
    Session, SiteRequest, StateDiff, StateOptions, TraceRecorder,
};
use actions_protocol::{ErrorCode, Millis};
use serde_json::json;

use crate::changes;
use crate::identity_options::Ended;
use crate::output_file::OutputFile;
use crate::text::line;
use crate::time_limit::TimeLimit;
use crate::trace_folder;

/// What a command wants besides the value of a call.
#[derive(Clone, Debug)]
pub(crate) struct Extras {
    /// The projection whose changes are wanted.
    pub(crate) diff: Option<String>,
    /// The folder for a trace.
    pub(crate) trace: Option<PathBuf>,
    /// The file for a screenshot of the page at the end.
    pub(crate) screenshot: Option<PathBuf>,
    /// Whether nothing but warnings is printed.
    pub(crate) quiet: bool,
    /// The time of the whole command.
    pub(crate) time: TimeLimit,
}

/// The outcome of a call, and what it changed.
pub(crate) struct Performed {
    pub(crate) outcome: Outcome,
    pub(crate) diff: Option<Result<StateDiff, CallError>>,
}

impl Ended for Performed {
    fn succeeded(&self) -> bool {
        self.outcome.result.is_ok()
    }
}

/// Receives lines for standard error.
pub(crate) type Say<'s> = &'s (dyn Fn(String) + Sync);

/// How long `--diff` waits for a change before it says that nothing changed: pages save later than they are clicked.
const DIFF_WAIT: Millis = Millis(2_000);

/// Time limit of the screenshot.
const SCREENSHOT_TIMEOUT: Duration = Duration::from_secs(10);

impl Extras {
    /// Refuses what cannot be had, before anything is opened or run.
    pub(crate) fn check(&self, engine: &Engine) -> Result<(), CallError> {
        if let Some(projection) = &self.diff {
            engine.check_request(&diff_of(projection))?;
        }
        self.trace.as_deref().map_or(Ok(()), trace_folder::check)
    }

    /// Answers a tool that needs no page, unless something is wanted of the page.
    pub(crate) fn without_page(
        &self,
        engine: &Engine,
        input: &CheckedInput,
        say: Say<'_>,
    ) -> Result<Option<Outcome>, CallError> {
        if self.diff.is_some() || self.screenshot.is_some() || !input.is_static() {
            return Ok(None);
        }
        let trace = self.open_trace()?;
        let outcome = engine.answer_static(input, &(), trace.as_ref());
        close_trace(trace.as_ref(), say);
        Ok(outcome)
    }

    /// Makes a call in a session, and what is wanted besides it.
    pub(crate) async fn around(
        &self,
        session: &Session,
        cancel: &CancellationToken,
        say: Say<'_>,
        call: impl AsyncFnOnce(Option<&TraceRecorder>) -> Outcome,
    ) -> Result<Performed, CallError> {
        let trace = self.open_trace()?;
        if let Some(projection) = &self.diff {
            // This may fail: the projection need not apply to the page before the call.
            let _ = session.site(diff_of(projection)).cancelled_by(cancel.clone()).run().await;
        }
        let outcome = call(trace.as_ref()).await;
        let diff = match &self.diff {
            Some(projection) => {
                // A call that failed before it touched the page leaves nothing to wait for.
                let may_change = outcome.result.as_ref().map_or_else(|error| error.mutated, |_| true);
                let wait = if may_change { DIFF_WAIT } else { Millis(0) };
                Some(tokio::select! {
                    biased;
                    () = cancel.cancelled() => {
                        Err(CallError::new(ErrorCode::Cancelled, "the command was cancelled"))
                    }
                    diff = session.diff(projection, StateOptions::default().wait(wait)) => diff,
                })
            }
            None => None,
        };
        if let (Some(trace), Some(Ok(diff))) = (&trace, &diff) {
            let kind = EventKind::StateChanged {
                projection: diff.observation.projection.clone(),
                diff: outcome.secrets.mask(&json!(diff.diff)),
            };
            trace.record(&RunEvent { kind, call_id: outcome.call_id.clone(), within: Vec::new() });
        }
        close_trace(trace.as_ref(), say);
        if let Some(file) = &self.screenshot {
            self.save_screenshot(session, file, say).await;
        }
        Ok(Performed { outcome, diff })
    }

    /// Opens the trace if one is wanted.
    fn open_trace(&self) -> Result<Option<TraceRecorder>, CallError> {
        let trace = self.trace.as_ref().map(TraceRecorder::create);
        trace.transpose().map_err(trace_folder::unusable)
    }

    /// Saves a screenshot. A failure is only a warning: it does not change the outcome of the call.
    async fn save_screenshot(&self, session: &Session, file: &Path, say: Say<'_>) {
        let deadline = Deadline::after(&*session.stage().clock(), SCREENSHOT_TIMEOUT);
        let deadline = self.time.last_work(deadline);
        let taken = session.page().screenshot(Screenshot::default(), deadline).await;
        let kept = taken.map_err(|error| error.to_string()).and_then(|image| {
            let written = OutputFile::create_with_folders(file).and_then(|file| file.keep(&image));
            written.map_err(|error| error.to_string())
        });
        match kept {
            Ok(()) if self.quiet => {}
            Ok(()) => say(format!("screenshot: {}", line(&file.display().to_string()))),
            Err(error) => {
                say(format!("warning: no screenshot at {}: {error}", line(&file.display().to_string())))
            }
        }
    }
}

/// Completes the trace. A failure is only a warning: it does not change the outcome of the call.
fn close_trace(trace: Option<&TraceRecorder>, say: Say<'_>) {
    if let Some(Err(error)) = trace.map(TraceRecorder::finish) {
        say(format!("warning: the trace is not complete: {error}"));
    }
}

fn diff_of(projection: &str) -> SiteRequest {
    SiteRequest::StateDiff { projection: projection.to_owned(), max_bytes: None, timeout: None }
}

/// What a call changed, in lines for people, with secrets masked.
pub(crate) fn changed(diff: &Result<StateDiff, CallError>, secrets: &Secrets) -> Vec<String> {
    match diff {
        Ok(diff) if diff.baseline == Baseline::Initialized => {
            let name = &diff.observation.projection;
            vec![format!(
                "{name}: did not apply to the page before the call, so there is nothing to compare with"
            )]
        }
        Ok(diff) => changes::lines(&changes::masked(diff, secrets)),
        Err(error) => {
            let message = line(&secrets.mask(error.message.as_str()));
            vec![format!("note: cannot tell what changed: {message}")]
        }
    }
}
