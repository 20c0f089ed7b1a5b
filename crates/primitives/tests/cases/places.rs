//! Performs every primitive that takes a locator on a target in each kind of place: in a frame of the same origin and of
//! another, in an open and in a closed shadow root, and in a popup.

use std::collections::BTreeSet;

use actions_browser::{Browser, LoadState};
use actions_dictionary::{Dictionary, Primitive};
use actions_primitives::performed;
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::browser::Kind;
use crate::site::Site;
use crate::stage::Opened;

/// How each primitive is called: its name, the id of its target without the place, and its other arguments.
fn calls() -> Vec<(&'static str, &'static str, Value)> {
    let file = crate::case::fixtures().join("form/upload/note.txt");
    vec![
        ("a11y.tree", "b", json!({})),
        ("browser.screenshot", "b", json!({})),
        ("clipboard.copy", "field", json!({})),
        ("clipboard.paste", "field", json!({ "text": "x" })),
        ("dom.focus", "b", json!({})),
        ("form.select_option", "choice", json!({ "value": "two" })),
        ("form.set_checked", "check", json!({ "checked": true })),
        ("form.submit", "form", json!({})),
        ("form.upload", "file", json!({ "files": [file] })),
        ("form.upload", "attach", json!({ "files": [file], "chooser": true })),
        ("locator.element_info", "b", json!({})),
        ("locator.text_content", "b", json!({})),
        ("locator.value", "field", json!({})),
        ("locator.wait_for", "b", json!({})),
        ("pointer.click", "b", json!({})),
        ("pointer.click", "b", json!({ "offset": { "x": 3, "y": 4 } })),
        ("pointer.double_click", "b", json!({})),
        ("pointer.drag", "b", json!({})),
        ("pointer.move", "b", json!({})),
        ("pointer.wheel", "list", json!({ "delta_y": 40 })),
        ("text.insert", "field", json!({ "text": "x" })),
        ("text.select", "field", json!({})),
        ("text.type", "field", json!({ "text": "x" })),
        ("transfer.insert", "field", json!({ "label": "word" })),
        ("viewport.scroll", "list", json!({ "delta_y": 40 })),
    ]
}

/// How many primitives are performed at once.
const AT_A_TIME: usize = 4;

/// The places: their name, and the frame that a locator names.
const PLACES: [(&str, Option<&str>); 5] =
    [("same", Some("#same")), ("cross", Some("#cross")), ("open", None), ("closed", None), ("popup", None)];

/// What is in every place. `PLACE` stands for the name of the place.
const WIDGETS: &str = r#"
<button id="b-PLACE" type="button">Press</button> <button id="to-PLACE" type="button">There</button>
<input id="field-PLACE" value="ab" aria-label="Field"> <input id="check-PLACE" type="checkbox" aria-label="Check">
<select id="choice-PLACE" aria-label="Choice"><option>one<option>two</select> <input id="file-PLACE" type="file">
<button id="attach-PLACE" type="button" onclick="Object.assign(document.createElement('input'), { type: 'file' }).click()">Attach</button>
<form id="form-PLACE" action="javascript:void 0" onsubmit="event.preventDefault()"><input name="q"></form>
<div id="list-PLACE" style="height: 60px; width: 100px; overflow: auto"><p style="height: 400px">List</p></div>"#;

fn serve(site: &Site) -> String {
    let widgets = |place: &str| WIDGETS.replace("PLACE", place);
    for place in ["same", "cross", "popup"] {
        let page = format!("<!doctype html><title>{place}</title>{}", widgets(place));
        site.server.page(&format!("/places/{place}.html"), page);
    }
    let cross = site.server.url_on("localhost", "/places/cross.html");
    let page = format!(
        "<!doctype html><title>Places</title><style>iframe {{ width: 500px; height: 260px }}</style>
        <div id=open></div> <div id=closed></div>
        <iframe id=same src='/places/same.html'></iframe> <iframe id=cross src='{cross}'></iframe>
        <script>
          open_host = document.getElementById('open').attachShadow({{ mode: 'open' }});
          open_host.innerHTML = {};
          document.getElementById('closed').attachShadow({{ mode: 'closed' }}).innerHTML = {};
        </script>",
        json!(widgets("open")),
        json!(widgets("closed")),
    );
    site.server.page("/places/index.html", page);
    site.server.url("/places/index.html")
}

/// The argument by which a primitive names its target.
fn key(primitive: &Primitive) -> Option<&'static str> {
    let properties = primitive.input_schema()["properties"].as_object()?;
    ["locator", "target", "from"].into_iter().find(|key| properties.contains_key(*key))
}

#[test]
fn every_primitive_that_takes_a_locator_is_in_the_matrix() {
    let dictionary = Dictionary::builtin();
    let taking = performed().filter(|name| dictionary.get(name).and_then(key).is_some());
    let called: BTreeSet<&str> = calls().into_iter().map(|(name, ..)| name).collect();
    assert_eq!(called, taking.collect());
}

async fn work_everywhere(kind: Kind) {
    let site = Site::start().await;
    let url = serve(&site);
    let browser = kind.launch().await;
    let wrong: Vec<String> = futures_util::stream::iter(calls())
        .map(|(name, target, extra)| one_everywhere(&browser, &url, name, target, extra))
        .buffer_unordered(AT_A_TIME)
        .concat()
        .await;
    browser.close().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Performs one primitive in every place, and returns where it failed.
async fn one_everywhere(
    browser: &dyn Browser,
    url: &str,
    name: &str,
    target: &str,
    extra: Value,
) -> Vec<String> {
    let dictionary = Dictionary::builtin();
    let primitive = dictionary.get(name).expect("it is in the dictionary");
    let write = dictionary.get("transfer.write").expect("it is in the dictionary");
    let opened = Opened::new(browser, url, LoadState::Load).await;
    let popup = opened.popup("/places/popup.html").await;
    let mut wrong = Vec::new();
    for (place, frame) in PLACES {
        let on = if place == "popup" { &popup } else { &opened };
        if name == "transfer.insert" {
            let word = json!({ "label": "word", "format": "text/plain", "value": "x" });
            on.perform(write, word, 30_000).await.expect("a value can be stored");
        }
        let at = |id: &str| match frame {
            Some(frame) => json!({ "selector": format!("#{id}-{place}"), "frame": frame }),
            None => json!({ "selector": format!("#{id}-{place}") }),
        };
        let mut args = extra.clone();
        args[key(primitive).expect("it takes a locator")] = at(target);
        if name == "pointer.drag" {
            args["to"] = at("to");
        }
        if let Err(failure) = on.perform(primitive, args, 30_000).await {
            wrong.push(format!("{name} in {place}: {} {}", failure.code, failure.message));
        }
    }
    opened.close(browser).await;
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locators_work_everywhere_on_headless_shell() {
    work_everywhere(Kind::HeadlessShell).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn locators_work_everywhere_on_chromium() {
    work_everywhere(Kind::Chromium).await;
}
