//! Checks one map: decides which pages to look at, looks at them, and judges what was seen.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actions_engine::browser::{Archive, Browser, StorageState};
use actions_engine::{CallError, Effect, Engine, ErrorCode, ErrorObject};
use actions_manifest::model::Evidence;
use actions_primitives::Sighting;
use actions_protocol::{Severity, Timestamp};
use serde_json::{Map, Value, json};

use crate::assertion::{Check, checks};
use crate::likeness::other_identity;
use crate::lock::{Lock, LockedPage, LockedTarget, Seen, operable, page_key};
use crate::mark::{Mark, is_operable};
use crate::recording::Recording;
use crate::repair::{Proposal, propose};
use crate::result::{CheckResult, Kind};
use crate::status::Status;
use crate::target::{Target, targets};
use crate::visit::{Look, Sight, Stop, Verdict, Visitor};
use crate::wall::{Situation, Wall, in_front};

/// The most pages of one map that are looked at.
const MAX_STOPS: usize = 60;
/// The most names that the accessibility tree in evidence has.
const MAX_NAMES: usize = 120;

/// How maps are checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long what should be on a page may take to come after its document.
    pub patience: Duration,
    /// How often a page is looked at again before a failure is reported.
    pub confirm: u32,
    /// Cookies and storage of every page.
    pub identity: Option<StorageState>,
    /// Whether pictures are taken.
    pub pictures: bool,
    /// Whether a new lock is made. Every page is then looked at twice: what differs between two looks is not locked.
    pub update_lock: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(3),
            confirm: 0,
            identity: None,
            pictures: false,
            update_lock: false,
        }
    }
}

/// Where pages come from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// The site itself. The pages are those that recordings of the map name, if there are any.
    #[default]
    Live,
    /// Recordings.
    Recorded(Vec<Recording>),
}

/// Checks one map.
pub struct Checker<'c> {
    /// The browser. Contexts are opened in it and closed again.
    pub browser: &'c dyn Browser,
    /// The map.
    pub engine: &'c Engine,
    /// What the map is called in results.
    pub name: String,
    /// What is known of its targets.
    pub lock: &'c Lock,
    /// Where pages come from.
    pub source: &'c Source,
    /// The page that calls start on, instead of the one that the map names.
    pub start: Option<String>,
    /// Addresses that are looked at besides, as far as the map may go there.
    pub also: Vec<String>,
    /// How it is checked.
    pub options: &'c Options,
}

/// What a check of one map gave.
#[derive(Debug)]
pub struct Checked {
    /// The results, declared checks first.
    pub results: Vec<CheckResult>,
    /// The lock after this look, if one was asked for.
    pub lock: Option<Lock>,
    /// Pictures of the pages, by the keys of the pages.
    pub pictures: BTreeMap<String, Vec<u8>>,
}

/// What one page said about one thing.
#[derive(Debug)]
enum Said {
    Passed(CheckResult),
    Failed(CheckResult),
    Open(CheckResult),
}

/// What is known about one map while it is checked.
struct Known<'k> {
    targets: Vec<Target>,
    checks: Vec<Check<'k>>,
    origin: Option<String>,
    login: Option<String>,
}

