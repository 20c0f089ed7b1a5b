//! Plays one case: in a context of its own, on its recording, with a clock and random numbers that are always the same.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::{Archive, Browser, ContextOptions, Deadline, Locale, Replay};
use actions_engine::{CallError, Engine, ErrorCode, Failure, Session, SiteAnswer, SiteRequest, StateOptions};
use actions_protocol::Millis;
use serde_json::{Value, json};

use super::found::Found;
use super::model::{Case, RunWanted, StateWanted, What};
use crate::checker::{Checker, Options, Source};
use crate::lock::Lock;
use crate::recording::Recording;

/// How long opening a context may take.
const OPENING: Duration = Duration::from_secs(30);
/// How long a case may take that says nothing of it.
const DEFAULT_TIMEOUT: Millis = Millis(60_000);
/// How long a change of a state is waited for.
const DIFF_WAIT: Millis = Millis(2_000);

/// Plays cases of one map.
pub struct Player<'p> {
    /// The browser, which must have been launched without a network.
    pub browser: &'p dyn Browser,
    /// The map.
    pub engine: &'p Engine,
    /// What is known of its targets, for cases that make a check.
    pub lock: &'p Lock,
}

impl Player<'_> {
    /// The language and time zone of the pages of cases, whatever those of the machine are.
    pub fn locale() -> Locale {
        Locale { language: Some("en-US".to_owned()), timezone: Some("UTC".to_owned()) }
    }

    /// Plays a case. A failure of the call is something that came of it; an error is that it could not be played.
    pub async fn play(&self, case: &Case, recording: Option<&Recording>) -> Result<Found, CallError> {
        let limit = case.timeout_ms.unwrap_or(DEFAULT_TIMEOUT);
        let playing = async {
            match case.what() {
                What::Run(run) => self.run(case, run, recording).await,
                What::State(state) => self.read(case, state, recording).await,
                What::Check(id) => self.check(case, id, recording).await,
            }
        };
        let late = || {
            let message = format!("the case did not end within {} ms", limit.0);
            CallError::new(ErrorCode::HandlerTimeout, message)
        };
        let timeout = Duration::from_millis(limit.0);
        tokio::time::timeout(timeout, Box::pin(playing)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn run(
        &self,
        case: &Case,
        run: &RunWanted,
        recording: Option<&Recording>,
    ) -> Result<Found, CallError> {
        let plan = self.engine.plan(&run.tool)?;
        let input = match plan.accept(Value::Object(run.arguments.clone())) {
            Ok(input) => input,
            // That arguments are refused is something to expect.
            Err(error) => return Ok(Found::of(Err(error))),
        };
        let diff = case.expect.state_diff.as_ref().map(|wanted| wanted.projection.clone());
        if diff.is_none()
            && let Some(outcome) = self.engine.answer_static(&input, &(), None)
        {
            return Ok(Found::of_call(outcome));
        }
        let secrets = input.secrets().unwrap_or_default();
        let session = match self.open(case, recording, &secrets).await? {
            Ok(session) => session,
            Err(error) => return Ok(Found::of(Err(error))),
        };
        if let Some(projection) = &diff {
            // The projection need not apply to the page before the call.
            drop(session.diff(projection, StateOptions::default()).await);
        }
        let mut found = Found::of_call(session.call_with(input).run().await);
        if let Some(projection) = &diff {
            let options = StateOptions::default().wait(DIFF_WAIT);
            found = found.with_diff(session.diff(projection, options).await);
        }
        session.close().await;
        Ok(found)
    }

    async fn read(
        &self,
        case: &Case,
        state: &StateWanted,
        recording: Option<&Recording>,
    ) -> Result<Found, CallError> {
        let projection = state.projection.clone();
        let request = match &state.summary {
            None => SiteRequest::StateRead { projection, max_bytes: None, timeout: None },
            Some(summary) => SiteRequest::StateSummary {
                projection,
                summary: summary.clone(),
                arguments: json!(state.arguments),
                max_bytes: None,
                timeout: None,
            },
        };
        self.engine.check_request(&request)?;
        let session = match self.open(case, recording, &[]).await? {
            Ok(session) => session,
            Err(error) => return Ok(Found::of(Err(error))),
        };
        let result = session.site(request).run().await.result;
        session.close().await;
        Ok(Found::of(result.map(|answer| match answer {
            SiteAnswer::State(reading) => reading.state,
            SiteAnswer::Summary(reading) => reading.summary,
            other => other.to_json(),
        })))
    }

    async fn check(&self, case: &Case, id: &str, recording: Option<&Recording>) -> Result<Found, CallError> {
        let recording = recording.ok_or_else(no_recording)?;
        let options = Options {
            steady: Some(case.steady()),
            locale: Self::locale(),
            tolerance: case.tolerance(),
            ..Options::default()
        };
        let checker = Checker {
            browser: self.browser,
            engine: self.engine,
            name: String::new(),
            lock: self.lock,
            source: &Source::Recorded(vec![recording.clone()]),
            start: case.url.clone(),
            also: Vec::new(),
            only: Some(id),
            options: &options,
        };
        let made = checker.check().await.results.into_iter().next();
        let result = made.ok_or_else(|| {
            let message = format!("the map has no check `{id}`, and no target at this pointer");
            CallError::new(ErrorCode::InvalidInput, message)
        })?;
        Ok(Found { status: Some(result.status), error: None, ..Found::default() })
    }

    /// Opens the page of a case. A page that does not open, by the recording, is something that came of it.
    async fn open(
        &self,
        case: &Case,
        recording: Option<&Recording>,
        secrets: &[String],
    ) -> Result<Result<Session, CallError>, CallError> {
        let archive: Arc<Archive> = Arc::clone(&recording.ok_or_else(no_recording)?.archive);
        let replay = Replay::new(archive).concealing(secrets).tolerating(case.tolerance());
        let options = ContextOptions {
            confinement: self.engine.confinement(),
            replay: Some(Arc::new(replay)),
            steady: Some(case.steady()),
            locale: Self::locale(),
            ..ContextOptions::default()
        };
        let deadline = Deadline::after(&*self.browser.clock(), OPENING);
        let context = self.browser.new_context(options, deadline).await;
        let context = context.map_err(|error| CallError::from(Failure::from(error)))?;
        let opened = self.engine.open_in(self.browser, context, case.url.as_deref()).await;
        match opened {
            Err(error) if error.code == ErrorCode::BrowserLost => Err(error),
            opened => Ok(opened),
        }
    }
}

fn no_recording() -> CallError {
    CallError::new(ErrorCode::InvalidInput, "the case names no `recording`")
        .with_evidence("hint", "record one with `actions record MAP TOOL --case NAME`")
}
