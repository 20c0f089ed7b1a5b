//! A map that is being checked.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use actions_primitives::Sighting;
use actions_protocol::Timestamp;

use super::blank::{Blank, skipped, why_skipped};
use super::said::{About, Said};
use super::{Checked, Checker, Known};
use crate::lock::{LockedPage, Seen, page_key};
use crate::result::CheckResult;
use crate::target::Target;
use crate::visit::{Sight, Stop, Visitor};

/// A map that is being checked.
pub(super) struct Work<'w> {
    pub(super) checker: &'w Checker<'w>,
    pub(super) known: &'w Known<'w>,
    /// What was said of each declared check.
    checks: Vec<Option<Said>>,
    /// What was said of each target, the worst first.
    targets: Vec<Option<Said>>,
    pub(super) seen: Vec<Seen>,
    pub(super) pages: BTreeMap<String, LockedPage>,
    pictures: BTreeMap<String, Vec<u8>>,
}

impl<'w> Work<'w> {
    pub(super) fn new(checker: &'w Checker<'w>, known: &'w Known<'w>) -> Self {
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
    pub(super) async fn visit(&mut self, stop: &Stop) -> (String, Vec<String>) {
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
                    self.pictures.insert(look.url.clone(), picture.clone());
                }
                (look.url.clone(), look.states.clone())
            }
            Sight::Wall(_, url) => (url, Vec::new()),
            Sight::Nothing(_) => (stop.url.clone(), Vec::new()),
        }
    }

    pub(super) async fn look(&self, stop: &Stop) -> Sight {
        let Checker { browser, engine, options, .. } = *self.checker;
        let visitor = Visitor {
            browser,
            engine,
            targets: &self.known.targets,
            checks: &self.known.checks,
            patience: options.patience,
            context: &options.context,
            identity: options.identity.as_ref(),
            pictures: options.pictures,
            steady: options.steady,
            locale: options.locale.clone(),
            tolerance: &options.tolerance,
        };
        let due = |url: &str, states: &[String]| self.due(stop, url, states);
        let lost = |at: usize, seen: &Sighting| self.changed(&self.known.targets[at], seen, "").is_some();
        visitor.look(stop, &due, &lost).await
    }

    pub(super) fn key(&self, url: &str) -> String {
        page_key(url, self.known.origin.as_deref())
    }

    /// Which targets must be on a page.
    pub(super) fn due(&self, stop: &Stop, url: &str, states: &[String]) -> Vec<bool> {
        let key = self.key(url);
        let is_due = |target: &Target| {
            let applies = target.applies(url, states);
            let locked = self.checker.lock.target(target).is_some_and(|locked| locked.pages.contains(&key));
            let claimed = target.firm && (target.is_bound() || stop.is_start) && stop.tools.is_empty();
            applies && (locked || claimed)
        };
        self.known.targets.iter().map(is_due).collect()
    }

    pub(super) fn finish(self) -> Checked {
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
        if let Some(only) = checker.only {
            results.retain(|result| result.check_id == only);
        }
        for seen in &mut seen {
            seen.locked.pages.sort();
        }
        let lock = checker.options.update_lock.then(|| checker.lock.updated(&known.targets, seen, pages));
        Checked { results, lock, pictures }
    }
}
