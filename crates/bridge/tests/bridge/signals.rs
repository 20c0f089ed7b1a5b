//! Signals: heard through a channel that the page cannot see, checked, counted, and joined to the call that caused them.

use actions_engine::Engine;
use serde_json::{Value, json};

use crate::peer::Peer;
use crate::stage::{Stage, tool};

const PAGE: &str = "s0-1";

/// Every button sends an event in its own way.
const SITE: &str = r#"
<title>Signals</title>
<script>
  const send = (name, detail) => dispatchEvent(new CustomEvent(name, { detail }));
  send('site:started', { at: 'start' });
</script>
<button id=say onclick="send('site:said', { word: 'hello' })">Say</button>
<button id=lie onclick="send('site:said', { word: 7 })">Lie</button>
<button id=huge onclick="send('site:said', { word: 'x'.repeat(200000) })">Huge</button>
<button id=cycle onclick="const a = {}; a.a = a; send('site:said', a)">Cycle</button>
<button id=off onclick="send('site:off', { word: 'hello' })">Off</button>
<button id=flood onclick="for (let n = 0; n < 20000; n++) send('site:said', { word: 'w' + n })">Flood</button>
<button id=inside>Inside</button><button id=outside>Outside</button>
<button id=open onclick="send('site:opened', {})">Open</button>
<p id=seen></p>
<button id=look onclick="seen.textContent = [typeof actions_report, typeof actions_heard,
  Object.getOwnPropertyNames(window).filter((name) => /actions/.test(name)).length,
  Object.getOwnPropertySymbols(document).length].join(' ')">Look</button>
<script>
  for (const button of [inside, outside]) {
    button.onclick = () => button.dispatchEvent(new CustomEvent('site:part', { bubbles: true, detail: button.id }));
  }
</script>
"#;

