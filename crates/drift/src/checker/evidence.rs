//! What results keep of a page.

use actions_manifest::model::Evidence;
use actions_primitives::Sighting;
use serde_json::{Map, Value, json};

use crate::assertion::Check;
use crate::visit::{Look, Verdict};

/// The most names that the accessibility tree in evidence has.
const MAX_NAMES: usize = 120;

/// What a target matched, in short.
pub(super) fn evidence_of(seen: &Sighting) -> Map<String, Value> {
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
pub(super) fn stored(check: &Check<'_>, verdicts: &[Verdict], look: &Look) -> Map<String, Value> {
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
