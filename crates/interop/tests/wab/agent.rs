//! The agent: sessions, transports, limits, and what it does not believe.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_engine::browser::TestClock;
use actions_engine::{ErrorCode, WabAuth, WabPageAnswer, WabPlaces, WabTransport};
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::import::{Wishes, live};
use actions_testserver::{Request, Response, TestServer};
use serde_json::{Value, json};

use crate::bridge::{KEY, Page, SocketBridge, agent, call, send, send_from};
use crate::document::fixture;

const ALL: [WabTransport; 3] = [WabTransport::JsGlobal, WabTransport::Websocket, WabTransport::Http];

fn success(result: Value) -> Response {
    Response::json(json!({ "id": "x", "type": "success", "result": result }).to_string())
}

fn error(status: u16, code: &str) -> Response {
    let error = json!({ "id": "x", "type": "error", "error": { "code": code, "message": "no" } });
    Response::json(error.to_string()).with_status(status)
}

/// A bridge by HTTP that answers every ping, and every action with its data.
async fn bridge() -> TestServer {
    let server = TestServer::start().await.unwrap();
    server.route("/api/wab/ping", |_| success(json!({ "status": "ok" })));
    server.route("/api/wab/execute", |request: &Request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        success(body["data"].clone())
    });
    server
}

fn http(server: &TestServer) -> WabPlaces {
    WabPlaces { http: Some(server.url("/api/wab")), ..WabPlaces::default() }
}

fn paths(server: &TestServer) -> Vec<String> {
    server.served().into_iter().map(|served| served.request.path).collect()
}

#[tokio::test]
async fn b1_the_second_place_is_tried_when_the_first_has_no_document() {
    let server = TestServer::start().await.unwrap();
    let mut document = fixture("restaurant.json");
    document["provider"]["url"] = json!(server.origin());
    document["transport"]["websocket"] = json!({ "enabled": false });
    let text = document.to_string();
    server.route("/.well-known/wab.json", move |_| Response::json(text.clone()));
    let client = Client::new(Identity::default()).unwrap();
    let imported = live::import(&client, &server.url("/"), &Wishes::default()).await.unwrap();
    assert_eq!(imported.site.provenance.system, "wab");
    let asked = paths(&server);
    let place = |wanted: &str| asked.iter().position(|path| path == wanted).unwrap();
    assert!(place("/agent-bridge.json") < place("/.well-known/wab.json"), "{asked:?}");
}

#[tokio::test]
async fn b2_a_version_that_is_not_known_is_refused_with_its_code() {
    let server = TestServer::start().await.unwrap();
    let mut document = fixture("restaurant.json");
    document["wab_version"] = json!("2.0");
    let text = document.to_string();
    server.route("/agent-bridge.json", move |_| Response::json(text.clone()));
    let client = Client::new(Identity::default()).unwrap();
    let refused =
        live::import(&client, &server.url("/agent-bridge.json"), &Wishes::default()).await.unwrap_err();
    assert_eq!(actions_engine::CallError::from(&refused).code, ErrorCode::ManifestUnsupportedVersion);
}

#[tokio::test]
async fn b3_a_document_is_kept_as_long_as_its_headers_say() {
    let server = TestServer::start().await.unwrap();
    let text = fixture("restaurant.json").to_string();
    // The test server forbids keeping what says nothing about it.
    let kept = move |_: &Request| Response::json(text.clone()).with_header("cache-control", "max-age=300");
    server.route("/agent-bridge.json", kept);
    let client = Client::new(Identity::default()).unwrap();
    for _ in 0..3 {
        live::maps(&client, &server.url("/"), &Wishes::default()).await.unwrap();
    }
    assert_eq!(paths(&server).iter().filter(|path| *path == "/agent-bridge.json").count(), 1);
}

#[tokio::test]
async fn b5_the_key_begins_a_session_and_its_token_goes_with_each_command() {
    let (server, clock) = (bridge().await, TestClock::new());
    server.route("/api/wab/authenticate", |request: &Request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        match body["apiKey"] == KEY && body["meta"]["agentName"] == "clerk" {
            true => success(json!({ "sessionToken": "sess_1", "expiresIn": 1000, "permissions": {} })),
            false => error(401, "INVALID_TOKEN"),
        }
    });
    server.route("/api/wab/execute", |request: &Request| match request.header("authorization") {
        Some("Bearer sess_1") => success(json!({ "echo": format!("your token is sess_1, your key {KEY}") })),
        _ => error(401, "AUTHENTICATION_REQUIRED"),
    });
    let agent = agent(&[&server.origin()], &clock);
    for _ in 0..2 {
        let mut call = call(&server.url("/"), http(&server), &[WabTransport::Http]);
        call.auth = WabAuth::Required;
        let reply = send(&agent, call, &clock).await.unwrap();
        assert_eq!(reply.result["echo"], "your token is [secret], your key [secret]");
    }
    let begun = paths(&server).into_iter().filter(|path| path.ends_with("authenticate")).count();
    assert_eq!(begun, 1, "the session is kept");
}

