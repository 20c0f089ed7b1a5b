//! One look at one page: opens it in a context of its own, waits until what should be there is there, and reads what is.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::{
    Archive, Browser, Context, ContextOptions, Deadline, Error, LoadState, Locale, Page, PageEvent, Replay,
    Screenshot, Steady, StorageState, Tolerance,
};
use actions_engine::{CallError, Engine, ErrorCode, Session};
use actions_primitives::{
    Asked, Candidate, Failure, PageFacts, Sighting, Stage, candidates, page_change, page_facts, sightings,
};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

use crate::assertion::{Check, Unmet};
use crate::status::Status;
use crate::target::Target;
use crate::wall::{self, Wall};

/// How long a page may take to load at most.
const LOADING: Duration = Duration::from_secs(20);
/// How long the rest of a page, such as pictures, may take after its document.
const SETTLING: Duration = Duration::from_secs(3);
/// How long one look may take beside loading.
const LOOKING: Duration = Duration::from_secs(20);
/// The most reports of a page that are kept, how long each may be, and how many events are read for them.
const MAX_REPORTS: usize = 30;
const MAX_REPORT: usize = 400;
/// The most characters of the text of a page that are kept.
const MAX_TEXT: usize = 8_000;
const MAX_EVENTS: usize = 10_000;
/// A page that has not changed for this long is quiet, and one that is not quiet after so long is restless.
const QUIET: Duration = Duration::from_millis(120);
const RESTLESS: Duration = Duration::from_millis(1_500);
/// The least time between two looks at a page that changes all the time.
const BETWEEN: Duration = Duration::from_millis(60);

/// A page to look at.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) url: String,
    /// The recording that answers its requests; the network if absent.
    pub(crate) archive: Option<Arc<Archive>>,
    /// Tools to call on the way, which change nothing.
    pub(crate) tools: Vec<String>,
    /// The declared checks that are made there, by number.
    pub(crate) checks: Vec<usize>,
    /// Whether calls of tools begin there.
    pub(crate) is_start: bool,
}

/// What a look at a page gave.
#[derive(Debug)]
pub(crate) enum Sight {
    Page(Box<Look>),
    Wall(Wall, String),
    /// It could not be opened, and that says nothing about the site.
    Nothing(CallError),
}

/// What was seen of a page.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) url: String,
    /// The states that are current.
    pub(crate) states: Vec<String>,
    /// What each target matches; absent where it does not apply.
    pub(crate) targets: Vec<Option<Result<Sighting, Failure>>>,
    /// The assertions of the checks that were made here: the number of the check, and what does not hold.
    pub(crate) checks: Vec<(usize, Vec<Verdict>)>,
    pub(crate) facts: PageFacts,
    /// Elements that a lost target may have become.
    pub(crate) candidates: Vec<Candidate>,
    /// A picture of the page, if one was asked for.
    pub(crate) picture: Option<Vec<u8>>,
    /// The visible text of the page, if an assertion does not hold.
    pub(crate) text: Option<String>,
    /// What the page reported about itself.
    pub(crate) reports: Reports,
}

/// What a page reported about itself, one sentence each.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    pub(crate) console: Vec<String>,
    pub(crate) requests: Vec<String>,
}

impl Reports {
    /// Takes what has been reported so far.
    fn take(events: &mut Receiver<PageEvent>) -> Self {
        let mut reports = Self::default();
        let cut = |text: &str| text.chars().take(MAX_REPORT).collect::<String>();
        for _ in 0..MAX_EVENTS {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(TryRecvError::Lagged(_)) => continue,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            };
            match event {
                PageEvent::Console(message) if reports.console.len() < MAX_REPORTS => {
                    reports.console.push(format!("{}: {}", message.level.as_str(), cut(&message.text)));
                }
                PageEvent::Exception(exception) if reports.console.len() < MAX_REPORTS => {
                    reports.console.push(format!("exception: {}", cut(&exception.text)));
                }
                PageEvent::RequestFailed(failed) if reports.requests.len() < MAX_REPORTS => {
                    reports.requests.push(cut(&failed.to_string()));
                }
                _ => {}
            }
        }
        reports
    }
}

/// What became of one assertion.
#[derive(Debug)]
pub(crate) struct Verdict {
    pub(crate) unmet: Option<Unmet>,
    pub(crate) seen: Option<Sighting>,
    /// The state of the projection that it read.
    pub(crate) state: Option<Value>,
}

/// Looks at pages of one map.
pub(crate) struct Visitor<'v> {
    pub(crate) browser: &'v dyn Browser,
    pub(crate) engine: &'v Engine,
    pub(crate) targets: &'v [Target],
    pub(crate) checks: &'v [Check<'v>],
    pub(crate) patience: Duration,
    pub(crate) context: &'v ContextOptions,
    pub(crate) identity: Option<&'v StorageState>,
    pub(crate) pictures: bool,
    pub(crate) steady: Option<Steady>,
    pub(crate) locale: Locale,
    pub(crate) tolerance: &'v Tolerance,
}

