//! Repair proposals: which element of a page a lost target has become, judged by the lock, without a model.
//!
//! A proposal must be able to be wrong: it is made only if one element fits clearly better than all others, if it was not on
//! the page before under the same name, and if it is still called what the target was called. For an element that was
//! removed there is none.

use actions_primitives::{Candidate, Fingerprint};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::likeness::{self, Trait, kindred, same_naming, score, traits};
use crate::lock::{LockedPage, LockedTarget};
use crate::mark::{Mark, is_operable};
use crate::target::{Target, digest};

/// The least score of a proposal.
const ENOUGH: f64 = 0.6;
/// By how much the best candidate must be better than the next.
const CLEARLY: f64 = 0.06;

/// A change of the map that would mend a target. Nothing is applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The target in the map.
    pub pointer: String,
    /// A JSON Patch against the map.
    pub patch: Vec<Value>,
    /// The selector that it proposes, or the role and name in words.
    pub selector: String,
    /// How well the element fits, from 0 to 1.
    pub score: f64,
    /// Why.
    pub reasons: Vec<String>,
}

/// The element that a lost target has become, if one fits clearly best.
pub(crate) fn propose(
    target: &Target,
    locked: &LockedTarget,
    before: Option<&LockedPage>,
    candidates: &[Candidate],
    translated: bool,
) -> Option<Proposal> {
    if locked.matched > 1 {
        // No one element is what a list has become.
        return None;
    }
    let mut fitting: Vec<(f64, Vec<Trait>, &Candidate)> = candidates
        .iter()
        .filter_map(|candidate| {
            let mark = Mark::of(&candidate.fingerprint);
            let is_new = is_new(candidate, &mark, locked, before, candidates);
            if !is_new || !may_be(&locked.mark, &mark, translated) {
                return None;
            }
            let traits = traits(&locked.mark, &mark);
            Some((score(&traits), traits, candidate))
        })
        .collect();
    fitting.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (best, traits, candidate) = fitting.first()?;
    let next = fitting.get(1).map_or(0.0, |(score, ..)| *score);
    if *best < ENOUGH || best - next < CLEARLY {
        return None;
    }
    let twins = candidates.iter().filter(|other| {
        let (one, other) = (&candidate.fingerprint, &other.fingerprint);
        one.role == other.role && one.name == other.name
    });
    let written = Written::of(target, candidate, twins.count() == 1)?;
    Some(Proposal {
        pointer: target.pointer.clone(),
        patch: written.patch,
        selector: written.selector,
        score: *best,
        reasons: reasons(traits, candidate),
    })
}

/// Whether an element may be what the target has become, whatever its score.
fn may_be(locked: &Mark, seen: &Mark, translated: bool) -> bool {
    let naming = same_naming(&locked.attributes, &seen.attributes);
    let same_role = locked.role == seen.role || kindred(&locked.role, &seen.role);
    if !same_role && (is_operable(&locked.role) || is_operable(&seen.role)) {
        return false;
    }
    if !locked.name.is_empty() {
        let alike = likeness::names(&locked.name, &seen.name);
        // Another word for the same thing may be another thing, unless its authors still call it the same.
        return alike >= likeness::SAME_NAME || (translated && naming == Some(true));
    }
    // Without a name, what its authors call it or what is inside it must be the same.
    let holds = locked.holds.iter().filter(|each| seen.holds.contains(each)).count();
    let inside = locked.holds.len() >= 2 && holds * 3 >= locked.holds.len() * 2;
    let only_one = locked.holds.len() == 1 && holds == 1;
    same_role
        && locked.tag == seen.tag
        && (naming == Some(true) || inside || (only_one && locked.role == seen.role))
}

/// Whether the element was not on the page before, or more often now. Containers are judged by what they hold instead.
fn is_new(
    candidate: &Candidate,
    mark: &Mark,
    locked: &LockedTarget,
    before: Option<&LockedPage>,
    all: &[Candidate],
) -> bool {
    let Some(before) = before.filter(|_| is_operable(&mark.role)) else { return true };
    let name = said(&candidate.fingerprint.role, &candidate.fingerprint.name);
    let digest = &digest(&name)[..8];
    let then = before.operable.iter().filter(|known| known.as_str() == digest).count();
    let now = all.iter().filter(|each| said(&each.fingerprint.role, &each.fingerprint.name) == name).count();
    let itself = usize::from(said(&locked.mark.role, &locked.mark.name) == name);
    // The target was one of those that were there before.
    now > then.saturating_sub(itself)
}