#[tokio::test]
async fn b6_a_session_is_renewed_when_a_tenth_of_its_time_is_left() {
    let (server, clock) = (bridge().await, TestClock::new());
    let number = Mutex::new(0);
    server.route("/api/wab/authenticate", move |_| {
        let mut number = number.lock().unwrap();
        *number += 1;
        success(json!({ "token": format!("sess_{number}"), "expiresIn": 100 }))
    });
    let used: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&used);
    server.route("/api/wab/execute", move |request: &Request| {
        seen.lock().unwrap().push(request.header("authorization").unwrap_or_default().to_owned());
        success(Value::Null)
    });
    let agent = agent(&[&server.origin()], &clock);
    for wait in [0, 89, 1] {
        clock.advance(Duration::from_secs(wait));
        let mut call = call(&server.url("/"), http(&server), &[WabTransport::Http]);
        call.auth = WabAuth::Required;
        send(&agent, call, &clock).await.unwrap();
    }
    assert_eq!(*used.lock().unwrap(), ["Bearer sess_1", "Bearer sess_1", "Bearer sess_2"]);
}

#[tokio::test]
async fn b6_a_session_that_has_ended_is_begun_again_once() {
    let (server, clock) = (bridge().await, TestClock::new());
    server.route("/api/wab/authenticate", |_| success(json!({ "token": "sess_0", "expiresIn": 100 })));
    server.route("/api/wab/execute", |_| error(401, "SESSION_EXPIRED"));
    let agent = agent(&[&server.origin()], &clock);
    let mut call = call(&server.url("/"), http(&server), &[WabTransport::Http]);
    call.auth = WabAuth::Required;
    let failure = send(&agent, call, &clock).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::AuthExpired);
    let count = |end: &str| paths(&server).into_iter().filter(|path| path.ends_with(end)).count();
    assert_eq!((count("authenticate"), count("execute")), (2, 2));
}

#[tokio::test]
async fn b7_a_session_that_does_not_grant_the_permission_sends_nothing() {
    let (server, clock) = (bridge().await, TestClock::new());
    server.route("/api/wab/authenticate", |_| {
        success(json!({ "token": "sess_0", "permissions": { "click": true } }))
    });
    let agent = agent(&[&server.origin()], &clock);
    let mut call = call(&server.url("/"), http(&server), &[WabTransport::Http]);
    (call.auth, call.permission) = (WabAuth::Required, Some("apiAccess".to_owned()));
    let failure = send(&agent, call, &clock).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::PermissionDenied);
    assert!(!paths(&server).iter().any(|path| path.ends_with("execute")));
}

#[tokio::test]
async fn b8_after_a_refusal_nothing_is_sent_until_the_time_is_over() {
    let (server, clock) = (bridge().await, TestClock::new());
    let refusing = Mutex::new(true);
    server.route("/api/wab/execute", move |_| match std::mem::take(&mut *refusing.lock().unwrap()) {
        true => error(429, "RATE_LIMITED").with_header("retry-after", "12"),
        false => success(json!(1)),
    });
    let agent = agent(&[], &clock);
    let command = || call(&server.url("/"), http(&server), &[WabTransport::Http, WabTransport::Websocket]);
    let failure = send(&agent, command(), &clock).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::RateLimited);
    let sent = paths(&server).len();
    clock.advance(Duration::from_secs(11));
    let failure = send(&agent, command(), &clock).await.unwrap_err();
    assert_eq!((failure.code, &failure.evidence["retry_after_ms"]), (ErrorCode::RateLimited, &json!(1_000)));
    assert_eq!(paths(&server).len(), sent, "nothing was sent");
    clock.advance(Duration::from_secs(1));
    assert_eq!(send(&agent, command(), &clock).await.unwrap().result, 1);
}

