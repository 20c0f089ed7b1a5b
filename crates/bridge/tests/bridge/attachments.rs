//! Attachments: put beside their targets, out of the way of calls, and used by people.

use std::time::Duration;

use actions_engine::Engine;
use actions_engine::browser::{Deadline, Input, Modifiers, MouseButton, Page, Point, SystemClock};
use serde_json::{Value, json};

use crate::stage::{Stage, tool};

const PAGE: &str = "s0-1";

/// A page with a strict policy and rude styles.
const SITE: &str = r#"
<meta http-equiv="Content-Security-Policy" content="style-src 'unsafe-inline'; frame-src 'none'">
<title>Attachments</title>
<style>* { display: none !important } html, body, main, h1, button, div { display: block !important; }
  button { position: absolute; left: 40px; top: 100px; width: 200px; height: 40px }
  h1 { position: absolute; left: 40px; top: 20px; width: 300px }</style>
<main><h1>Results</h1><button onclick="count.textContent = Number(count.textContent) + 1">Press</button>
<div id=count>0</div><div id=seen></div></main>
<script>
  const look = () => seen.textContent = String(document.querySelector('actions-attachments')?.shadowRoot);
  // A page may forge the element; it is not the one of the driver.
  document.body.append(document.createElement('actions-attachments'));
</script>
"#;

fn map(origin: &str) -> Engine {
    let none = json!({ "type": "object" });
    let press = json!([
        { "id": "press", "primitive": "pointer.click", "args": { "locator": { "selector": "main button" } } },
        { "id": "seen", "primitive": "locator.text_content", "args": { "locator": { "selector": "#count" } } },
    ]);
    let attachment = |id: &str, kind: &str, selector: &str, affordance: Value| {
        json!({ "id": id, "kind": kind, "target": { "selector": selector }, "affordance": affordance,
            "lifecycle": { "install": "when_target_matches", "remove": "when_context_mismatch",
                "reattach": "on_url_or_dom_change" } })
    };
    let mut launcher = attachment(
        "categories",
        "overlay_launcher",
        "h1",
        json!({ "label": "Categories", "placement": "afterend", "opens": { "tool": "overlay.open",
            "arguments": { "title": "Categories", "html": "<h2>Maps</h2><script>top.document.title='owned'</script>" } } }),
    );
    launcher["signals"] = json!(["overlay.launcher_opened"]);
    let map = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Attachments" },
        "tools": [tool("press", &none, press, "{% steps.seen.output.text %}")],
        "attachments": [
            launcher,
            attachment("over", "annotation", "main button", json!({ "label": "A note over the whole button", "placement": "afterbegin" })),
            attachment("later", "status_badge", "#later", json!({ "label": "New" })),
            attachment("odd", "hologram", "h1", json!({ "label": "?" })),
            attachment("private", "overlay_launcher", "h1", json!({ "label": "Private", "opens": { "tool": "overlay.open",
                "arguments": { "title": "P", "html_source": "../../../etc/hostname.html" } } })),
        ],
        "signals": [{ "name": "overlay.launcher_opened", "description": "A launcher was used.",
            "event": "actions-json:overlay-launcher-opened", "ingestion": "enabled",
            "payload": { "type": "object", "required": ["launcher_id"],
                "properties": { "launcher_id": { "type": "string" } } } }],
    });
    Engine::from_bytes("attachments.json", map.to_string().as_bytes())
        .unwrap_or_else(|error| panic!("{error}"))
}

fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(20))
}

fn standing(status: &Value, id: &str) -> Value {
    let all = status["attachments"].as_array().cloned().unwrap_or_default();
    all.into_iter().find(|one| one["id"] == id).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attachments_stand_where_they_belong_and_never_take_a_call_s_click() {
    let stage = Stage::of(&[("/", SITE)], 1, map).await;
    let mut peer = stage.peer("").await;
    let status = peer.until(|item| standing(item, "over")["state"] == "attached").await;
    assert_eq!(standing(&status, "categories")["state"], "attached", "{status:#}");
    assert_eq!(standing(&status, "later")["state"], "waiting");
    assert!(standing(&status, "odd")["problem"].as_str().is_some_and(|why| why.contains("hologram")));
    let private = standing(&status, "private");
    assert!(private["problem"].as_str().is_some_and(|why| why.contains("leaves the folder")), "{private}");

    for call_id in ["1", "2"] {
        peer.call(call_id, PAGE, "press", json!({})).await;
        assert_eq!(peer.answer(call_id).await["output"], call_id, "the click reached the button");
    }

    // A new target gets its attachment, and a target that goes takes it along.
    let page = stage.bridge.runtime().sessions()[0].views()[0].page();
    let evaluate = async |source: &str| page.evaluate(source, soon()).await.unwrap();
    evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=later>Later</div>'); 0").await;
    evaluate("history.pushState({}, '', '#later'); 0").await;
    peer.until(|item| standing(item, "later")["state"] == "attached").await;
    evaluate("document.querySelector('#later').remove(); history.pushState({}, '', '#gone'); 0").await;
    peer.until(|item| standing(item, "later")["state"] == "detached").await;
    evaluate("look(); 0").await;
    assert_eq!(evaluate("seen.textContent").await, "null", "the page sees no shadow root");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_opens_an_overlay_which_sends_its_signal_and_cannot_reach_the_page() {
    let stage = Stage::of(&[("/", SITE)], 1, map).await;
    let mut peer = stage.peer("").await;
    peer.until(|item| standing(item, "categories")["state"] == "attached").await;
    let page = stage.bridge.runtime().sessions()[0].views()[0].page();
    let picture = async |name: &str| keep_picture(&*page, name).await;
    picture("light").await;
    click(&*page, 390.0, 60.0).await;
    let heard = peer.until(|item| item["type"] == "dom_event").await;
    assert_eq!(heard["name"], "overlay.launcher_opened");
    assert_eq!(heard["payload"]["launcher_id"], "categories");
    picture("overlay").await;
    assert_eq!(page.title(soon()).await.unwrap(), "Attachments", "the overlay ran no script");
    // The page cannot use an attachment by itself.
    page.evaluate(
        "document.body.style.background = '#111'; document.elementFromPoint(390, 60).click(); 0",
        soon(),
    )
    .await
    .unwrap();
    peer.call("1", PAGE, "press", json!({})).await;
    let next = peer
        .until(|item| item["type"] == "dom_event" || item["call_id"] == "1" && item["output"].is_string())
        .await;
    assert_eq!(next["type"], "action_call_output", "{next:#}");
    page.evaluate(
        "document.querySelector('main').style.background = '#111'; dispatchEvent(new Event('resize')); 0",
        soon(),
    )
    .await
    .unwrap();
    picture("dark").await;
    stage.end().await;
}

/// A click as a person makes it: the driver's own gestures are not announced.
async fn click(page: &dyn Page, x: f64, y: f64) {
    let (at, button, modifiers) = (Point { x, y }, MouseButton::Left, Modifiers::NONE);
    let events = [
        Input::MouseMove { to: at, modifiers },
        Input::MouseDown { at, button, click_count: 1, modifiers },
        Input::MouseUp { at, button, click_count: 1, modifiers },
    ];
    page.input(&events, soon()).await.unwrap();
}

/// Saves a picture to look at, if `ACTIONS_PICTURES` names a folder.
async fn keep_picture(page: &dyn Page, name: &str) {
    let Ok(folder) = std::env::var("ACTIONS_PICTURES") else { return };
    let image = page.screenshot(actions_engine::browser::Screenshot::default(), soon()).await.unwrap();
    std::fs::write(format!("{folder}/{name}.png"), image).unwrap();
}
