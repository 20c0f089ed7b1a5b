//! Keeps what a page shows for the lock.

use actions_primitives::Sighting;
use serde_json::Value;

use super::work::Work;
use crate::lock::{LockedPage, LockedTarget, Seen, operable};
use crate::mark::Mark;
use crate::target::Target;
use crate::visit::{Look, Sight, Stop};

impl Work<'_> {
    /// Keeps what a page shows for the lock. It is looked at once more: what differs is not kept.
    pub(super) async fn remember(&mut self, stop: &Stop, look: &Look) {
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
}