impl Checker<'_> {
    /// Checks the map. It always gives results: what goes wrong is one of them.
    pub async fn check(&self) -> Checked {
        let manifest = self.engine.manifest();
        let changes = |tool: &str| self.engine.plan(tool).is_ok_and(|plan| plan.effect() != Effect::Read);
        let root = manifest.root();
        let surface = root.surface();
        let known = Known {
            targets: targets(manifest, changes),
            checks: checks(manifest),
            origin: surface.and_then(|surface| surface.origin.as_ref()).map(|origin| origin.value.clone()),
            login: root
                .x_actions
                .as_ref()
                .and_then(|actions| actions.login_state.as_ref())
                .map(|state| state.value.clone()),
        };
        let mut work = Work::new(self, &known);
        let mut stops = self.stops(&known);
        let mut next = 0;
        while let Some(stop) = stops.get(next).cloned() {
            next += 1;
            let (url, states) = work.visit(&stop).await;
            if stop.tools.is_empty() && stops.len() < MAX_STOPS {
                stops.extend(self.led_to(&stop, &url, &states));
            }
        }
        work.finish()
    }

    /// The pages to look at: where calls start, where checks are made, and what was recorded.
    fn stops(&self, known: &Known<'_>) -> Vec<Stop> {
        let start = self.start.clone().or_else(|| self.engine.start_url());
        let mut stops: Vec<Stop> = Vec::new();
        let mut add = |url: String, archive: Option<Arc<Archive>>, is_start: bool, check: Option<usize>| {
            let same = stops.iter_mut().find(|stop| same_page(&stop.url, &url));
            if let Some(stop) = same {
                stop.checks.extend(check);
                stop.is_start |= is_start;
            } else if stops.len() < MAX_STOPS {
                let checks = check.into_iter().collect();
                stops.push(Stop { url, archive, tools: Vec::new(), checks, is_start });
            }
        };
        let archive_of = |url: &str| match self.source {
            Source::Live => None,
            Source::Recorded(recordings) => {
                let holds = |recording: &&Recording| recording.pages.iter().any(|page| same_page(page, url));
                let holding = recordings.iter().find(holds).or(recordings.first());
                holding.map(|recording| Arc::clone(&recording.archive))
            }
        };
        if let Some(start) = &start {
            add(start.clone(), archive_of(start), true, None);
        }
        for (number, check) in known.checks.iter().enumerate() {
            let url = check.item.url.as_ref().map(|url| absolute(&url.value, known.origin.as_deref()));
            if let Some(url) = url.or_else(|| start.clone()) {
                let archive = archive_of(&url);
                add(url, archive, false, Some(number));
            }
        }
        if let Source::Recorded(recordings) = self.source {
            for Recording { archive, pages } in recordings {
                for page in pages {
                    add(page.clone(), Some(Arc::clone(archive)), false, None);
                }
            }
        }
        for url in &self.also {
            add(url.clone(), archive_of(url), false, None);
        }
        stops
    }

    /// The pages that transitions lead to from here, through tools that change nothing and take no arguments.
    fn led_to(&self, stop: &Stop, url: &str, states: &[String]) -> Vec<Stop> {
        let root = self.engine.manifest().root();
        let mut led = Vec::new();
        for transition in &root.transitions {
            let Some(tool) = transition.tool.as_ref().map(|tool| tool.value.clone()) else { continue };
            let starts_here = transition.from.0.iter().any(|state| states.contains(&state.value.to_string()));
            let leads_away = transition.to.0.iter().any(|state| !states.contains(&state.value.to_string()));
            let is_known = led.iter().any(|stop: &Stop| stop.tools.contains(&tool));
            if !starts_here || !leads_away || is_known {
                continue;
            }
            let harmless = self.engine.plan(&tool).is_ok_and(|plan| {
                plan.effect() == Effect::Read && plan.can_perform().is_ok() && plan.accept(json!({})).is_ok()
            });
            if harmless {
                let archive = stop.archive.clone();
                led.push(Stop {
                    url: url.to_owned(),
                    archive,
                    tools: vec![tool],
                    checks: Vec::new(),
                    is_start: false,
                });
            }
        }
        led
    }
}

/// A map that is being checked.
struct Work<'w> {
    checker: &'w Checker<'w>,
    known: &'w Known<'w>,
    /// What was said of each declared check.
    checks: Vec<Option<Said>>,
    /// What was said of each target, the worst first.
    targets: Vec<Option<Said>>,
    seen: Vec<Seen>,
    pages: BTreeMap<String, LockedPage>,
    pictures: BTreeMap<String, Vec<u8>>,
}

