//! The map of `cargo xtask bench validate`, as a big site would have it: every section, workflows, schemas, projections
//! and selectors.

use serde_json::{Value, json};

use crate::failure::Failure;

/// How many tools the map has.
const TOOLS: usize = 200;

/// One projection serves this many tools: half of them read, half of them change something.
const TOOLS_PER_AREA: usize = 10;

const AREAS: &[&str] = &[
    "orders",
    "invoices",
    "customers",
    "products",
    "shipments",
    "returns",
    "suppliers",
    "contracts",
    "projects",
    "tasks",
    "messages",
    "meetings",
    "documents",
    "reports",
    "payments",
    "accounts",
    "tickets",
    "campaigns",
    "vehicles",
    "sites",
];

const READS: &[&str] = &["list", "search", "count", "latest", "archived"];
const CHANGES: &[&str] = &["rename", "assign", "close", "label", "annotate"];

/// Writes the map to standard output.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::unknown_argument(argument, "workshop large-map"));
    }
    print!("{}", map());
    Ok(())
}

/// The map: 200 tools and 600 slots in about 400 KB.
fn map() -> Value {
    let areas = &AREAS[..TOOLS / TOOLS_PER_AREA];
    let each = |make: fn(&str) -> Vec<Value>| areas.iter().flat_map(|area| make(area)).collect::<Vec<_>>();
    json!({
        "protocol": "actions.json",
        "version": 1,
        "surface": {
            "origin": "https://office.example",
            "url": "https://office.example/",
            "surface_id": "office-example",
            "name": "Office Example",
            "kind": "application",
            "description": "A back office with twenty areas, each a list of records that can be read and changed.",
        },
        "context": each(context),
        "states": each(states),
        "transitions": each(transitions),
        "tools": each(|area| {
            let reads = READS.iter().map(|verb| read_tool(area, verb));
            reads.chain(CHANGES.iter().map(|verb| change_tool(area, verb))).collect()
        }),
        "state_projections": each(projection),
        "checks": each(checks),
        "provenance": { "created_by": "the benchmark", "created_at": "2026-11-16", "revision": "1" },
    })
}

fn context(area: &str) -> Vec<Value> {
    let tools = READS.iter().chain(CHANGES).map(|verb| format!("{area}.{verb}"));
    vec![json!({
        "id": format!("{area}.page"),
        "title": format!("The {area}"),
        "body": format!("Read the {area} before changing one. Every record has a stable id, which the tools that change something take. A change is done when the list shows it."),
        "load_when": { "states": [format!("{area}_ready")], "url_contains": format!("/{area}/") },
        "available_tools": tools.collect::<Vec<_>>(),
        "next_states": [format!("{area}_ready"), format!("{area}_empty")],
    })]
}

fn states(area: &str) -> Vec<Value> {
    let state = |name: &str, description: String, selector: String| {
        let target = json!({ "selector": selector, "url_contains": format!("/{area}/") });
        json!({
            "name": format!("{area}_{name}"),
            "description": description,
            "diagnostics": [{ "name": format!("{name}_marker"), "target": target }],
            "observables": ["count", "page"],
        })
    };
    vec![
        state(
            "ready",
            format!("The list of {area} is shown in full."),
            format!("main[data-area='{area}'][data-state='ready']"),
        ),
        state(
            "empty",
            format!("There are no {area}."),
            format!("main[data-area='{area}'] [data-testid='empty-note']:not([hidden])"),
        ),
    ]
}

fn transitions(area: &str) -> Vec<Value> {
    vec![json!({
        "name": format!("{area}_search"),
        "from": [format!("{area}_ready"), format!("{area}_empty")],
        "to": format!("{area}_ready"),
        "tool": format!("{area}.search"),
        "method": "tool_call",
        "rate_limit_ms": 250,
        "convergence": { "complete_when": "no_new_records", "max_attempts": 5 },
    })]
}

fn record_schema() -> Value {
    json!({
        "type": "object",
        "required": ["id", "title", "owner", "amount"],
        "properties": {
            "id": { "type": "string" },
            "title": { "type": "string" },
            "owner": { "type": "string" },
            "amount": { "type": "number", "minimum": 0 },
        },
        "additionalProperties": false,
    })
}

