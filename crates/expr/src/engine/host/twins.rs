//! Tells equal objects apart while a transform changes some of them.
//!
//! The engine finds the objects that a transform is to change by their value, so it would change their equals too. Each
//! object that has an equal gets a number of its own before, and loses it afterwards.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use jsonata_core::value::{JMap, JValue, with_stack};

use super::arguments::Arguments;
use super::{Outcome, PREFIX, Runtime};

/// The key of the number.
fn mark() -> String {
    format!("{PREFIX}twin")
}

/// Numbers the objects that have an equal.
pub(super) fn twinned(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    if !matches!(value, JValue::Array(_) | JValue::Object(_)) {
        return Ok(value.clone());
    }
    runtime.meter.charge(runtime.meter.measure(value)?)?;
    let mut seen = Seen::default();
    seen.digest(value);
    if !seen.counts.values().any(|count| *count > 1) {
        return Ok(value.clone());
    }
    Ok(Numbering { seen: &seen, objects: 0, mark: mark() }.number(value))
}

/// Takes the numbers off again.
pub(super) fn untwinned(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    Ok(without(arguments.get(0), &mark()))
}

/// The objects of a value, in the order in which a walk ends with them.
#[derive(Default)]
struct Seen {
    digests: Vec<u64>,
    /// How many objects have a digest. Two that differ may share one: then both get a number, which does no harm.
    counts: HashMap<u64, usize>,
}

impl Seen {
    fn digest(&mut self, value: &JValue) -> u64 {
        with_stack(|| {
            let mut hasher = DefaultHasher::new();
            match value {
                JValue::Undefined => 0_u8.hash(&mut hasher),
                JValue::Null => 1_u8.hash(&mut hasher),
                JValue::Bool(truth) => (2_u8, truth).hash(&mut hasher),
                // Both zeros are equal.
                JValue::Number(number) => (3_u8, (number + 0.0).to_bits()).hash(&mut hasher),
                JValue::String(text) => (4_u8, &**text).hash(&mut hasher),
                JValue::Array(items) => {
                    (5_u8, items.len()).hash(&mut hasher);
                    items.iter().for_each(|item| self.digest(item).hash(&mut hasher));
                }
                JValue::Object(members) => {
                    // Objects are equal whatever the order of their keys.
                    let all = members.iter().fold(0_u64, |all, (key, member)| {
                        let mut own = DefaultHasher::new();
                        (key, self.digest(member)).hash(&mut own);
                        all.wrapping_add(own.finish())
                    });
                    (6_u8, members.len(), all).hash(&mut hasher);
                    let digest = hasher.finish();
                    self.digests.push(digest);
                    *self.counts.entry(digest).or_default() += 1;
                }
                _ => 7_u8.hash(&mut hasher),
            }
            hasher.finish()
        })
    }
}

/// A second walk, which goes the same way.
struct Numbering<'s> {
    seen: &'s Seen,
    /// How many objects it has left behind.
    objects: usize,
    mark: String,
}

impl Numbering<'_> {
    fn number(&mut self, value: &JValue) -> JValue {
        with_stack(|| match value {
            JValue::Array(items) => JValue::array(items.iter().map(|item| self.number(item)).collect()),
            JValue::Object(members) => {
                let mut numbered: JMap =
                    members.iter().map(|(key, member)| (key.clone(), self.number(member))).collect();
                let digest = self.seen.digests.get(self.objects);
                self.objects += 1;
                if digest.is_some_and(|digest| self.seen.counts[digest] > 1) {
                    #[expect(clippy::cast_precision_loss, reason = "there are fewer objects than that")]
                    numbered.insert(self.mark.clone(), JValue::Number(self.objects as f64));
                }
                JValue::Object(Rc::new(numbered))
            }
            other => other.clone(),
        })
    }
}

/// A value without the numbers.
fn without(value: &JValue, mark: &str) -> JValue {
    with_stack(|| match value {
        JValue::Array(items) => JValue::array(items.iter().map(|item| without(item, mark)).collect()),
        JValue::Object(members) => {
            let members = members.iter().filter(|(key, _)| *key != mark);
            JValue::Object(Rc::new(
                members.map(|(key, member)| (key.clone(), without(member, mark))).collect(),
            ))
        }
        other => other.clone(),
    })
}
