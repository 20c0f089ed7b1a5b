//! The workflow of an action that is performed in the page.

use serde_json::{Map, Value, json};

use super::action::Action;
use super::parameter::Parameter;
use super::result::Shown;
use crate::document::{given, slot};
use crate::record::{HELPER, Helper};

/// How long the page may take to show what an action needs or gives, in milliseconds.
const PATIENCE_MS: u64 = 10_000;
/// The most pages of results that one call reads.
const MOST_PAGES: u64 = 20;
/// The condition that always holds.
const ALWAYS: &str = "true";
/// The name of the tool that reads the next page of results.
const NEXT_PAGE: &str = "_next_page";
/// The input that says how many pages are read.
pub(super) const MAX_PAGES: &str = "max_pages";

/// The workflow of an action in the page at an address, and the tools that it calls.
pub(super) struct InPage {
    pub(super) workflow: Value,
    pub(super) helpers: Vec<Helper>,
    /// More properties of the input.
    pub(super) inputs: Map<String, Value>,
}

/// How a control is filled in.
enum Control {
    Text,
    Select,
    Several,
    Check,
    /// One of a group of radio buttons.
    Radio,
    /// A select element or a text field: the page decides.
    Either,
}

/// Writes the workflow of an action, or says why it cannot be performed in the page.
pub(super) fn write(action: &Action, url: &str) -> Result<InPage, String> {
    let mut steps = vec![step("open", "browser.navigate", json!({ "url": url }))];
    let controls = action.parameters.iter().map(|one| Ok((one, selector(one), control(one)?)));
    let controls = controls.collect::<Result<Vec<(&Parameter, String, Control)>, String>>()?;
    if let Some((_, first, _)) = controls.first() {
        steps.push(step(
            "ready",
            "locator.wait_for",
            json!({ "locator": { "selector": first }, "state": "visible", "timeout_ms": PATIENCE_MS }),
        ));
    }
    let filled = filled(action);
    if filled.is_some() {
        steps.push(look(action, &controls));
    }
    for (number, (parameter, selector, control)) in controls.iter().enumerate() {
        fill(number, parameter, selector, control, &mut steps);
    }
    if let Some(filled) = &filled {
        submit(action, controls.last().map(|(_, selector, _)| selector.as_str()), filled, &mut steps);
    }
    let mut inputs = Map::new();
    let mut helpers = Vec::new();
    let output = match &action.shown {
        None => {
            steps.push(step("page", "page.info", json!({})));
            "{% {'page': {'url': steps.page.output.url, 'title': steps.page.output.title}} %}".to_owned()
        }
        Some(shown) => {
            steps.push(step(
                "shown",
                "locator.wait_for",
                json!({ "locator": { "selector": shown.container }, "state": "attached", "timeout_ms": PATIENCE_MS }),
            ));
            steps.push(step("read", "dom.extract", json!({ "extract": shown.extract() })));
            if let Some(next) = shown.next.as_deref().filter(|_| shown.is_many()) {
                steps.push(more_pages());
                helpers.push(next_page(shown, next));
                inputs.insert(
                    MAX_PAGES.to_owned(),
                    json!({
                        "type": "integer", "minimum": 1, "maximum": MOST_PAGES, "default": 1,
                        "description": "How many pages of results are read.",
                    }),
                );
            }
            output(shown)
        }
    };
    let workflow =
        json!({ "version": 1, "expression_language": "jsonata", "steps": steps, "output": output });
    Ok(InPage { workflow, helpers, inputs })
}

fn step(id: &str, primitive: &str, args: Value) -> Value {
    json!({ "id": id, "primitive": primitive, "args": args })
}

fn step_when(id: &str, primitive: &str, args: Value, when: &str) -> Value {
    json!({ "id": id, "primitive": primitive, "args": args, "when": format!("{{% {when} %}}") })
}