fn target(area: &str) -> Value {
    json!({ "selector": format!("main[data-area='{area}']"), "role": "main" })
}

fn wait_for_list(area: &str) -> Value {
    json!({
        "id": "listReady",
        "primitive": "locator.wait_for",
        "args": { "locator": { "selector": format!("main[data-area='{area}'][data-state='ready']") } },
    })
}

/// A tool with a slot for the result, and for most verbs one for how many records to take.
fn read_tool(area: &str, verb: &str) -> Value {
    let fields = json!([
        { "name": "id", "attribute": "data-record-id" },
        { "name": "title", "selector": "[data-testid='record-title']", "attribute": "text" },
        { "name": "owner", "selector": "[data-testid='record-owner'] > span.name", "attribute": "text" },
        { "name": "amount", "selector": "td.amount", "attribute": "text" },
    ]);
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 50, "default": 20, "description": "How many records at most." });
    let (properties, limit) = match verb {
        "count" | "latest" => (json!({}), json!(50)),
        _ => (json!({ "limit": limit }), json!("{% input.limit %}")),
    };
    json!({
        "name": format!("{area}.{verb}"),
        "description": format!("Read the {area} of the page ({verb}) with ids, titles, owners and amounts."),
        "input_schema": { "type": "object", "properties": properties, "additionalProperties": false },
        "target": target(area),
        "workflow": {
            "version": 1,
            "expression_language": "jsonata",
            "steps": [
                wait_for_list(area),
                {
                    "id": "readRecords",
                    "primitive": "browser.extract_elements",
                    "args": {
                        "scope": { "selector": format!("main[data-area='{area}'] [data-testid='record-list']") },
                        "item_selector": format!("[data-testid='record'][data-view='{verb}']"),
                        "fields": fields,
                        "max_items": limit,
                    },
                },
            ],
            "output": "{% { 'records': [steps.readRecords.output.items.{ 'id': id, 'title': $trim(title), 'owner': owner, 'amount': $number($replace(amount, ',', '')) }] } %}",
        },
        "x_actions": {
            "effect": "read",
            "result_schema": {
                "type": "object",
                "required": ["records"],
                "properties": { "records": { "type": "array", "items": record_schema(), "maxItems": 50 } },
                "additionalProperties": false,
            },
        },
    })
}

/// A tool with three slots: the locator of the record, the text, and the result.
fn change_tool(area: &str, verb: &str) -> Value {
    json!({
        "name": format!("{area}.{verb}"),
        "description": format!("Open one of the {area} by its id, {verb} it with a text, save, and return what the page then shows."),
        "input_schema": {
            "type": "object",
            "required": ["id", "text"],
            "properties": {
                "id": { "type": "string", "pattern": "^[a-z0-9-]{1,40}$", "description": format!("The id of one of the {area}.") },
                "text": { "type": "string", "minLength": 1, "maxLength": 200, "description": format!("What to {verb} it with.") },
            },
            "additionalProperties": false,
        },
        "target": target(area),
        "workflow": {
            "version": 1,
            "expression_language": "jsonata",
            "steps": [
                wait_for_list(area),
                {
                    "id": "openRecord",
                    "primitive": "pointer.click",
                    "args": { "locator": { "selector": "{% \"[data-testid='record'][data-record-id='\" & input.id & \"'] button[data-action='edit']\" %}" } },
                    "settle_after": { "locator": { "selector": format!("form[data-action='{verb}']") } },
                },
                {
                    "id": "fillText",
                    "primitive": "text.insert",
                    "args": { "target": { "selector": format!("form[data-action='{verb}'] input[name='text']") }, "text": "{% input.text %}", "mode": "replace" },
                },
                {
                    "id": "save",
                    "primitive": "pointer.click",
                    "args": { "locator": { "selector": format!("form[data-action='{verb}'] button[type='submit']"), "role": "button" } },
                },
                {
                    "id": "saved",
                    "primitive": "locator.text_content",
                    "args": { "locator": { "selector": format!("main[data-area='{area}'] [data-testid='saved-note']") } },
                },
            ],
            "output": "{% { 'id': input.id, 'saved': $contains(steps.saved.output.text, input.text) } %}",
        },
        "x_actions": {
            "effect": "write",
            "result_schema": {
                "type": "object",
                "required": ["id", "saved"],
                "properties": { "id": { "type": "string" }, "saved": { "type": "boolean" } },
                "additionalProperties": false,
            },
        },
    })
}