impl<'w> Work<'w> {
    fn new(checker: &'w Checker<'w>, known: &'w Known<'w>) -> Self {
        Self {
            checker,
            known,
            checks: known.checks.iter().map(|_| None).collect(),
            targets: known.targets.iter().map(|_| None).collect(),
            seen: Vec::new(),
            pages: BTreeMap::new(),
            pictures: BTreeMap::new(),
        }
    }

    /// Looks at a page, again if something failed and failures are to be confirmed, and keeps what it said. Returns the
    /// address and the current states.
    async fn visit(&mut self, stop: &Stop) -> (String, Vec<String>) {
        let confirm = self.checker.options.confirm;
        let mut attempt = 0;
        let (judged, sight) = loop {
            attempt += 1;
            let begun = Instant::now();
            let sight = self.look(stop).await;
            let judged = self.judge(stop, &sight, attempt, begun);
            let failed = judged.iter().any(|(_, said)| !matches!(said, Said::Passed(_)));
            if !failed || attempt > confirm {
                break (judged, sight);
            }
        };
        for (about, said) in judged {
            let (slot, worse) = match about {
                About::Check(number) => (&mut self.checks[number], true),
                About::Target(number) => (&mut self.targets[number], false),
            };
            let rank = |said: &Said| match said {
                Said::Failed(_) => 2,
                Said::Passed(_) => 1,
                Said::Open(_) => 0,
            };
            if worse || slot.as_ref().is_none_or(|known| rank(&said) > rank(known)) {
                *slot = Some(said);
            }
        }
        match sight {
            Sight::Page(look) => {
                if self.checker.options.update_lock {
                    self.remember(stop, &look).await;
                }
                if let Some(picture) = &look.picture {
                    self.pictures.insert(self.key(&look.url), picture.clone());
                }
                (look.url.clone(), look.states.clone())
            }
            Sight::Wall(_, url) => (url, Vec::new()),
            Sight::Nothing(_) => (stop.url.clone(), Vec::new()),
        }
    }

    async fn look(&self, stop: &Stop) -> Sight {
        let Checker { browser, engine, options, .. } = *self.checker;
        let visitor = Visitor {
            browser,
            engine,
            targets: &self.known.targets,
            checks: &self.known.checks,
            patience: options.patience,
            identity: options.identity.as_ref(),
            pictures: options.pictures,
        };
        let due = |url: &str, states: &[String]| self.due(stop, url, states);
        let lost = |at: usize, seen: &Sighting| self.changed(&self.known.targets[at], seen, "").is_some();
        visitor.look(stop, &due, &lost).await
    }

    fn key(&self, url: &str) -> String {
        page_key(url, self.known.origin.as_deref())
    }

    /// Which targets must be on a page.
    fn due(&self, stop: &Stop, url: &str, states: &[String]) -> Vec<bool> {
        let key = self.key(url);
        let is_due = |target: &Target| {
            let applies = target.applies(url, states);
            let locked = self.checker.lock.target(target).is_some_and(|locked| locked.pages.contains(&key));
            let claimed = target.firm && (target.is_bound() || stop.is_start) && stop.tools.is_empty();
            applies && (locked || claimed)
        };
        self.known.targets.iter().map(is_due).collect()
    }

    /// Why what a target matches is not what the lock knows.
    fn changed(&self, target: &Target, seen: &Sighting, language: &str) -> Option<(ErrorCode, String)> {
        let locked = self.checker.lock.target(target)?;
        let first = seen.first.as_ref()?;
        let before = locked.pages.first().and_then(|page| self.checker.lock.page(page));
        let translated = before.is_some_and(|page| !language.is_empty() && page.language != language);
        let mark = Mark::of(first);
        if locked.matched > 1 {
            // Which of several comes first is a matter of what they list today.
            let other = locked.mark.role != mark.role && locked.mark.tag != mark.tag;
            return other
                .then(|| (ErrorCode::IdentityDrift, "what it lists are other elements now".to_owned()));
        }
        if let Some(why) = other_identity(&locked.mark, &mark, translated) {
            return Some((ErrorCode::IdentityDrift, why));
        }
        let twin = seen
            .second
            .as_ref()
            .map(Mark::of)
            .filter(|twin| twin.role == mark.role && twin.name == mark.name && is_operable(&mark.role));
        twin.map(|_| {
            let message = format!("{} elements match what matched one", seen.attached);
            (ErrorCode::MultipleTargets, message)
        })
    }