/// A text as a string of CSS.
fn quoted(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\{:x} ", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// Where a parameter goes: the control that the document names, else one that the page marks with its name.
fn selector(parameter: &Parameter) -> String {
    let name = quoted(&parameter.name);
    parameter.selector.clone().unwrap_or_else(|| {
        format!("[data-awas-param={name}], [data-ai-param={name}], form [name={name}], [name={name}]")
    })
}

/// The kind of control, by the end of its selector and the type of the parameter.
fn control(parameter: &Parameter) -> Result<Control, String> {
    let own = parameter.selector.as_deref().unwrap_or_default().to_ascii_lowercase();
    let end = own.rsplit([' ', '>', '+', '~']).next().unwrap_or_default();
    let tag: String = end.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    let is_type =
        |kind: &str| ["", "'", "\""].iter().any(|quote| end.contains(&format!("type={quote}{kind}")));
    if is_type("file") {
        return Err(format!(
            "`{}` is a file, and files are not uploaded (capability_unavailable)",
            parameter.name
        ));
    }
    Ok(match (tag.as_str(), parameter.kind.as_str()) {
        ("select", "array") => Control::Several,
        ("select", _) => Control::Select,
        _ if is_type("radio") && !parameter.options.is_empty() => Control::Radio,
        (_, "boolean") => Control::Check,
        _ if is_type("checkbox") || is_type("radio") => Control::Check,
        ("input" | "textarea", _) => Control::Text,
        _ if !parameter.options.is_empty() => Control::Either,
        _ => Control::Text,
    })
}

/// The condition that anything was filled in; none if there is nothing to submit: an address that is only opened.
fn filled(action: &Action) -> Option<String> {
    let reads = matches!(action.method.as_str(), "GET" | "HEAD");
    if action.parameters.is_empty() {
        return (!reads).then(|| ALWAYS.to_owned());
    }
    if !reads || action.parameters.iter().any(|parameter| parameter.required) {
        return Some(ALWAYS.to_owned());
    }
    let given: Vec<String> = action.parameters.iter().map(|parameter| given(&parameter.name)).collect();
    Some(given.join(" or "))
}

/// The selector of what the page marks as the action.
fn marked(action: &Action) -> String {
    let id = quoted(&action.id);
    format!("[data-awas-action={id}], [data-ai-action={id}]")
}

fn trigger(action: &Action) -> String {
    format!("[data-ai-action-trigger={0}], [data-awas-action-trigger={0}]", quoted(&action.id))
}

/// The selector of a marked element that submits by being clicked.
fn button(action: &Action) -> String {
    let marked = marked(action);
    format!(
        "button:is({marked}), input[type='submit']:is({marked}), input[type='button']:is({marked}), a[href]:is({marked})"
    )
}

/// Looks at what the page has before anything is filled in: how the action is submitted, and which controls there are.
fn look(action: &Action, controls: &[(&Parameter, String, Control)]) -> Value {
    let marked = marked(action);
    let mut extract = vec![
        json!({ "id": "trigger", "selector": trigger(action), "fields": {} }),
        json!({ "id": "button", "selector": button(action), "fields": {} }),
        json!({ "id": "marked", "selector": format!("form:is({marked}), form :is({marked})"), "fields": {} }),
    ];
    if let Some((_, last, _)) = controls.last() {
        extract.push(json!({ "id": "form", "selector": format!("form :is({last})"), "fields": {} }));
    }
    for (number, (_, selector, control)) in controls.iter().enumerate() {
        if matches!(control, Control::Either) {
            extract.push(json!({ "id": format!("select{number}"), "selector": format!("select:is({selector})"), "fields": {} }));
        }
    }
    step("look", "dom.extract", json!({ "extract": extract }))
}

fn found(what: &str) -> String {
    format!("steps.look.output.selector_counts.{what} > 0")
}

fn absent(what: &str) -> String {
    format!("steps.look.output.selector_counts.{what} = 0")
}

/// The steps that fill in one parameter.
fn fill(number: usize, parameter: &Parameter, selector: &str, control: &Control, steps: &mut Vec<Value>) {
    let id = format!("p{number}");
    let name = &parameter.name;
    let given = given(name);
    let value = slot(name);
    let raw = value.trim_start_matches("{%").trim_end_matches("%}").trim();
    let text = match parameter.kind.as_str() {
        "string" => value.clone(),
        "array" => format!("{{% $join({raw}.$string($), ',') %}}"),
        _ => format!("{{% $string({raw}) %}}"),
    };
    let locator = json!({ "selector": selector });
    let when = |condition: &str| match (parameter.required, condition) {
        (true, "") => None,
        (true, condition) => Some(condition.to_owned()),
        (false, "") => Some(given.clone()),
        (false, condition) => Some(format!("{given} and {condition}")),
    };
    let mut add = |id: String, primitive: &str, args: Value, condition: &str, goes_on: bool| {
        let mut step = match when(condition) {
            None => step(&id, primitive, args),
            Some(condition) => step_when(&id, primitive, args, &condition),
        };
        if goes_on {
            step["on_error"] = json!("continue");
        }
        steps.push(step);
    };
    let insert = |text: &str| json!({ "target": locator, "text": text, "mode": "replace" });
    match control {
        Control::Text => add(id, "text.insert", insert(&text), "", false),
        Control::Check => {
            add(id, "form.set_checked", json!({ "locator": locator, "checked": value }), "", false)
        }
        Control::Several => {
            add(id, "form.select_option", json!({ "locator": locator, "values": value }), "", false)
        }
        Control::Select => {
            // By value, and if there is no such value, by label.
            let by_label = format!("steps.{id}.ok = false");
            add(id.clone(), "form.select_option", json!({ "locator": locator, "value": text }), "", true);
            add(
                format!("{id}_label"),
                "form.select_option",
                json!({ "locator": locator, "label": text }),
                &by_label,
                false,
            );
        }
        Control::Either => {
            let (is_select, is_text) =
                (found(&format!("select{number}")), absent(&format!("select{number}")));
            add(
                id.clone(),
                "form.select_option",
                json!({ "locator": locator, "value": text }),
                &is_select,
                false,
            );
            add(format!("{id}_text"), "text.insert", insert(&text), &is_text, false);
        }
        Control::Radio => {
            for (place, option) in parameter.options.iter().enumerate() {
                let wire = option.as_str().map_or_else(|| option.to_string(), str::to_owned);
                let one = json!({ "selector": format!(":is({selector})[value={}]", quoted(&wire)) });
                let chosen = format!("{raw} = {option}");
                let args = json!({ "locator": one, "checked": true });
                add(format!("{id}_{place}"), "form.set_checked", args, &chosen, false);
            }
        }
    }
}

/// The steps that submit. What the page marks as the action decides; the specification names no submit button.
fn submit(action: &Action, last: Option<&str>, filled: &str, steps: &mut Vec<Value>) {
    let filled: Vec<String> = Some(format!("({filled})")).filter(|_| filled != ALWAYS).into_iter().collect();
    let all = |conditions: &[String]| [filled.clone(), conditions.to_vec()].concat().join(" and ");
    let (no_trigger, no_button, no_marked) = (absent("trigger"), absent("button"), absent("marked"));
    let click = |selector: String| json!({ "locator": { "selector": selector } });
    steps.push(step_when("trigger", "pointer.click", click(trigger(action)), &all(&[found("trigger")])));
    let is_button = all(&[no_trigger.clone(), found("button")]);
    steps.push(step_when("button", "pointer.click", click(button(action)), &is_button));
    let is_marked = all(&[no_trigger.clone(), no_button.clone(), found("marked")]);
    let marked = marked(action);
    let inside = format!("form:is({marked}), form :is({marked})");
    steps.push(step_when("form", "form.submit", click(inside), &is_marked));
    let none = [no_trigger, no_button, no_marked];
    let Some(last) = last else {
        let message = "the page marks no element as this action, so nothing can be clicked or submitted";
        let args = json!({ "condition": false, "message": message });
        steps.push(step_when("submit", "flow.assert", args, &all(&none)));
        return;
    };
    let in_form = all(&[none.to_vec(), vec![found("form")]].concat());
    steps.push(step_when("submit", "form.submit", click(format!("form :is({last})")), &in_form));
    let alone = all(&[none.to_vec(), vec![absent("form")]].concat());
    steps.push(step_when("focus", "dom.focus", click(last.to_owned()), &alone));
    steps.push(step_when("enter", "keyboard.press", json!({ "key": "Enter" }), &alone));
}

/// Reads the following pages of results, each by a call of the helper.
fn more_pages() -> Value {
    json!({
        "id": "pages",
        "primitive": "actions.site",
        "args": { "mode": "call", "action": format!("{HELPER}{NEXT_PAGE}"), "arguments": {} },
        "for_each": format!("{{% input.{MAX_PAGES} > 1 ? [2..input.{MAX_PAGES}] : [] %}}"),
        "max_items": MOST_PAGES - 1,
        "on_error": "continue",
    })
}

/// The tool that goes to the next page of results and reads it.
fn next_page(shown: &Shown, next: &str) -> Helper {
    let extract = shown.extract();
    let ends = "$count(steps.before.output.records.next) = 0";
    let changed =
        "$string(steps.after.output.records.items[0]) != $string(steps.before.output.records.items[0])";
    let steps = json!([
        step("before", "dom.extract", json!({ "extract": extract })),
        step_when("next", "pointer.click", json!({ "locator": { "selector": next } }), "$count(steps.before.output.records.next) > 0"),
        {
            "id": "after",
            "primitive": "dom.extract",
            "args": { "extract": extract },
            "retry_until": format!("{{% {ends} or {changed} %}}"),
            "max_attempts": 20,
        },
    ]);
    let output = format!(
        "{{% {ends} ? {{'items': [], 'has_next': false}} : {{'items': {}, 'has_next': {}}} %}}",
        shown.value("after"),
        shown.has_next("after"),
    );
    Helper {
        suffix: NEXT_PAGE,
        description: "Goes to the next page of the results that are shown, and reads it.".to_owned(),
        input_schema: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
        workflow: json!({ "version": 1, "expression_language": "jsonata", "steps": steps, "output": output }),
    }
}

/// The output of an action that shows something.
fn output(shown: &Shown) -> String {
    let page = "'page': {'url': steps.read.output.url, 'title': steps.read.output.title}";
    let missing = "'missing': steps.read.output.missing_required_fields";
    let first = shown.value("read");
    if !shown.is_many() {
        return format!("{{% {{'{}': {first}, {page}, {missing}}} %}}", shown.key());
    }
    if shown.next.is_none() {
        return format!(
            "{{% ($items := {first}; {{'items': $items, 'count': $count($items), {page}, {missing}, 'has_next': false}}) %}}"
        );
    }
    let has_next = shown.has_next("read");
    format!(
        "{{% ($items := $append({first}, steps.pages.items.output.items); {{'items': [$items], 'count': $count($items), {page}, \
         {missing}, 'has_next': $count(steps.pages.items) > 0 ? steps.pages.items[-1].output.has_next : {has_next}}}) %}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_the_site_cannot_leave_its_selector() {
        assert_eq!(quoted("a\"], *, [b=\"\\\n"), "\"a\\\"], *, [b=\\\"\\\\\\a \"");
    }
}