/// A projection with seven slots: the state, a summary, and a postcondition for every tool that changes something.
fn projection(area: &str) -> Vec<Value> {
    let field = |selector: &str| json!({ "selector": selector, "property": "innerText", "trim": true, "required": true });
    let postcondition = |verb: &str| {
        let expression = "{% $exists(state.records[id = $$.input.id and $contains(title, $$.input.text)]) %}";
        let postcondition = json!({
            "verify": { "language": "jsonata", "expression": expression },
            "failure_message": format!("The list does not show what {verb} should have done."),
        });
        (format!("{area}.{verb}"), postcondition)
    };
    vec![json!({
        "name": format!("{area}.records"),
        "description": format!("The {area} of the page in front."),
        "scope": { "url_matches": format!("https://office.example/{area}/*") },
        "snapshot": {
            "version": 1,
            "source": "dom",
            "extract": [{
                "id": "records",
                "selector": format!("main[data-area='{area}'] [data-testid='record']"),
                "many": true,
                "fields": {
                    "id": { "attribute": "data-record-id", "required": true },
                    "title": field("[data-testid='record-title']"),
                    "owner": field("[data-testid='record-owner'] > span.name"),
                    "amount": field("td.amount"),
                },
            }],
            "projection": {
                "language": "jsonata",
                "expression": "{% { 'records': [records.records.{ 'id': id, 'title': title, 'owner': owner, 'amount': $number($replace(amount, ',', '')) }] } %}",
            },
            "output_schema": {
                "type": "object",
                "required": ["records"],
                "properties": { "records": { "type": "array", "items": record_schema() } },
                "additionalProperties": false,
            },
        },
        "summaries": [{
            "name": "agent_context",
            "description": "How many there are, their sum, and the first titles.",
            "max_bytes": 2000,
            "expression": "{% { 'count': $count(state.records), 'sum': $sum(state.records.amount), 'titles': state.records[[0..4]].(id & ': ' & title) } %}",
        }],
        "postconditions": CHANGES.iter().map(|verb| postcondition(verb)).collect::<serde_json::Map<_, _>>(),
    })]
}

fn checks(area: &str) -> Vec<Value> {
    vec![json!({
        "id": format!("{area}_list_visible"),
        "description": format!("The list of {area} is there before any tool reads it."),
        "severity": "major",
        "assertions": [
            { "target": { "selector": format!("main[data-area='{area}'] [data-testid='record-list']") }, "visible": true },
            { "tool": format!("{area}.list"), "exists": true },
        ],
        "on_fail": { "store_evidence": ["url", "dom_snapshot"], "contingency": "handoff_to_user" },
    })]
}

#[cfg(test)]
mod tests {
    use actions_manifest::{Options, validate};

    use super::*;

    fn slots(value: &Value) -> usize {
        match value {
            Value::String(text) => usize::from(text.starts_with("{%")),
            Value::Array(elements) => elements.iter().map(slots).sum(),
            Value::Object(members) => members.values().map(slots).sum(),
            _ => 0,
        }
    }

    #[test]
    fn the_map_is_as_large_as_it_should_be_and_has_no_findings() {
        let map = map();
        let text = map.to_string();
        assert_eq!((map["tools"].as_array().map(Vec::len), slots(&map)), (Some(200), 600));

        let findings: Vec<String> = validate("map", text.as_bytes(), &Options::default())
            .findings
            .iter()
            .map(|finding| format!("{} {}: {}", finding.rule.code, finding.pointer, finding.message))
            .collect();
        assert_eq!(findings, [""; 0]);
        assert!((400_000..420_000).contains(&text.len()), "{} bytes", text.len());
    }
}
