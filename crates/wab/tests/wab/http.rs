//! The bridge by HTTP: documents, headers, sessions, limits and streams.

use std::time::Duration;

use actions_interop::classify::System;
use actions_interop::systems::{ValidateOptions, validator};
use actions_wab::{BridgeOptions, Permission, Permissions, Selectors};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::stage::{KEY, READER, Stage};

const PING: &str = "/api/wab/ping";

fn execute(name: &str, data: Value) -> Option<Value> {
    Some(json!({ "name": name, "data": data }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g1_the_document_is_valid_at_both_places_and_can_be_kept() {
    for strict in [false, true] {
        let stage = Stage::with(BridgeOptions { strict, ..BridgeOptions::default() }).await;
        let first = stage.ask("GET", "/agent-bridge.json", &[], None).await;
        let second = stage.ask("GET", "/.well-known/wab.json", &[], None).await;
        assert_eq!((first.status, &first.body), (200, &second.body));
        assert_eq!(first.header("content-type"), "application/json");
        assert_eq!(first.header("cache-control"), "public, max-age=300");
        assert_eq!(first.header("x-wab-version"), "1.0");
        let tag = first.header("etag").to_owned();
        let again = stage.ask("GET", "/agent-bridge.json", &[("if-none-match", &tag)], None).await;
        assert_eq!(again.status, 304);
        let schema = include_str!("../../../../fixtures/interop/wab/discovery.schema.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let faults: Vec<String> = schema.iter_errors(&first.body).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, Vec::<String>::new());
        let text = first.body.to_string();
        let wab = validator(System::Wab).unwrap();
        let findings = (wab.validate)("agent-bridge.json", text.as_bytes(), ValidateOptions::default());
        assert!(findings.is_empty(), "{findings:#?}");
        let by_method = stage.ask("GET", "/api/wab/discover", &[("x-wab-version", "1.0")], None).await;
        assert_eq!(by_method.body["result"], first.body);
        assert_eq!(first.body.get("actions").is_some(), !strict);
        let triggers: Vec<(&str, &str)> = first.body["capabilities"]["commands"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|command| Some((command["name"].as_str()?, command["trigger"].as_str()?)))
            .collect();
        let expected = [
            ("menu_view", "navigate"),
            ("menu_search", "fill_and_submit"),
            ("order_place", "fill_and_submit"),
            ("page_bottom", "scroll"),
        ];
        assert_eq!(triggers, expected);
        let permissions = first.body["capabilities"]["permissions"].as_object().unwrap();
        assert_eq!(permissions.len(), 8);
        assert_eq!((&permissions["navigate"], &permissions["automatedLogin"]), (&json!(true), &json!(false)));
        stage.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g3_every_method_answers_by_http() {
    let stage = Stage::new().await;
    let get = async |path: &str| stage.ask("GET", &format!("/api/wab/{path}"), &[], None).await;
    let context = get("context").await.body["result"].clone();
    assert_eq!(context["session"], json!({ "authenticated": false, "ttl": 3600 }));
    assert_eq!(context["permissions"]["fillForms"], true);
    assert_eq!(get("actions?category=order").await.body["result"].as_array().unwrap().len(), 1);
    let info = get("page-info").await.body["result"].clone();
    assert_eq!(info["title"], "The Blue Spoon - Menu");
    assert_eq!(info["description"], "Soups and bread, cooked every day");
    assert_eq!(
        (&info["actionsCount"], &info["bridgeVersion"]),
        (&json!(4), &json!(env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(get("ping").await.body["result"]["status"], "ok");
    let read = stage.ask("POST", "/api/wab/read", &[], Some(json!({ "selector": "#menu li" }))).await;
    assert_eq!(read.body["result"]["html"], "<li><b>Lentil soup</b> <span>5.5</span></li>");
    let found =
        stage.ask("POST", "/api/wab/execute", &[], execute("menu_search", json!({ "query": "soup" }))).await;
    assert_eq!((found.status, &found.body["result"]["total"]), (200, &json!(2)));
    let subscribed = stage.ask("POST", "/api/wab/subscribe", &[], Some(json!({ "events": ["error"] }))).await;
    assert!(subscribed.body["result"]["subscriptionId"].as_str().is_some_and(|id| id.starts_with("sub_")));
    let unknown =
        stage.ask("POST", "/api/wab/subscribe", &[], Some(json!({ "events": ["everything"] }))).await;
    assert_eq!((unknown.status, unknown.code()), (400, "INVALID_PARAMS"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g4_answers_repeat_the_id_and_errors_have_the_status_of_their_code() {
    let stage = Stage::new().await;
    let pong = stage.ask("GET", PING, &[("x-wab-request-id", "cmd-1")], None).await;
    assert_eq!((&pong.body["id"], pong.header("x-wab-request-id")), (&json!("cmd-1"), "cmd-1"));
    assert_eq!((&pong.body["type"], pong.header("content-type")), (&json!("success"), "application/json"));
    let cases = [
        ("POST", "/api/wab/execute", Some(json!({})), 400, "INVALID_PARAMS"),
        ("POST", "/api/wab/execute", Some(json!([])), 400, "INVALID_COMMAND"),
        ("POST", "/api/wab/execute", execute("no_such", json!({})), 404, "ACTION_NOT_FOUND"),
        ("POST", "/api/wab/read", Some(json!({ "selector": "#absent" })), 404, "SELECTOR_NOT_FOUND"),
        ("POST", "/api/wab/read", Some(json!({ "selector": ":::" })), 400, "INVALID_PARAMS"),
        ("GET", "/api/wab/nothing", None, 400, "INVALID_METHOD"),
        ("GET", "/api/wab/execute", None, 405, "INVALID_METHOD"),
    ];
    for (method, path, body, status, code) in cases {
        let answer = stage.ask(method, path, &[], body).await;
        assert_eq!(
            (answer.status, answer.code(), &answer.body["type"]),
            (status, code, &json!("error")),
            "{path}"
        );
    }
    let version = stage.ask("GET", PING, &[("x-wab-version", "2.0")], None).await;
    assert_eq!((version.status, version.code()), (400, "UNSUPPORTED_VERSION"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g5_what_the_document_or_the_session_does_not_grant_is_refused() {
    let withheld = Permissions::of([Permission::Navigate, Permission::ReadContent]);
    let stage = Stage::with(BridgeOptions { withheld, ..BridgeOptions::default() }).await;
    let view = stage.ask("POST", "/api/wab/execute", &[], execute("menu_view", json!({}))).await;
    assert_eq!((view.status, view.code()), (403, "PERMISSION_DENIED"));
    let read = stage.ask("POST", "/api/wab/read", &[], Some(json!({ "selector": "#menu" }))).await;
    assert_eq!(read.code(), "PERMISSION_DENIED");
    let token = stage.token(READER).await;
    let bearer = format!("Bearer {token}");
    let scroll = stage
        .ask("POST", "/api/wab/execute", &[("authorization", &bearer)], execute("page_bottom", json!({})))
        .await;
    assert_eq!(scroll.code(), "PERMISSION_DENIED");
    let scroll = stage.ask("POST", "/api/wab/execute", &[], execute("page_bottom", json!({}))).await;
    assert_eq!(scroll.status, 200, "{scroll:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g6_arguments_are_checked_before_anything_happens() {
    let stage = Stage::new().await;
    let wrong = json!({ "items": "s1", "address": "Harbour 1" });
    let refused = stage.ask("POST", "/api/wab/execute", &[], execute("order_place", wrong)).await;
    assert_eq!((refused.status, refused.code()), (400, "INVALID_PARAMS"));
    let order = |dish: &str| execute("order_place", json!({ "items": [dish], "address": "Harbour 1" }));
    let (first, failed, second) = tokio::join!(
        stage.ask("POST", "/api/wab/execute", &[], order("s1")),
        stage.ask("POST", "/api/wab/execute", &[], execute("no_such", json!({}))),
        stage.ask("POST", "/api/wab/execute", &[], order("s2")),
    );
    assert_eq!(failed.code(), "ACTION_NOT_FOUND");
    let mut receipts: Vec<&str> =
        [&first, &second].into_iter().filter_map(|one| one.body["result"]["receipt"].as_str()).collect();
    receipts.sort_unstable();
    assert_eq!(receipts.len(), 2, "{first:?} {second:?}");
    assert!(receipts[0].starts_with("Order 1: ") && receipts[1].starts_with("Order 2: "), "{receipts:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g7_sessions_begin_with_a_key_and_wrong_tokens_are_refused() {
    let stage = Stage::with(BridgeOptions { auth_for_writes: true, ..BridgeOptions::default() }).await;
    let order = || execute("order_place", json!({ "items": ["s1"], "address": "Harbour 1" }));
    let without = stage.ask("POST", "/api/wab/execute", &[], order()).await;
    assert_eq!((without.status, without.code()), (401, "AUTHENTICATION_REQUIRED"));
    let free =
        stage.ask("POST", "/api/wab/execute", &[], execute("menu_search", json!({ "query": "x" }))).await;
    assert_eq!(free.status, 200);
    let wrong = stage
        .ask("POST", "/api/wab/authenticate", &[], Some(json!({ "apiKey": "a-wrong-key", "meta": {} })))
        .await;
    assert_eq!((wrong.status, wrong.code()), (401, "INVALID_TOKEN"));
    for bad in ["Bearer sess_0", "Basic abc"] {
        let refused = stage.ask("POST", "/api/wab/execute", &[("authorization", bad)], order()).await;
        assert_eq!((refused.status, refused.code()), (401, "INVALID_TOKEN"), "{bad}");
    }
    let (old, new) = (stage.token(KEY).await, stage.token(KEY).await);
    assert_ne!(old, new);
    for token in [old, new] {
        let bearer = format!("Bearer {token}");
        let placed = stage.ask("POST", "/api/wab/execute", &[("authorization", &bearer)], order()).await;
        assert_eq!(placed.status, 200, "an old token stays valid: {placed:?}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g9_an_id_is_accepted_once_in_a_session() {
    let stage = Stage::new().await;
    let bearer = format!("Bearer {}", stage.token(KEY).await);
    let headers = [("authorization", bearer.as_str()), ("x-wab-request-id", "7")];
    assert_eq!(stage.ask("GET", PING, &headers, None).await.status, 200);
    let again = stage.ask("GET", PING, &headers, None).await;
    assert_eq!((again.status, again.code()), (409, "DUPLICATE_COMMAND_ID"));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g10_too_many_commands_are_refused_with_the_time_to_wait() {
    let stage = Stage::with(BridgeOptions { max_rate: 3, ..BridgeOptions::default() }).await;
    let bearer = format!("Bearer {}", stage.token(KEY).await);
    for left in ["2", "1", "0"] {
        let pong = stage.ask("GET", PING, &[("authorization", &bearer)], None).await;
        assert_eq!((pong.status, pong.header("x-wab-rate-remaining")), (200, left));
        assert!(pong.header("x-wab-rate-reset").parse::<u64>().is_ok_and(|reset| reset > 1_000_000_000));
    }
    let refused = stage.ask("GET", PING, &[("authorization", &bearer)], None).await;
    assert_eq!((refused.status, refused.code()), (429, "RATE_LIMITED"));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait) && refused.body["error"]["retryAfter"] == wait);
    assert_eq!(
        stage.ask("GET", PING, &[], None).await.status,
        200,
        "callers without a session are counted apart"
    );
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g11_pages_of_other_origins_are_refused() {
    let stage = Stage::new().await;
    let evil = stage.ask("GET", PING, &[("origin", "https://evil.example")], None).await;
    assert_eq!((evil.status, evil.code()), (403, "ORIGIN_MISMATCH"));
    assert_eq!(evil.header("access-control-allow-origin"), "");
    let own = stage.server.origin();
    let pong = stage.ask("GET", PING, &[("origin", &own)], None).await;
    assert_eq!(
        (pong.status, pong.header("access-control-allow-origin"), pong.header("vary")),
        (200, own.as_str(), "Origin")
    );
    let host = stage.ask("GET", PING, &[("host", "rebound.example")], None).await;
    assert_eq!(host.status, 403, "a foreign name of this machine is refused");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g12_blocked_selectors_are_refused() {
    let selectors = Selectors { blocked: vec!["#secret".to_owned()], allowed: Vec::new() };
    let stage = Stage::with(BridgeOptions { selectors, ..BridgeOptions::default() }).await;
    for selector in ["#secret", "#menu, #secret"] {
        let refused = stage.ask("POST", "/api/wab/read", &[], Some(json!({ "selector": selector }))).await;
        assert_eq!((refused.status, refused.code()), (403, "SELECTOR_BLOCKED"));
    }
    let menu = stage.ask("POST", "/api/wab/read", &[], Some(json!({ "selector": "#menu" }))).await;
    let html = menu.body["result"]["html"].as_str().unwrap();
    assert!(html.starts_with("<ul id=\"menu\">") && !html.contains("onclick"), "{html}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g13_each_command_leaves_an_entry_in_the_log() {
    let stage = Stage::new().await;
    let own = stage.server.origin();
    let headers = [("x-wab-agent-name", "Clerk"), ("x-wab-request-id", "e1"), ("origin", own.as_str())];
    stage.ask("POST", "/api/wab/execute", &headers, execute("no_such", json!({}))).await;
    let entry = stage.log.entries().pop().unwrap();
    let expected = json!({
        "commandId": "e1", "method": "wab.executeAction", "agentId": "Clerk", "origin": own,
        "status": "error", "errorCode": "ACTION_NOT_FOUND",
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&entry[key], value, "{entry}");
    }
    assert!(entry["timestamp"].is_string() && entry["latencyMs"].is_u64());
    let token = stage.token(KEY).await;
    let text = serde_json::to_string(&stage.log.entries()).unwrap();
    assert!(!text.contains(KEY) && !text.contains(&token), "no secret is logged");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g16_pages_that_may_talk_to_the_bridge_learn_what_they_may_send() {
    let stage = Stage::with(BridgeOptions { require_origin_match: false, ..BridgeOptions::default() }).await;
    let headers = [("origin", "https://app.example"), ("access-control-request-method", "POST")];
    let answer = stage.ask("OPTIONS", "/api/wab/execute", &headers, None).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (204, "*"));
    assert_eq!(answer.header("access-control-allow-methods"), "GET, POST, OPTIONS");
    assert_eq!(answer.header("access-control-max-age"), "86400");
    for name in
        ["Authorization", "X-WAB-Version", "X-WAB-Request-Id", "X-WAB-Agent-Name", "X-WAB-Agent-Version"]
    {
        assert!(answer.header("access-control-allow-headers").contains(name), "{name}");
    }
    for name in ["X-WAB-Version", "X-WAB-Rate-Remaining", "X-WAB-Rate-Reset", "Retry-After"] {
        assert!(answer.header("access-control-expose-headers").contains(name), "{name}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g14_a_subscription_by_http_is_a_stream_of_events() {
    let stage = Stage::new().await;
    let subscribed =
        stage.ask("POST", "/api/wab/subscribe", &[], Some(json!({ "events": ["actionExecuted"] }))).await;
    let path = subscribed.body["result"]["stream"].as_str().unwrap().to_owned();
    let found =
        stage.ask("POST", "/api/wab/execute", &[], execute("menu_search", json!({ "query": "soup" }))).await;
    assert_eq!(found.status, 200);
    let mut stream = tokio::net::TcpStream::connect(stage.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", stage.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    let reading = async {
        let mut bytes = [0; 4096];
        while !text.contains("\"actionExecuted\"") {
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "the stream ended: {text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    };
    tokio::time::timeout(Duration::from_secs(30), reading).await.expect("an event");
    assert!(text.contains("text/event-stream") && text.contains("event: actionExecuted"), "{text}");
    drop(stream);
    let again = stage.ask("GET", &path, &[], None).await;
    assert_eq!(again.code(), "INVALID_PARAMS", "a subscription is connected to once");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_of_another_dialect_are_understood_unless_the_bridge_is_strict() {
    let stage = Stage::new().await;
    let search = json!({ "action": "menu_search", "params": { "query": "soup" } });
    let found = stage.ask("POST", "/api/wab/execute", &[], Some(search.clone())).await;
    assert_eq!(found.body["result"]["total"], 2);
    let named = stage
        .ask("POST", "/api/wab/actions/menu.search", &[], Some(json!({ "params": { "query": "soup" } })))
        .await;
    assert_eq!(named.body["result"]["total"], 2, "{named:?}");
    let begun = stage.ask("POST", "/api/wab/authenticate", &[], Some(json!({ "apiKey": KEY }))).await;
    assert_eq!(begun.body["result"]["token"], begun.body["result"]["sessionToken"]);
    assert_eq!(begun.body["result"]["expiresIn"], 3600);
    stage.end().await;
    let stage = Stage::with(BridgeOptions { strict: true, ..BridgeOptions::default() }).await;
    let version = [("x-wab-version", "1.0")];
    let refused = stage.ask("POST", "/api/wab/execute", &version, Some(search)).await;
    assert_eq!((refused.status, refused.code()), (400, "INVALID_PARAMS"));
    let named =
        stage.ask("POST", "/api/wab/actions/menu_search", &version, Some(json!({ "params": {} }))).await;
    assert_eq!(named.code(), "INVALID_METHOD");
    assert_eq!(
        stage.ask("GET", PING, &[], None).await.code(),
        "UNSUPPORTED_VERSION",
        "the version has to be named"
    );
    stage.end().await;
}