    /// What a look at a page says about the checks and targets that concern it.
    fn judge(&self, stop: &Stop, sight: &Sight, attempt: u32, begun: Instant) -> Vec<(About, Said)> {
        let result = Blank {
            map: &self.checker.name,
            attempts: attempt,
            duration: begun.elapsed(),
            observed_at: Timestamp::from_unix_millis(self.checker.browser.clock().unix_millis()),
        };
        match sight {
            Sight::Page(look) => self.judge_page(stop, look, &result),
            Sight::Wall(wall, url) => self.judge_wall(stop, wall, url, &result),
            Sight::Nothing(error) => self.judge_nothing(stop, error, &result),
        }
    }

    /// The page did not open, for a reason of its own.
    fn judge_wall(&self, stop: &Stop, wall: &Wall, url: &str, result: &Blank<'_>) -> Vec<(About, Said)> {
        let key = self.key(&stop.url);
        let concerned = |target: &Target| {
            let locked = self.checker.lock.target(target).is_some_and(|locked| locked.pages.contains(&key));
            locked || (stop.is_start && target.firm && target.locator.is_some())
        };
        let mut judged = Vec::new();
        for number in &stop.checks {
            let check = &self.known.checks[*number];
            let blank = result.declared(check, url);
            judged.push((About::Check(*number), walled(wall, blank)));
        }
        for (number, target) in self.known.targets.iter().enumerate().filter(|(_, target)| concerned(target))
        {
            judged.push((About::Target(number), walled(wall, result.target(target, url))));
        }
        judged
    }

    /// The look itself went wrong.
    fn judge_nothing(&self, stop: &Stop, error: &CallError, result: &Blank<'_>) -> Vec<(About, Said)> {
        let status = match error.code {
            ErrorCode::ReplayMiss | ErrorCode::UnsafeState => Status::Skipped,
            ErrorCode::AuthLost => Status::AuthLost,
            _ if !stop.tools.is_empty() => return Vec::new(),
            _ => Status::Error,
        };
        let said = |blank: CheckResult| {
            Said::Open(CheckResult { status, error: Some(error.to_error_object()), ..blank })
        };
        let checks = stop.checks.iter().map(|number| {
            (About::Check(*number), said(result.declared(&self.known.checks[*number], &stop.url)))
        });
        let is_start = stop.is_start && status != Status::Skipped;
        let targets = self.known.targets.iter().enumerate().filter(|_| is_start);
        let targets =
            targets.map(|(number, target)| (About::Target(number), said(result.target(target, &stop.url))));
        checks.chain(targets).collect()
    }

