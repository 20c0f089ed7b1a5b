//! What a look at a page says about the checks and targets that concern it.

use std::time::Instant;

use actions_engine::{CallError, ErrorCode};
use actions_protocol::Timestamp;

use super::blank::{Blank, walled};
use super::evidence::evidence_of;
use super::said::{About, Said};
use super::work::Work;
use crate::lock::LockedPage;
use crate::result::CheckResult;
use crate::status::Status;
use crate::target::Target;
use crate::visit::{Look, Sight, Stop};
use crate::wall::{Situation, Wall, in_front};

impl Work<'_> {
    /// What a look at a page says about the checks and targets that concern it.
    pub(super) fn judge(
        &self,
        stop: &Stop,
        sight: &Sight,
        attempt: u32,
        begun: Instant,
    ) -> Vec<(About, Said)> {
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
}