fn said(role: &str, name: &str) -> String {
    format!("{role} {name}").trim().to_owned()
}

/// What a proposal changes in the map.
struct Written {
    patch: Vec<Value>,
    selector: String,
}

impl Written {
    /// Writes the descriptor of a target for another element: by a selector, or by role and name if no selector names only
    /// this one.
    fn of(target: &Target, candidate: &Candidate, is_only_one: bool) -> Option<Self> {
        let at = &target.pointer;
        let mut patch = Vec::new();
        let selector = candidate.selectors.first().cloned();
        let keys = target.descriptor.as_object();
        let has = |key: &str| keys.is_some_and(|keys| keys.contains_key(key));
        let selector = match (selector, keys) {
            (Some(selector), None) => {
                patch.push(replace(at, &json!(selector)));
                selector
            }
            (Some(selector), Some(_)) if has("selector") => {
                patch.push(replace(&format!("{at}/selector"), &json!(selector)));
                selector
            }
            (Some(selector), Some(_)) if has("selectors") => {
                patch.push(add(&format!("{at}/selectors"), &json!([selector])));
                selector
            }
            // By role and name.
            (_, Some(_)) if has("role") && has("name") => {
                patch.push(replace(&format!("{at}/name"), &json!(candidate.fingerprint.name)));
                if target.descriptor["role"] != json!(candidate.fingerprint.role) {
                    patch.push(replace(&format!("{at}/role"), &json!(candidate.fingerprint.role)));
                }
                said(&candidate.fingerprint.role, &candidate.fingerprint.name)
            }
            (Some(selector), Some(_)) if !has("xpath") => {
                patch.push(add(&format!("{at}/selector"), &json!(selector)));
                selector
            }
            (None, keys) if is_only_one && is_operable(&candidate.fingerprint.role) => {
                let Fingerprint { role, name, .. } = &candidate.fingerprint;
                if name.is_empty() || keys.is_some() && !has("selector") {
                    return None;
                }
                match keys {
                    None => patch.push(replace(at, &json!({ "role": role, "name": name }))),
                    Some(_) => {
                        patch.push(json!({ "op": "remove", "path": format!("{at}/selector") }));
                        patch.push(add(&format!("{at}/role"), &json!(role)));
                        patch.push(add(&format!("{at}/name"), &json!(name)));
                    }
                }
                said(role, name)
            }
            _ => return None,
        };
        for key in ["text_equals", "text_contains"] {
            let wanted = target.descriptor.get(key).and_then(Value::as_str);
            if wanted.is_some_and(|wanted| !candidate.fingerprint.text.contains(wanted)) {
                let name = &candidate.fingerprint.name;
                if name.is_empty() {
                    return None;
                }
                patch.push(replace(&format!("{at}/{key}"), &json!(name)));
            }
        }
        if let Some(frame) = &candidate.frame {
            // Only the locators of steps can name a frame.
            if !at.contains("/workflow/steps/") {
                return None;
            }
            match keys {
                Some(_) => patch.push(add(&format!("{at}/frame"), &json!(frame))),
                None => patch = vec![replace(at, &json!({ "selector": selector, "frame": frame }))],
            }
        }
        Some(Self { patch, selector })
    }
}

fn replace(path: &str, value: &Value) -> Value {
    json!({ "op": "replace", "path": path, "value": value })
}

fn add(path: &str, value: &Value) -> Value {
    json!({ "op": "add", "path": path, "value": value })
}

/// What speaks for a candidate, and what against it.
fn reasons(traits: &[Trait], candidate: &Candidate) -> Vec<String> {
    let mut reasons: Vec<String> = traits
        .iter()
        .map(|each| {
            let how = match each.alike {
                alike if alike >= 0.999 => "same",
                alike if alike > 0.0 => "similar",
                _ => "other",
            };
            format!("{how} {}", each.what)
        })
        .collect();
    reasons.extend(candidate.frame.as_ref().map(|frame| format!("it is in the frame `{frame}`")));
    if candidate.fingerprint.path.iter().any(|tag| tag.contains('-')) {
        reasons.push("it is in a custom element".to_owned());
    }
    reasons
}
