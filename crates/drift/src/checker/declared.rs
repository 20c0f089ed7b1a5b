//! Judges the checks that the map declares.

use actions_engine::{ErrorCode, ErrorObject};
use serde_json::json;

use super::blank::{Blank, walled};
use super::evidence::stored;
use super::said::Said;
use super::work::Work;
use crate::assertion::Check;
use crate::lock::LockedPage;
use crate::result::CheckResult;
use crate::status::Status;
use crate::target::Target;
use crate::visit::{Look, Verdict};
use crate::wall::Wall;

impl Work<'_> {
    #[expect(clippy::too_many_arguments, reason = "what is known about one check")]
    pub(super) fn judge_check(
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
}