    fn judge_page(&self, stop: &Stop, look: &Look, result: &Blank<'_>) -> Vec<(About, Said)> {
        let due = self.due(stop, &look.url, &look.states);
        let key = self.key(&look.url);
        let before = self.checker.lock.page(&key);
        let language = look.facts.language.as_str();
        let translated = before.is_some_and(|before| !language.is_empty() && before.language != language);
        let wall = self.wall(stop, look, &due, before);
        let mut judged = Vec::new();
        for (number, verdicts) in &look.checks {
            let check = &self.known.checks[*number];
            let said = self.judge_check(check, verdicts, look, wall.as_ref(), before, translated, result);
            judged.push((About::Check(*number), said));
        }
        for (number, target) in self.known.targets.iter().enumerate() {
            let blank = result.target(target, &look.url);
            let said = match &look.targets[number] {
                None => continue,
                Some(Err(_)) if !due[number] => continue,
                Some(Err(failure)) => {
                    let error = CallError::from(failure.clone()).to_error_object();
                    match &wall {
                        Some(wall) => walled(wall, blank),
                        None => {
                            Said::Failed(CheckResult { status: Status::Failed, error: Some(error), ..blank })
                        }
                    }
                }
                Some(Ok(seen)) if seen.attached == 0 && !due[number] => continue,
                Some(Ok(seen)) => {
                    let problem = self.problem(target, seen, language);
                    match (problem, &wall) {
                        (None, Some(wall)) if due[number] && seen.covered_by.is_some() => walled(wall, blank),
                        (None, _) => Said::Passed(CheckResult { evidence: evidence_of(seen), ..blank }),
                        (Some(_), Some(wall)) => walled(wall, blank),
                        (Some(problem), None) => {
                            Said::Failed(self.failed(target, seen, problem, look, before, translated, blank))
                        }
                    }
                }
            };
            judged.push((About::Target(number), said));
        }
        judged
    }

    /// What is wrong with what a target matches.
    fn problem(&self, target: &Target, seen: &Sighting, language: &str) -> Option<(ErrorCode, String)> {
        if seen.attached == 0 {
            return Some((ErrorCode::TargetNotFound, "nothing on the page matches it any more".to_owned()));
        }
        if let Some(problem) = self.changed(target, seen, language) {
            return Some(problem);
        }
        let locked = self.checker.lock.target(target);
        let fell_back = seen.matched_by == "fallback_selectors"
            && locked.is_none_or(|locked| locked.matched_by != seen.matched_by);
        let selector = seen.matched_selector.as_deref().unwrap_or_default();
        fell_back.then(|| {
            (ErrorCode::DriftDetected, format!("only its fallback selector `{selector}` matches any more"))
        })
    }

    #[expect(clippy::too_many_arguments, reason = "what is known about one failure")]
    fn failed(
        &self,
        target: &Target,
        seen: &Sighting,
        (code, why): (ErrorCode, String),
        look: &Look,
        before: Option<&LockedPage>,
        translated: bool,
        blank: CheckResult,
    ) -> CheckResult {
        let message = format!("{}: {why}", target.owner);
        // By the scale of the format, a target that names the wrong element is a major drift.
        let severity = match code {
            ErrorCode::IdentityDrift if target.mutating => Severity::Critical,
            ErrorCode::IdentityDrift => Severity::Major,
            _ => Severity::Minor,
        };
        let mut evidence = evidence_of(seen);
        if let Some(locked) = self.checker.lock.target(target) {
            evidence
                .insert("locked".to_owned(), json!({ "role": locked.mark.role, "name": locked.mark.name }));
        }
        let proposals = self.proposals(target, look, before, translated);
        CheckResult {
            status: Status::Failed,
            severity,
            error: Some(ErrorObject::new(code, message)),
            evidence,
            proposals,
            ..blank
        }
    }

    fn proposals(
        &self,
        target: &Target,
        look: &Look,
        before: Option<&LockedPage>,
        translated: bool,
    ) -> Vec<Proposal> {
        let Some(locked) = self.checker.lock.target(target) else { return Vec::new() };
        propose(target, locked, before, &look.candidates, translated).into_iter().collect()
    }