fn map(origin: &str) -> Engine {
    let none = json!({ "type": "object" });
    let press = json!([
        { "id": "press", "primitive": "pointer.click", "args": { "locator": { "selector": "{% input.at %}" } } },
        { "id": "seen", "primitive": "locator.text_content", "args": { "locator": { "selector": "#seen" } } },
    ]);
    let again = json!([
        { "id": "go", "primitive": "browser.navigate", "args": { "url": format!("{origin}/") } },
    ]);
    let at = json!({ "type": "object", "required": ["at"], "properties": { "at": { "type": "string" } } });
    let word =
        json!({ "type": "object", "required": ["word"], "properties": { "word": { "type": "string" } } });
    let signal = |name: &str, event: &str, more: Value| {
        let mut signal =
            json!({ "name": name, "description": "A signal.", "event": event, "ingestion": "enabled" });
        signal.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        signal
    };
    let map = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Signals" },
        "tools": [tool("press", &at, press, "{% steps.seen.output.text %}"), tool("again", &none, again, "{% true %}")],
        "states": [
            { "name": "closed", "description": "The panel is closed." },
            { "name": "opened", "description": "The panel is open." },
        ],
        "transitions": [{ "name": "open", "from": "closed", "to": "opened", "signal": "panel.opened" }],
        "signals": [
            signal("page.started", "site:started", json!({})),
            signal("word.said", "site:said", json!({ "payload": word })),
            signal("word.off", "site:off", json!({ "ingestion": "disabled_by_default" })),
            signal("part.used", "site:part", json!({ "target": { "selector": "#inside" } })),
            signal("panel.opened", "site:opened", json!({})),
        ],
    });
    Engine::from_bytes("signals.json", map.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

async fn press(peer: &mut Peer, call_id: &str, at: &str) -> Value {
    peer.call(call_id, PAGE, "press", json!({ "at": at })).await;
    let answer = peer.answer(call_id).await;
    assert_eq!(answer["type"], "action_call_output", "{answer:#}");
    answer
}

async fn event(peer: &mut Peer) -> Value {
    peer.until(|item| item["type"] == "dom_event").await
}

async fn stage() -> (Stage, Peer) {
    let stage = Stage::of(&[("/", SITE)], 1, map).await;
    let mut peer = stage.peer("").await;
    // The page reports from its first script on once it has been loaded with its map in place.
    peer.call("load", PAGE, "again", json!({})).await;
    let started = event(&mut peer).await;
    assert_eq!(started["payload"], json!({ "at": "start" }), "{started:#}");
    (stage, peer)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declared_signal_is_forwarded_as_data_with_the_call_that_caused_it() {
    let (stage, mut peer) = stage().await;
    peer.call("1", PAGE, "press", json!({ "at": "#say" })).await;
    let heard = event(&mut peer).await;
    assert_eq!(heard["name"], "word.said");
    assert_eq!(heard["event"], "site:said");
    assert_eq!(heard["payload"], json!({ "word": "hello" }));
    assert_eq!(heard["previous_call_id"], "1");
    assert_eq!(heard["runtime_id"], PAGE);
    assert_eq!(heard["untrusted"], true);
    peer.answer("1").await;

    // Events that are not enabled, or come from elsewhere, are not forwarded.
    press(&mut peer, "2", "#off").await;
    press(&mut peer, "3", "#outside").await;
    peer.call("4", PAGE, "press", json!({ "at": "#inside" })).await;
    let part = event(&mut peer).await;
    assert_eq!((&part["name"], &part["payload"]), (&json!("part.used"), &json!("inside")));
    peer.answer("4").await;
    let seen = press(&mut peer, "5", "#look").await;
    assert_eq!(seen["output"], "undefined undefined 0 0", "the page sees nothing of the listener");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_invalid_payload_is_an_error_and_the_following_ones_are_counted() {
    let (stage, mut peer) = stage().await;
    peer.call("1", PAGE, "press", json!({ "at": "#lie" })).await;
    let error = peer.until(|item| item["type"] == "action_error").await;
    assert_eq!(error["error"]["code"], "invalid_result", "{error:#}");
    assert_eq!(error["error"]["evidence"]["signal"], "word.said");
    assert!(error["call_id"].is_null(), "it answers no call: {error:#}");
    peer.answer("1").await;
    for (call_id, at) in [("2", "#lie"), ("3", "#huge"), ("4", "#cycle")] {
        press(&mut peer, call_id, at).await;
    }
    peer.call("5", PAGE, "press", json!({ "at": "#say" })).await;
    let next = peer.until(|item| item["type"] == "dom_event" || item["type"] == "action_error").await;
    assert_eq!(next["type"], "dom_event", "{next:#}");
    peer.answer("5").await;
    let status = peer.until(|item| item["signals"]["by_name"]["word.said"]["rejected"] == 4).await;
    assert_eq!(status["signals"]["by_name"]["word.said"]["heard"], 1, "{status:#}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_events_is_cut_and_counted_and_disturbs_no_call() {
    let (stage, mut peer) = stage().await;
    press(&mut peer, "1", "#flood").await;
    let mut count = 0;
    peer.call("2", PAGE, "press", json!({ "at": "#look" })).await;
    loop {
        let item = peer.next().await.unwrap();
        match (&item["type"], &item["call_id"]) {
            (kind, _) if kind == "dom_event" => count += 1,
            (kind, id) if kind == "action_call_output" && id == "2" => break,
            _ => {}
        }
    }
    assert!(count < 100, "{count} of 20,000 were forwarded");
    // What was dropped is counted, though no further event comes.
    let all_are_counted = |item: &Value| {
        let heard = item["signals"]["by_name"]["word.said"]["heard"].as_u64();
        item["signals"]["dropped"].as_u64().zip(heard).map(|(dropped, heard)| dropped + heard) == Some(20_000)
    };
    let status = peer.until(all_are_counted).await;
    assert!(status["signals"]["by_name"]["word.said"]["heard"].as_u64() < Some(100), "{status:#}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_of_a_transition_changes_the_current_state_until_the_document_goes() {
    let (stage, mut peer) = stage().await;
    press(&mut peer, "1", "#open").await;
    peer.until(|item| item["type"] == "runtime_status" && item["states"] == json!(["opened"])).await;
    peer.call("2", PAGE, "again", json!({})).await;
    peer.until(|item| item["type"] == "runtime_status" && item["states"] == json!([])).await;
    stage.end().await;
}
