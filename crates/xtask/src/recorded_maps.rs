//! Maps of imaginary shops with recordings, in any number: for measuring commands that work on many maps.

use std::path::Path;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::workspace::write;

/// Writes this many maps below a folder, each with a recording of its page and one case. Addresses are below `origin`.
pub(crate) fn generate(folder: &Path, count: usize, origin: &str) -> Result<(), Failure> {
    for number in 0..count {
        let shop = folder.join(format!("shop-{number:04}"));
        let url = format!("{origin}/shop/{number}");
        put(&shop.join("actions.json"), &map(number, origin, &url))?;
        put(&shop.join("recordings/page.har"), &har(number, &url))?;
        put(&shop.join("cases/save.json"), &case(number))?;
    }
    Ok(())
}

fn put(path: &Path, content: &Value) -> Result<(), Failure> {
    write(path, format!("{content:#}\n").as_bytes())
}

/// The page of a shop. Its list comes a moment after the document, as on most sites.
pub(crate) fn page(number: usize) -> String {
    let goods: String = (0..12)
        .map(|at| {
            format!(
                "<li class=card><h2>Tea {number}-{at}</h2><a href='/tea/{at}'>Details of tea {at}</a> <button class=add data-sku=tea-{at}>Add tea {at}</button></li>"
            )
        })
        .collect();
    format!(
        "<!doctype html><html lang=en><title>Shop {number}</title>
<header><h1>Shop {number}</h1><nav aria-label=Shop><a href=/tea>Tea</a> <a href=/pots>Pots</a> <a class=cart href=/cart>Basket</a></nav>
<form role=search><input id=q type=search name=q aria-label=Search><button class=go>Search</button></form></header>
<main><ul id=teas></ul><section aria-label='Your basket'><p id=count>0</p><button class=save name=keep>Save basket</button> <button class=empty name=empty>Empty basket</button></section></main>
<footer><a href=/help>Help</a> <a href=/terms>Terms</a></footer>
<script>setTimeout(() => {{ teas.innerHTML = `{goods}`; teas.onclick = (event) => {{ if (event.target.matches('.add')) count.textContent = Number(count.textContent) + 1 }} }}, 20)</script></html>"
    )
}

fn map(number: usize, origin: &str, url: &str) -> Value {
    let click = |id: &str, selector: &str| json!({ "id": id, "primitive": "pointer.click", "args": { "locator": { "selector": selector } } });
    let tool = |name: &str, target: &str, steps: Vec<Value>, output: &str| {
        json!({ "name": name, "description": "Does what it is called.", "target": { "selector": target },
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output } })
    };
    let count = json!({ "id": "count", "primitive": "locator.text_content", "args": { "locator": { "selector": "#count" } } });
    let check = |id: &str, assertions: Value| json!({ "id": id, "description": "It is as the map says.", "severity": "major", "assertions": assertions });
    json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": origin, "url": url, "name": format!("Shop {number}") },
        "tools": [
            tool("basket.add", ".add[data-sku='tea-3']", vec![click("add", ".add[data-sku='tea-3']"), count], "{% $number(steps.count.output.text) %}"),
            tool("basket.save", "button.save", vec![click("save", "button.save")], "{% true %}"),
            tool("basket.empty", "button.empty", vec![click("empty", "button.empty")], "{% true %}"),
        ],
        "checks": [
            check("search_there", json!([{ "target": { "selector": "form[role='search']" }, "visible": true }, { "target": { "selector": "button.go" }, "enabled": true }])),
            check("teas_listed", json!([{ "target": { "selector": "#teas > li" }, "count": 12 }])),
            check("basket_there", json!([{ "target": { "selector": "button.save" }, "text_equals": "Save basket" }, { "target": { "selector": "a.cart" }, "attribute": { "name": "href", "equals": "/cart" } }])),
        ],
    })
}

fn har(number: usize, url: &str) -> Value {
    let html = page(number);
    json!({ "log": { "version": "1.2", "creator": { "name": "generated", "version": "1" }, "pages": [], "entries": [{
        "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
        "request": { "method": "GET", "url": url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0 },
        "response": { "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "", "headersSize": -1, "bodySize": html.len(),
            "headers": [{ "name": "content-type", "value": "text/html; charset=utf-8" }],
            "content": { "size": html.len(), "mimeType": "text/html; charset=utf-8", "text": html } },
        "cache": {}, "timings": { "send": 0, "wait": 1, "receive": 0 }, "_resourceType": "document"
    }] } })
}

fn case(number: usize) -> Value {
    json!({ "description": format!("A tea of shop {number} is added."), "run": { "tool": "basket.add" },
        "recording": "recordings/page.har", "expect": { "value": 1, "events": { "add": "ok", "count": "ok" } } })
}