    #[expect(clippy::too_many_arguments, reason = "what is known about one check")]
    fn judge_check(
        &self,
        check: &Check<'_>,
        verdicts: &[Verdict],
        look: &Look,
        wall: Option<&Wall>,
        before: Option<&LockedPage>,
        translated: bool,
        result: &Blank<'_>,
    ) -> Said {
        let blank = result.declared(check, &look.url);
        let covered = verdicts
            .iter()
            .any(|verdict| verdict.seen.as_ref().is_some_and(|seen| seen.covered_by.is_some()));
        let Some(place) = verdicts.iter().position(|verdict| verdict.unmet.is_some()) else {
            return match (wall, self.mistaken(check, verdicts, look)) {
                (Some(wall), _) if covered => walled(wall, blank),
                (_, Some((number, message))) => {
                    let mut error = ErrorObject::new(ErrorCode::IdentityDrift, message);
                    error.extra.insert("assertion".to_owned(), json!(check.assertions[number].pointer));
                    let evidence = stored(check, verdicts, look);
                    Said::Failed(CheckResult {
                        status: Status::Failed,
                        error: Some(error),
                        evidence,
                        ..blank
                    })
                }
                _ => Said::Passed(blank),
            };
        };
        if let Some(wall) = wall {
            return walled(wall, blank);
        }
        let Some(unmet) = &verdicts[place].unmet else { return Said::Passed(blank) };
        let assertion = &check.assertions[place];
        let mut error = ErrorObject::new(unmet.code, unmet.message.clone());
        error.evidence = Some(unmet.evidence.clone()).filter(|evidence| !evidence.is_empty());
        error.next_step = check
            .item
            .on_fail
            .as_ref()
            .and_then(|on_fail| on_fail.contingency.as_ref())
            .map(|contingency| contingency.to_string());
        error.extra.insert("assertion".to_owned(), json!(assertion.pointer));
        let same = |target: &&Target| Some(&target.pointer) == assertion.target_pointer.as_ref();
        let target = self.known.targets.iter().find(same);
        let proposals =
            target.map(|target| self.proposals(target, look, before, translated)).unwrap_or_default();
        let evidence = stored(check, verdicts, look);
        Said::Failed(CheckResult { status: Status::Failed, error: Some(error), evidence, proposals, ..blank })
    }

    /// The first assertion that holds for an element other than the one that the lock knows.
    fn mistaken(&self, check: &Check<'_>, verdicts: &[Verdict], look: &Look) -> Option<(usize, String)> {
        check.assertions.iter().zip(verdicts).enumerate().find_map(|(number, (assertion, verdict))| {
            let pointer = assertion.target_pointer.as_ref()?;
            let target = self.known.targets.iter().find(|target| target.pointer == *pointer)?;
            let (code, why) = self.changed(target, verdict.seen.as_ref()?, &look.facts.language)?;
            let message = format!("the target of assertion {}: {why}", number + 1);
            (code == ErrorCode::IdentityDrift).then_some((number, message))
        })
    }

    /// What stands in front of the page, if anything is missing on it.
    fn wall(&self, stop: &Stop, look: &Look, due: &[bool], before: Option<&LockedPage>) -> Option<Wall> {
        let wanted = look.checks.iter().flat_map(|(number, verdicts)| {
            let assertions = &self.known.checks[*number].assertions;
            assertions.iter().zip(verdicts).filter(|(assertion, _)| assertion.wants_element())
        });
        let (mut missing, mut covered, mut all) = (0, 0, 0);
        for (_, verdict) in wanted {
            all += 1;
            missing += usize::from(verdict.seen.as_ref().is_none_or(|seen| seen.attached == 0));
            covered += usize::from(verdict.seen.as_ref().is_some_and(|seen| seen.covered_by.is_some()));
        }
        for (number, _) in due.iter().enumerate().filter(|(_, due)| **due) {
            let Some(seen) = &look.targets[number] else { continue };
            all += 1;
            match seen {
                Ok(seen) => {
                    missing += usize::from(seen.attached == 0);
                    covered += usize::from(seen.covered_by.is_some());
                }
                Err(_) => missing += 1,
            }
        }
        let unmet =
            look.checks.iter().flat_map(|(_, verdicts)| verdicts).any(|verdict| verdict.unmet.is_some());
        if missing == 0 && covered == 0 && !unmet {
            return None;
        }
        let login = self.known.login.as_ref();
        in_front(&Situation {
            facts: &look.facts,
            asked: &stop.url,
            before,
            shows_login: login.is_some_and(|login| look.states.contains(login)),
            missing,
            covered,
            due: all,
        })
    }