impl Visitor<'_> {
    /// Opens a page and looks at it. `due` says which targets must be there, by the address and the states of the page;
    /// `lost` says, of those that were seen, which are not the ones that are meant.
    pub(crate) async fn look(
        &self,
        stop: &Stop,
        due: &(dyn Fn(&str, &[String]) -> Vec<bool> + Sync),
        lost: &(dyn Fn(usize, &Sighting) -> bool + Sync),
    ) -> Sight {
        let clock = self.browser.clock();
        let opening = Deadline::after(&*clock, LOADING);
        let options = ContextOptions {
            confinement: self.engine.confinement(),
            replay: stop
                .archive
                .clone()
                .map(|archive| Arc::new(Replay::new(archive).tolerating(self.tolerance.clone()))),
            steady: self.steady,
            locale: self.locale.clone(),
            storage_state: self.identity.cloned(),
            report_failed_requests: !stop.checks.is_empty(),
            ..self.context.clone()
        };
        let context = match self.browser.new_context(options, opening).await {
            Ok(context) => context,
            Err(error) => return Sight::Nothing(failed(error)),
        };
        let sight = match context.new_page(opening).await {
            Ok(page) => Box::pin(self.look_in(&page, stop, due, lost)).await,
            Err(error) => Sight::Nothing(failed(error)),
        };
        self.leave(&*context).await;
        sight
    }

    /// Closes a context whatever its pages do.
    async fn leave(&self, context: &dyn Context) {
        let deadline = Deadline::after(&*self.browser.clock(), Duration::from_secs(5));
        // A context that does not close ends with its browser.
        drop(context.close(deadline).await);
    }

    async fn look_in(
        &self,
        page: &Arc<dyn Page>,
        stop: &Stop,
        due: &(dyn Fn(&str, &[String]) -> Vec<bool> + Sync),
        lost: &(dyn Fn(usize, &Sighting) -> bool + Sync),
    ) -> Sight {
        let clock = self.browser.clock();
        let session = self.engine.on_page(Arc::clone(page), Arc::clone(&clock));
        let loading = Deadline::after(&*clock, LOADING);
        let mut events = page.events();
        let status = match page.navigate(&stop.url, LoadState::DomContentLoaded, loading).await {
            Ok(navigated) => navigated.status.unwrap_or(200),
            Err(error) => return unopened(error, &stop.url),
        };
        let settled = Deadline::after(&*clock, SETTLING);
        // A page whose last picture never comes can be looked at all the same.
        drop(page.wait_for_load(&page.main_frame(), LoadState::Load, settled).await);
        let deadline = Deadline::after(&*clock, LOOKING);
        if status >= 400 {
            let facts = page_facts(&session.stage(), deadline).await.ok();
            if let Some(wall) = wall::of_status(status, facts.as_ref()) {
                return Sight::Wall(wall, page.url());
            }
        }
        for tool in &stop.tools {
            if let Err(error) = session.call(tool.as_str()).run().await.result {
                return Sight::Nothing(error);
            }
        }
        match Box::pin(self.read(&session, stop, due, lost, deadline)).await {
            Ok(look) => Sight::Page(Box::new(Look { reports: Reports::take(&mut events), ..look })),
            Err(error) => Sight::Nothing(error),
        }
    }

    /// Looks whenever the page changes, until everything that should be there is there or patience ends.
    async fn read(
        &self,
        session: &Session,
        stop: &Stop,
        due: &(dyn Fn(&str, &[String]) -> Vec<bool> + Sync),
        lost: &(dyn Fn(usize, &Sighting) -> bool + Sync),
        deadline: Deadline,
    ) -> Result<Look, CallError> {
        let clock = self.browser.clock();
        let stage = session.stage();
        self.wait_until_quiet(&stage, deadline).await?;
        let end = clock.now() + self.patience;
        loop {
            let (url, states) = (stage.page().url(), session.current_states(None).await?.current);
            let targets = self.sightings(&stage, &url, &states, deadline).await?;
            let checks = self.checks(session, stop, &url, &states, deadline).await?;
            let due = due(&url, &states);
            let is_lost = |at: usize| match &targets[at] {
                Some(Ok(seen)) => due[at] && (seen.attached == 0 || lost(at, seen)),
                Some(Err(_)) => due[at],
                None => false,
            };
            let unmet = checks.iter().flat_map(|(_, verdicts)| verdicts).any(|each| each.unmet.is_some());
            let missing: Vec<usize> = (0..targets.len()).filter(|at| is_lost(*at)).collect();
            let left = end.saturating_duration_since(clock.now());
            if (unmet || !missing.is_empty()) && !left.is_zero() {
                clock.sleep_until(clock.now() + BETWEEN.min(left)).await;
                page_change(&stage, left, deadline).await?;
                continue;
            }
            let facts = page_facts(&stage, deadline).await?;
            let candidates = match missing.is_empty() && !unmet {
                true => Vec::new(),
                false => candidates(&stage, &self.tags(), deadline).await?,
            };
            let picture = match self.pictures {
                true => stage.page().screenshot(Screenshot::default(), deadline).await.ok(),
                false => None,
            };
            let text = if unmet { snapshot(session).await } else { None };
            let reports = Reports::default();
            return Ok(Look { url, states, targets, checks, facts, candidates, picture, text, reports });
        }
    }

    /// Waits until the page has not changed for a moment: many pages fill themselves after their document has loaded. A
    /// page that never stops changing is not waited for.
    async fn wait_until_quiet(&self, stage: &Stage, deadline: Deadline) -> Result<(), CallError> {
        let clock = self.browser.clock();
        let end = clock.now() + RESTLESS.min(self.patience);
        while clock.now() < end {
            let before = clock.now();
            page_change(stage, QUIET, deadline).await?;
            if clock.now().saturating_duration_since(before) >= QUIET {
                break;
            }
        }
        Ok(())
    }

    async fn sightings(
        &self,
        stage: &Stage,
        url: &str,
        states: &[String],
        deadline: Deadline,
    ) -> Result<Vec<Option<Result<Sighting, Failure>>>, CallError> {
        let asked: Vec<(usize, Asked<'_>)> = self
            .targets
            .iter()
            .enumerate()
            .filter(|(_, target)| target.applies(url, states))
            .filter_map(|(at, target)| {
                Some((at, Asked { locator: target.locator.as_ref()?, attribute: None }))
            })
            .collect();
        let questions: Vec<Asked<'_>> = asked.iter().map(|(_, question)| *question).collect();
        let answers = sightings(stage, &questions, deadline).await?;
        let mut seen: Vec<Option<Result<Sighting, Failure>>> = self.targets.iter().map(|_| None).collect();
        for ((at, _), answer) in asked.into_iter().zip(answers) {
            seen[at] = Some(answer);
        }
        Ok(seen)
    }

    async fn checks(
        &self,
        session: &Session,
        stop: &Stop,
        url: &str,
        states: &[String],
        deadline: Deadline,
    ) -> Result<Vec<(usize, Vec<Verdict>)>, CallError> {
        let mut made = Vec::with_capacity(stop.checks.len());
        for number in &stop.checks {
            let assertions = &self.checks[*number].assertions;
            let questions: Vec<Asked<'_>> =
                assertions.iter().filter_map(|assertion| assertion.question()).collect();
            let mut answers = sightings(&session.stage(), &questions, deadline).await?.into_iter();
            let mut verdicts = Vec::with_capacity(assertions.len());
            for assertion in assertions {
                let seen = assertion.question().and_then(|_| answers.next());
                let mut unmet = assertion.judge(url, states, seen.as_ref()).err();
                let mut state = None;
                if unmet.is_none() {
                    match assertion.projected(session).await {
                        Ok(read) => state = read,
                        Err(not) => unmet = Some(not),
                    }
                }
                verdicts.push(Verdict { unmet, seen: seen.and_then(Result::ok), state });
            }
            made.push((*number, verdicts));
        }
        Ok(made)
    }

    /// The tags of everything that is looked for, beside what can be operated.
    fn tags(&self) -> Vec<&'static str> {
        vec![
            "form", "ul", "ol", "li", "table", "tr", "section", "article", "nav", "main", "aside", "header",
            "footer", "dialog", "fieldset", "h1", "h2", "h3", "p", "span", "div", "output", "label", "img",
        ]
    }
}

/// The visible text of the page.
async fn snapshot(session: &Session) -> Option<String> {
    let read = session.primitive("dom.snapshot_text").arguments(json!({ "max_chars": MAX_TEXT })).run().await;
    read.result.ok()?.get("text")?.as_str().map(str::to_owned)
}

/// Why a page did not open.
fn unopened(error: Error, url: &str) -> Sight {
    let down = |code| {
        let wall = Wall { status: Status::SiteDown, code, message: error.to_string() };
        Sight::Wall(wall, url.to_owned())
    };
    match &error {
        Error::NavigationFailed { .. } => down(ErrorCode::NavigationFailed),
        Error::Timeout { .. } => down(ErrorCode::Timeout),
        _ => Sight::Nothing(failed(error)),
    }
}

fn failed(error: Error) -> CallError {
    CallError::from(Failure::from(error))
}
