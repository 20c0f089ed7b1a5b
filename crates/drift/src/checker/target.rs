//! Judges what a target matches.

use actions_engine::{ErrorCode, ErrorObject};
use actions_primitives::Sighting;
use actions_protocol::Severity;
use serde_json::json;

use super::evidence::evidence_of;
use super::work::Work;
use crate::likeness::other_identity;
use crate::lock::LockedPage;
use crate::mark::{Mark, is_operable};
use crate::repair::{Proposal, propose};
use crate::result::CheckResult;
use crate::status::Status;
use crate::target::Target;
use crate::visit::Look;

impl Work<'_> {
    /// Why what a target matches is not what the lock knows.
    pub(super) fn changed(
        &self,
        target: &Target,
        seen: &Sighting,
        language: &str,
    ) -> Option<(ErrorCode, String)> {
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

    /// What is wrong with what a target matches.
    pub(super) fn problem(
        &self,
        target: &Target,
        seen: &Sighting,
        language: &str,
    ) -> Option<(ErrorCode, String)> {
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
    pub(super) fn failed(
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

    pub(super) fn proposals(
        &self,
        target: &Target,
        look: &Look,
        before: Option<&LockedPage>,
        translated: bool,
    ) -> Vec<Proposal> {
        let Some(locked) = self.checker.lock.target(target) else { return Vec::new() };
        propose(target, locked, before, &look.candidates, translated).into_iter().collect()
    }
}