#[tokio::test]
async fn b9_commands_have_the_form_of_the_protocol_and_ids_of_their_own() {
    let clock = TestClock::new();
    let socket = SocketBridge::start(|command| match command["method"] == "wab.authenticate" {
        true => json!({ "type": "success", "result": { "sessionToken": "sess_1", "expiresIn": 100 } }),
        false => json!({ "type": "success", "result": command["context"]["sessionToken"] == "sess_1" }),
    })
    .await;
    let places = WabPlaces { websocket: Some(socket.url.clone()), ..WabPlaces::default() };
    let agent = agent(&["http://127.0.0.1:1"], &clock);
    for _ in 0..2 {
        let mut call = call("http://127.0.0.1:1/", places.clone(), &[WabTransport::Websocket]);
        call.auth = WabAuth::Required;
        assert_eq!(send(&agent, call, &clock).await.unwrap().result, true);
    }
    let received = socket.received.lock().unwrap().clone();
    assert_eq!(received.len(), 3, "{received:?}");
    let mut ids: Vec<&str> = received.iter().map(|command| command["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 3);
    assert_eq!(received[1]["params"], json!({ "name": "search", "data": { "query": "soup" } }));
    assert_eq!(*socket.connections.lock().unwrap(), 1, "the connection is used again");
}

#[tokio::test]
async fn b10_a_transport_that_cannot_be_reached_gives_way_to_the_next_one() {
    let (server, clock) = (bridge().await, TestClock::new());
    let places = WabPlaces { websocket: Some("ws://127.0.0.1:1/ws".to_owned()), ..http(&server) };
    let agent = agent(&[], &clock);
    let reply = send(&agent, call(&server.url("/"), places, &ALL), &clock).await.unwrap();
    assert_eq!((reply.transport, &reply.result["query"]), (WabTransport::Http, &json!("soup")));
}

#[tokio::test]
async fn b10_what_may_have_run_is_not_sent_again() {
    let (server, clock) = (bridge().await, TestClock::new());
    // A bridge that answers with something that cannot be read has run the command.
    server.route("/api/wab/execute", |_| Response::html("<h1>Thank you</h1>"));
    let socket = SocketBridge::start(|_| json!({ "type": "success", "result": 1 })).await;
    let places = WabPlaces { websocket: Some(socket.url.clone()), ..http(&server) };
    let agent = agent(&[], &clock);
    let order = [WabTransport::Http, WabTransport::Websocket];
    let failure = send(&agent, call(&server.url("/"), places, &order), &clock).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::TransportFailed);
    assert!(socket.received.lock().unwrap().is_empty());
}

#[tokio::test]
async fn b10_a_bridge_that_says_its_transport_failed_is_asked_on_another_one() {
    let (server, clock) = (bridge().await, TestClock::new());
    let socket = SocketBridge::start(
        |_| json!({ "type": "error", "error": { "code": "TRANSPORT_ERROR", "message": "x" } }),
    )
    .await;
    let places = WabPlaces { websocket: Some(socket.url.clone()), ..http(&server) };
    let agent = agent(&[], &clock);
    let reply = send(&agent, call(&server.url("/"), places, &ALL), &clock).await.unwrap();
    assert_eq!(reply.transport, WabTransport::Http);
}

#[tokio::test]
async fn b11_the_bridge_of_a_page_is_waited_for() {
    let clock = TestClock::new();
    let page =
        Page { url: "https://shop.example/menu".to_owned(), clock: Some(clock.clone()), ..Page::default() };
    let answers = [
        WabPageAnswer::Missing,
        WabPageAnswer::Missing,
        WabPageAnswer::Value(json!({ "id": 1, "type": "success", "result": { "total": 2 } })),
    ];
    page.answers.lock().unwrap().extend(answers);
    let places = WabPlaces { js_global: Some("window.AICommands".to_owned()), ..WabPlaces::default() };
    let agent = agent(&[], &clock);
    let reply = send_from(&agent, call("https://shop.example/", places, &ALL), &page, &clock).await.unwrap();
    assert_eq!((reply.transport, &reply.result["total"]), (WabTransport::JsGlobal, &json!(2)));
    let called: Vec<String> = page.called.lock().unwrap().iter().map(|(path, _)| path.clone()).collect();
    assert_eq!(called, ["__wab_bidi.send", "window.AICommands.execute", "__wab_bidi.send"]);
}

#[tokio::test]
async fn a_page_that_goes_away_has_done_what_the_command_asked() {
    let clock = TestClock::new();
    let page = Page { url: "https://shop.example/".to_owned(), ..Page::default() };
    page.answers.lock().unwrap().push_back(WabPageAnswer::Navigated);
    let places = WabPlaces { js_global: Some("window.AICommands".to_owned()), ..WabPlaces::default() };
    let agent = agent(&[], &clock);
    let reply = send_from(&agent, call("https://shop.example/", places, &ALL), &page, &clock).await.unwrap();
    assert!(reply.navigated && reply.result.is_null());
}

#[tokio::test]
async fn a_page_of_another_site_is_never_asked() {
    let (server, clock) = (bridge().await, TestClock::new());
    let page = Page { url: "https://evil.example/".to_owned(), ..Page::default() };
    let places = WabPlaces { js_global: Some("window.AICommands".to_owned()), ..http(&server) };
    let agent = agent(&[&server.origin()], &clock);
    let reply = send_from(&agent, call(&server.url("/"), places, &ALL), &page, &clock).await.unwrap();
    assert_eq!(reply.transport, WabTransport::Http);
    assert!(page.called.lock().unwrap().is_empty());
}

#[tokio::test]
async fn b12_a_connection_that_was_silent_for_a_minute_is_opened_anew() {
    let clock = TestClock::new();
    let socket = SocketBridge::start(|_| json!({ "type": "success", "result": 1 })).await;
    let places = WabPlaces { websocket: Some(socket.url.clone()), ..WabPlaces::default() };
    let agent = agent(&[], &clock);
    for (wait, connections) in [(0, 1), (59, 1), (61, 2)] {
        clock.advance(Duration::from_secs(wait));
        send(&agent, call("http://127.0.0.1:1/", places.clone(), &ALL), &clock).await.unwrap();
        assert_eq!(*socket.connections.lock().unwrap(), connections);
    }
}

#[tokio::test]
async fn b13_requests_name_the_version_the_id_and_the_agent() {
    let (server, clock) = (bridge().await, TestClock::new());
    let agent = agent(&[], &clock);
    send(&agent, call(&server.url("/"), http(&server), &ALL), &clock).await.unwrap();
    let served = server.served();
    let execute = served.iter().find(|served| served.request.path.ends_with("execute")).unwrap();
    let header = |name: &str| execute.request.header(name).unwrap_or_default().to_owned();
    assert_eq!(
        (header("x-wab-version"), header("accept")),
        ("1.0".to_owned(), "application/json".to_owned())
    );
    assert_eq!(header("x-wab-agent-name"), "clerk");
    assert!(header("x-wab-request-id").starts_with("cmd_") && !header("x-wab-agent-version").is_empty());
}

#[tokio::test]
async fn a_key_is_not_sent_without_tls() {
    let clock = TestClock::new();
    let agent = agent(&["http://shop.example"], &clock);
    let places = WabPlaces { http: Some("http://shop.example/api/wab".to_owned()), ..WabPlaces::default() };
    let mut call = call("http://shop.example/", places, &ALL);
    call.auth = WabAuth::Required;
    let failure = send(&agent, call, &clock).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::AuthRequired);
    assert!(failure.message.contains("TLS"), "{}", failure.message);
}

