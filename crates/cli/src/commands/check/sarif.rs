//! Results of checks as a SARIF log.

use actions_drift::{CheckResult, Status};
use actions_protocol::{ErrorCode, Severity};
use serde_json::{Value, json};

use crate::findings::sarif::uri;
use crate::output;

/// Prints what did not pass as a SARIF 2.1.0 log. The rules are the error codes.
pub(super) fn print(results: &[CheckResult]) {
    let shown: Vec<&CheckResult> =
        results.iter().filter(|result| !matches!(result.status, Status::Passed | Status::Skipped)).collect();
    let mut codes: Vec<String> = shown.iter().map(|result| code(result)).collect();
    codes.sort();
    codes.dedup();
    output::json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "actions check",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| json!({
                    "id": code,
                    "shortDescription": {
                        "text": ErrorCode::from_wire(code).map_or("A check ended with this code.", ErrorCode::sentence),
                    },
                })).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": shown.iter().map(|result| entry(result, &codes)).collect::<Vec<_>>(),
        }],
    }));
}

fn code(result: &CheckResult) -> String {
    result.error.as_ref().map_or_else(|| result.status.as_str().to_owned(), |error| error.code.to_string())
}

fn entry(result: &CheckResult, codes: &[String]) -> Value {
    let code = code(result);
    let message = result.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
    let proposals = result.proposals.iter().map(|proposal| format!(" Proposal: {}.", proposal.selector));
    let text = format!("{message} ({}){}", result.url, proposals.collect::<String>());
    let number = |key: &str| result.evidence.get(key).and_then(Value::as_u64).unwrap_or(1);
    let pointer = result.evidence.get("pointer").and_then(Value::as_str).unwrap_or(&result.check_id);
    json!({
        "ruleId": code,
        "ruleIndex": codes.iter().position(|known| *known == code),
        "level": level(result),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&result.map) },
                "region": { "startLine": number("line"), "startColumn": number("column") },
            },
            "logicalLocations": [{ "fullyQualifiedName": pointer, "kind": "value" }],
        }],
        // The same drift is the same alert tomorrow, wherever it stands in the map.
        "partialFingerprints": { "check/v1": format!("{}#{}", result.map, result.check_id) },
        "properties": { "status": result.status, "severity": result.severity, "url": result.url },
    })
}

fn level(result: &CheckResult) -> &'static str {
    match (result.status, result.severity) {
        (Status::Failed, Severity::Major | Severity::Critical) => "error",
        (Status::Failed, Severity::Minor) => "warning",
        (Status::Failed, Severity::Info) => "note",
        _ => "warning",
    }
}
