//! Findings as a SARIF log.

use actions_interop::systems;
use actions_manifest::document::{Source, Span};
use actions_manifest::{Finding, RULES, Rule, Severity};
use serde_json::{Value, json};

use crate::output;

/// Prints findings as a SARIF 2.1.0 log.
pub(crate) fn print(findings: &[&Finding]) {
    output::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "actions",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules().map(|rule| json!({
                    "id": rule.code,
                    "shortDescription": { "text": rule.title() },
                    "fullDescription": { "text": rule.story() },
                    "help": { "text": rule.story(), "markdown": rule.story() },
                    "defaultConfiguration": { "level": level(rule.severity) },
                })).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|finding| result(finding)).collect::<Vec<_>>(),
        }],
    }));
}

/// The rules of maps, and then those of other documents.
fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().chain(systems::rules())
}

fn result(finding: &Finding) -> Value {
    let text = match &finding.help {
        Some(help) => format!("{}. Help: {help}", finding.message),
        None => finding.message.clone(),
    };
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": rules().position(|rule| rule.code == finding.rule.code),
        "level": level(finding.severity),
        "message": { "text": text },
        "locations": [location(&finding.source, finding.span, Some(&finding.pointer))],
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = finding
            .related
            .iter()
            .map(|related| {
                let mut place = location(&related.source, related.span, None);
                place["message"] = json!({ "text": related.message });
                place
            })
            .collect();
    }
    result
}

fn location(source: &Source, span: Span, pointer: Option<&str>) -> Value {
    let start = source.position(span.start);
    let end = source.position(span.end.max(span.start));
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(source.name()) },
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        },
    }});
    if let Some(pointer) = pointer {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": pointer, "kind": "value" }]);
    }
    location
}

/// Encodes a path as a relative URI reference.
pub(crate) fn uri(path: &str) -> String {
    let path = path.trim_start_matches("./");
    path.chars()
        .flat_map(|c| {
            let plain = c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~');
            let mut buffer = [0; 4];
            match plain {
                true => c.to_string(),
                false => c.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02X}")).collect(),
            }
            .chars()
            .collect::<Vec<_>>()
        })
        .collect()
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "note",
    }
}