#[tokio::test]
async fn bridges_of_another_dialect_are_called_as_they_want_it() {
    let (server, clock) = (TestServer::start().await.unwrap(), TestClock::new());
    server.route("/api/wab/ping", |_| success(json!({})));
    server.route("/api/wab/actions/search", |request: &Request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        Response::json(json!({ "success": true, "result": body["params"] }).to_string())
    });
    let agent = agent(&[], &clock);
    let reply = send(&agent, call(&server.url("/"), http(&server), &ALL), &clock).await.unwrap();
    assert_eq!(reply.result["query"], "soup");
    let mut strict = call(&server.url("/"), http(&server), &ALL);
    strict.lenient = false;
    assert!(send(&agent, strict, &clock).await.is_err());
}

#[tokio::test]
async fn b14_sites_are_compared_by_what_they_offer_and_never_by_who_they_are() {
    use actions_interop::wab::rank::{Fit, rank};
    let fit = Fit { relevance: 0.8, proximity: 0.5, depth: 1.0, quality: 1.0, freshness: 0.0 };
    let famous = ("https://famous.example".to_owned(), fit, Some("0%".to_owned()));
    let small = ("https://a-small-shop.example".to_owned(), fit, Some("30%".to_owned()));
    for order in [[famous.clone(), small.clone()], [small, famous]] {
        let ranked = rank(order);
        assert_eq!(ranked[0].score, ranked[1].score, "neither the name nor the commission counts");
        assert_eq!((ranked[0].score, ranked[0].origin.as_str()), (72.0, "https://a-small-shop.example"));
        assert_eq!(ranked[1].commission.as_deref(), Some("0%"), "the commission is shown");
    }
}
