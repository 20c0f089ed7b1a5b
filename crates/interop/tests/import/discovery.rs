//! Documents are found on their sites, and what was found is called without a file.

use std::sync::Arc;

use actions_interop::classify::System;
use actions_interop::credentials::Credentials;
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::import::{Wishes, live};
use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};

use crate::stage::{call, engine, json_of, session};

fn client() -> Client {
    Client::new(Identity::default()).unwrap()
}

fn serve(server: &TestServer, path: &str, document: &Value) {
    let text = document.to_string();
    server.route(path, move |_| Response::json(text.clone()));
}

fn agent_json(server: &TestServer) -> Value {
    json!({
        "awp_version": "0.2", "domain": server.origin(), "intent": "Say hello",
        "actions": [{ "id": "hello", "description": "Says hello", "auth_required": false, "inputs": {}, "outputs": {}, "endpoint": "/hello", "method": "GET" }],
    })
}

fn ai_actions(server: &TestServer) -> Value {
    json!({
        "version": "1.0", "name": "A", "description": "A site", "baseUrl": server.origin(),
        "actions": [{ "id": "hello", "name": "Hello", "description": "Says hello", "path": "/hello", "method": "GET" }],
    })
}

#[tokio::test]
async fn p2_a_new_domain_is_asked_for_agent_json_at_its_root() {
    let server = TestServer::start().await.unwrap();
    serve(&server, "/agent.json", &agent_json(&server));
    server.route("/hello", |_| Response::json(r#"{ "said": "hello" }"#));
    let maps = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    assert_eq!(maps.iter().map(|map| map.system).collect::<Vec<_>>(), [System::Awp]);
    let asked: Vec<String> = server.served().into_iter().map(|served| served.request.path).collect();
    assert!(asked.contains(&"/agent.json".to_owned()));
    let session = session(&engine(&maps[0].map), &Arc::new(Credentials::in_memory()));
    assert_eq!(call(&session, "a_127_0_0_1.hello", json!({})).await.unwrap(), json!({ "said": "hello" }));
}

#[tokio::test]
async fn an_agent_json_that_is_an_agent_card_is_passed_over_for_the_well_known_one() {
    let server = TestServer::start().await.unwrap();
    serve(&server, "/agent.json", &json!({ "name": "A card", "skills": [], "url": "https://a.example" }));
    serve(&server, "/.well-known/agent.json", &agent_json(&server));
    let maps = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    assert!(maps[0].name.ends_with("/.well-known/agent.json"));
}

#[tokio::test]
async fn w4_the_entry_points_are_requested_beside_the_catalogue() {
    let server = TestServer::start().await.unwrap();
    serve(&server, "/.well-known/ai-actions.json", &ai_actions(&server));
    live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    let asked: Vec<String> = server.served().into_iter().map(|served| served.request.path).collect();
    for path in
        ["/.well-known/mcp-manifest.json", "/.well-known/a2a-manifest.json", "/.well-known/ai-actions.json"]
    {
        assert!(asked.contains(&path.to_owned()), "{path} in {asked:?}");
    }
}

#[tokio::test]
async fn w8_without_entry_points_the_catalogue_at_its_usual_place_is_used() {
    let server = TestServer::start().await.unwrap();
    serve(&server, "/.well-known/ai-actions.json", &ai_actions(&server));
    let maps = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    assert_eq!(maps[0].system, System::Awas);
}

#[tokio::test]
async fn a_catalogue_that_only_an_entry_point_names_is_used_if_it_is_of_the_same_site() {
    let (server, other) = (TestServer::start().await.unwrap(), TestServer::start().await.unwrap());
    serve(&other, "/catalogue.json", &ai_actions(&other));
    let entry =
        |catalogue: &str| json!({ "capabilities": ["actions"], "endpoints": { "actions": catalogue } });
    serve(&server, "/.well-known/mcp-manifest.json", &entry(&other.url("/catalogue.json")));
    assert!(live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap().is_empty());
    assert!(other.served().is_empty());
    serve(&server, "/catalogue.json", &ai_actions(&server));
    serve(&server, "/.well-known/mcp-manifest.json", &entry("/catalogue.json"));
    let maps = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    assert!(maps[0].name.ends_with("/catalogue.json"));
}

#[tokio::test]
async fn w9_a_catalogue_is_kept_as_long_as_its_headers_allow_and_then_asked_about() {
    let server = TestServer::start().await.unwrap();
    let text = ai_actions(&server).to_string();
    server.route("/.well-known/ai-actions.json", move |request| match request.header("if-none-match") {
        Some("\"v1\"") => Response::status(304),
        _ => Response::json(text.clone())
            .with_header("etag", "\"v1\"")
            .with_header("cache-control", "max-age=0"),
    });
    let client = client();
    for _ in 0..2 {
        let maps = live::maps(&client, &server.origin(), &Wishes::default()).await.unwrap();
        assert_eq!(maps.len(), 1);
    }
    let asked =
        server.served().into_iter().filter(|served| served.request.path == "/.well-known/ai-actions.json");
    let tags: Vec<Option<String>> =
        asked.map(|served| served.request.header("if-none-match").map(str::to_owned)).collect();
    assert_eq!(tags, [None, Some("\"v1\"".to_owned())]);
}

#[tokio::test]
async fn systems_come_in_the_order_of_preference_and_are_not_mixed() {
    let server = TestServer::start().await.unwrap();
    serve(&server, "/agent.json", &agent_json(&server));
    serve(&server, "/.well-known/ai-actions.json", &ai_actions(&server));
    let own = json!({ "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin() }, "tools": [] });
    serve(&server, "/actions.json", &own);
    let maps = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap();
    let systems: Vec<System> = maps.iter().map(|map| map.system).collect();
    assert_eq!(systems, [System::Actions, System::Awp, System::Awas]);
    assert_eq!(maps[0].map, own);
}

#[tokio::test]
async fn an_address_of_a_page_means_the_documents_of_its_site() {
    let server = TestServer::start().await.unwrap();
    server.page("/", "<title>A site</title>");
    serve(&server, "/.well-known/ai-actions.json", &ai_actions(&server));
    let imported = live::import(&client(), &server.url("/"), &Wishes::default()).await.unwrap();
    assert_eq!(imported.site.provenance.system, "awas");
    assert!(imported.site.provenance.fetched_at.is_some());
}

#[tokio::test]
async fn a_site_that_answers_nothing_is_an_error_with_a_code() {
    let server = TestServer::start().await.unwrap();
    for path in ["/actions.json", "/agent.json", "/.well-known/agent.json", "/.well-known/ai-actions.json"] {
        server.route(path, |_| Response::broken());
    }
    let error = live::maps(&client(), &server.origin(), &Wishes::default()).await.unwrap_err();
    assert_eq!(actions_engine::CallError::from(&error).code, actions_engine::ErrorCode::TransportFailed);
}

#[tokio::test]
async fn a_document_of_the_fixtures_is_fetched_with_its_digest_and_its_version() {
    let server = TestServer::start().await.unwrap();
    let mut document = json_of("awp/flights.json");
    document["domain"] = json!(server.origin());
    let text = document.to_string();
    server.route("/agent.json", move |_| Response::json(text.clone()).with_header("etag", "\"7\""));
    let imported = live::import(&client(), &server.url("/agent.json"), &Wishes::default()).await.unwrap();
    let provenance = &imported.map["x_actions"]["x_interop"];
    assert_eq!(provenance["etag"], "\"7\"");
    assert_eq!(provenance["trust"], "website");
    assert!(provenance["sha256"].as_str().unwrap().starts_with("sha256:"));
}