    /// Keeps what a page shows for the lock. It is looked at once more: what differs is not kept.
    async fn remember(&mut self, stop: &Stop, look: &Look) {
        let Sight::Page(again) = self.look(stop).await else { return };
        let key = self.key(&look.url);
        if key != self.key(&again.url) {
            return;
        }
        let page = LockedPage {
            language: look.facts.language.clone(),
            operable: operable(&look.facts.operable, &again.facts.operable),
        };
        self.pages.insert(key.clone(), page);
        for (number, target) in self.known.targets.iter().enumerate() {
            let marked = |look: &Look| match &look.targets[number] {
                Some(Ok(seen)) => self.locked(target, seen, &key),
                _ => None,
            };
            let (Some(first), Some(second)) = (marked(look), marked(&again)) else { continue };
            let locked = first.steadied(Some(&second));
            match self.seen.iter_mut().find(|seen| seen.pointer == target.pointer) {
                Some(seen) if !seen.locked.pages.contains(&key) => seen.locked.pages.push(key.clone()),
                Some(_) => {}
                None => self.seen.push(Seen { pointer: target.pointer.clone(), locked }),
            }
        }
    }

    fn locked(&self, target: &Target, seen: &Sighting, key: &str) -> Option<LockedTarget> {
        let mark = Mark::of(seen.first.as_ref()?);
        Some(LockedTarget {
            digest: target.digest(),
            pages: vec![key.to_owned()],
            matched: seen.attached.min(2),
            matched_by: seen.matched_by.clone(),
            frame: target.descriptor.get("frame").map(Value::to_string),
            mark,
        })
    }

    fn finish(self) -> Checked {
        let Self { checker, known, checks, targets, mut seen, pages, pictures } = self;
        let now = Timestamp::from_unix_millis(checker.browser.clock().unix_millis());
        let result = Blank { map: &checker.name, attempts: 0, duration: Duration::ZERO, observed_at: now };
        let said = |said: Option<Said>, skipped: &dyn Fn() -> CheckResult| match said {
            Some(Said::Passed(result) | Said::Failed(result) | Said::Open(result)) => result,
            None => skipped(),
        };
        let mut results = Vec::with_capacity(checks.len() + targets.len());
        for (check, what) in known.checks.iter().zip(checks) {
            let skipped = || skipped(result.declared(check, ""), "the map names no page to make it on");
            results.push(said(what, &skipped));
        }
        for (target, what) in known.targets.iter().zip(targets).filter(|(target, _)| !target.declared) {
            let skipped = || skipped(result.target(target, ""), why_skipped(target));
            results.push(said(what, &skipped));
        }
        for seen in &mut seen {
            seen.locked.pages.sort();
        }
        let lock = checker.options.update_lock.then(|| checker.lock.updated(&known.targets, seen, pages));
        Checked { results, lock, pictures }
    }
}

/// What a result is about, by number.
#[derive(Clone, Copy, Debug)]
enum About {
    Check(usize),
    Target(usize),
}

/// What all results of one look have in common.
struct Blank<'b> {
    map: &'b str,
    attempts: u32,
    duration: Duration,
    observed_at: Timestamp,
}

impl Blank<'_> {
    fn declared(&self, check: &Check<'_>, url: &str) -> CheckResult {
        let id = check.id.clone();
        let blank = self.of(id, Kind::Declared, check.item.severity, url);
        let evidence = [("pointer", check.pointer.as_str())];
        CheckResult {
            evidence: evidence.map(|(key, value)| (key.to_owned(), json!(value))).into_iter().collect(),
            ..blank
        }
    }

    fn target(&self, target: &Target, url: &str) -> CheckResult {
        let blank = self.of(target.pointer.clone(), Kind::Target, Severity::Minor, url);
        let mut evidence = Map::new();
        evidence.insert("about".to_owned(), json!(target.owner));
        CheckResult { evidence, ..blank }
    }

    fn of(&self, check_id: String, kind: Kind, severity: Severity, url: &str) -> CheckResult {
        CheckResult {
            map: self.map.to_owned(),
            check_id,
            kind,
            status: Status::Passed,
            severity,
            observed_at: self.observed_at.clone(),
            url: url.to_owned(),
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            attempts: self.attempts,
            evidence: Map::new(),
            error: None,
            proposals: Vec::new(),
        }
    }
}

fn walled(wall: &Wall, blank: CheckResult) -> Said {
    let error = Some(ErrorObject::new(wall.code, wall.message.clone()));
    let result = CheckResult { status: wall.status, error, ..blank };
    if wall.status == Status::Failed { Said::Failed(result) } else { Said::Open(result) }
}

fn skipped(blank: CheckResult, why: &str) -> CheckResult {
    let mut evidence = blank.evidence.clone();
    evidence.insert("skipped".to_owned(), json!(why));
    CheckResult { status: Status::Skipped, evidence, ..blank }
}

fn why_skipped(target: &Target) -> &'static str {
    match &target.locator {
        None => "which element it names is computed from the input of a call",
        Some(_) if target.is_bound() => "no page that was looked at is one where it applies",
        Some(_) => "no page that was looked at shows it; reaching it may change something",
    }
}

/// What a target matched, in short.
fn evidence_of(seen: &Sighting) -> Map<String, Value> {
    let mut evidence = Map::new();
    evidence.insert("matched".to_owned(), json!(seen.attached));
    evidence.insert("matched_by".to_owned(), json!(seen.matched_by));
    if let Some(first) = &seen.first {
        evidence.insert(
            "element".to_owned(),
            json!({ "tag": first.tag, "role": first.role, "name": first.name }),
        );
        evidence.insert("rect".to_owned(), json!(first.rect));
    }
    if seen.identity == "unconfirmed" {
        evidence.insert("identity".to_owned(), json!("unconfirmed"));
    }
    evidence
}

/// The evidence that a check asks for. Pictures are kept as files by the caller.
fn stored(check: &Check<'_>, verdicts: &[Verdict], look: &Look) -> Map<String, Value> {
    let mut evidence = Map::new();
    let wanted =
        check.item.on_fail.as_ref().map(|on_fail| on_fail.store_evidence.as_slice()).unwrap_or_default();
    for kind in wanted {
        let kept = match kind {
            Evidence::Url => json!(look.url),
            Evidence::Title => json!(look.facts.title),
            Evidence::SelectorCounts => verdicts
                .iter()
                .map(|verdict| {
                    verdict
                        .seen
                        .as_ref()
                        .map(|seen| json!({ "matched": seen.attached, "rendered": seen.rendered }))
                })
                .collect(),
            Evidence::AccessibilityTree | Evidence::A11yTree => {
                let lines: Vec<&String> = look.facts.operable.iter().take(MAX_NAMES).collect();
                json!(lines)
            }
            Evidence::Projection => verdicts.iter().filter_map(|verdict| verdict.state.clone()).collect(),
            Evidence::DomSnapshot => json!(look.text),
            Evidence::Console => json!(look.reports.console),
            Evidence::Network => json!(look.reports.requests),
            // It is a file of its own.
            Evidence::Screenshot => continue,
        };
        evidence.insert(kind.as_str().to_owned(), kept);
    }
    evidence.insert("pointer".to_owned(), json!(check.pointer));
    evidence
}

/// Whether two addresses are those of one page: a fragment makes no other page, and neither does a missing path.
fn same_page(one: &str, other: &str) -> bool {
    let page = |url: &str| url.split('#').next().unwrap_or(url).trim_end_matches('/').to_owned();
    page(one) == page(other)
}

/// The address of a check, which may be relative to the origin of the map.
fn absolute(url: &str, origin: Option<&str>) -> String {
    match origin.filter(|_| url.starts_with('/')) {
        Some(origin) => format!("{origin}{url}"),
        None => url.to_owned(),
    }
}
