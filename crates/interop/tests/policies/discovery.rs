//! What a site publishes is found, and known by its content.

use std::collections::BTreeSet;

use actions_interop::classify::System;
use actions_interop::discover::{Artefact, DiscoverOptions, Discovery, Status, discover};
use actions_testserver::{Response, TestServer};
use serde_json::json;

use crate::site::{asked, client, policy, server};

async fn explored(server: &TestServer, systems: &[System]) -> Discovery {
    let options =
        DiscoverOptions { systems: systems.iter().copied().collect(), ..DiscoverOptions::default() };
    Box::pin(discover(&client(), &server.origin().parse().expect("an address"), &options)).await
}

fn of(found: &Discovery, system: System) -> Vec<&Artefact> {
    found.artefacts.iter().filter(|artefact| artefact.system == system).collect()
}

#[tokio::test]
async fn a_site_that_publishes_everything_is_found_whole() {
    let server = server().await;
    let origin = server.origin();
    let documents = [
        ("/actions.json", json!({ "protocol": "actions.json", "version": 1, "tools": [{}, {}] })),
        (
            "/agent-bridge.json",
            json!({ "wab_version": "1.0", "provider": {}, "capabilities": { "commands": [{}] } }),
        ),
        (
            "/agent.json",
            json!({ "awp_version": "0.2", "domain": "x", "intent": "y", "actions": [{}, {}, {}] }),
        ),
        (
            "/.well-known/ai-actions.json",
            json!({ "version": "1.0", "actions": [{ "id": "a", "path": "/a" }] }),
        ),
        (
            "/.well-known/mcp-manifest.json",
            json!({ "capabilities": {}, "endpoints": { "actions": "/.well-known/ai-actions.json" } }),
        ),
        ("/siteai.json", policy(&origin, json!({}))),
    ];
    for (path, document) in documents {
        server.route(path, move |_| Response::json(document.to_string()));
    }
    server.page("/", "<form toolname=book></form>");
    let found = explored(&server, &[]).await;
    let tools =
        |system| of(&found, system).iter().find(|one| one.status == Status::Ok).and_then(|one| one.tools);
    assert_eq!(tools(System::Actions), Some(2));
    assert_eq!(tools(System::Wab), Some(1));
    assert_eq!(tools(System::Awp), Some(3));
    assert_eq!(tools(System::Awas), Some(1));
    assert_eq!(tools(System::Webmcp), Some(1));
    assert_eq!(of(&found, System::A2wf)[0].version.as_deref(), Some("1.0"));
    let shown = found.to_json();
    assert_eq!(shown["url"], origin);
    assert_eq!(shown["policy"]["state"], "valid");
    let row = &shown["artefacts"][0];
    for member in ["system", "url", "status", "version", "tools", "warnings"] {
        assert!(row.get(member).is_some(), "{member}");
    }
}

#[tokio::test]
async fn a_document_is_known_by_its_content_and_not_by_its_place() {
    let server = server().await;
    server.route("/agent.json", |_| Response::json(r#"{"skills":[],"url":"https://a.example"}"#));
    server.route("/.well-known/agent.json", |_| {
        Response::json(r#"{"awp_version":"0.2","domain":"x","intent":"y","actions":[]}"#)
    });
    server.route("/agent-bridge.json", |_| Response::json(r#"{"payload":{},"signature":"x"}"#));
    let found = explored(&server, &[System::Awp, System::Wab]).await;
    let rows: Vec<(&str, Status)> = of(&found, System::Awp)
        .iter()
        .map(|one| (one.url.rsplit_once("127.0.0.1").unwrap().1, one.status))
        .collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert_eq!(rows[0].1, Status::NotThisSystem);
    assert_eq!(rows[1].1, Status::Ok);
    assert!(of(&found, System::Wab)[0].warnings[0].contains("trust envelope"));
}

#[tokio::test]
async fn pointers_of_the_home_page_robots_and_entry_points_are_followed_on_the_same_origin() {
    let server = server().await;
    server.page(
        "/",
        "<link rel=ai-actions href=/one.json><meta name=wab-discovery content=https://other.example/w.json>",
    );
    server.route("/robots.txt", |_| {
        Response::status(200).with_body("text/plain", "# agentic-manifest: /two.json\n")
    });
    server.route("/.well-known/mcp-manifest.json", |_| {
        Response::json(r#"{"capabilities":{},"endpoints":{"actions":"/three.json"}}"#)
    });
    server.route("/one.json", |_| Response::json(r#"{"version":"1.0","actions":[{"id":"a","path":"/a"}]}"#));
    let found = explored(&server, &[]).await;
    let paths = asked(&server);
    for path in ["/one.json", "/two.json", "/three.json"] {
        assert!(paths.contains(&path.to_owned()), "{path}: {paths:?}");
    }
    let awas: Vec<Status> = of(&found, System::Awas).iter().map(|one| one.status).collect();
    assert!(awas.contains(&Status::Ok), "{awas:?}");
    let other = of(&found, System::Wab).into_iter().find(|one| one.url.contains("other.example")).unwrap();
    assert_eq!(other.status, Status::NotThisSystem, "another origin is not asked");
}

#[tokio::test]
async fn a_site_that_answers_everything_with_its_page_has_nothing() {
    let server = server().await;
    for path in
        ["/actions.json", "/agent.json", "/agent-bridge.json", "/siteai.json", "/.well-known/ai-actions.json"]
    {
        server.page(path, "<!doctype html>");
    }
    let found = explored(&server, &[]).await;
    assert!(!found.is_usable());
    let statuses: BTreeSet<&str> = found.artefacts.iter().map(|one| one.status.as_str()).collect();
    assert_eq!(statuses, BTreeSet::from(["absent"]));
}

#[tokio::test]
async fn a_site_that_is_not_there_is_unreachable() {
    let server = server().await;
    let origin = server.origin();
    server.stop();
    drop(server);
    let options = DiscoverOptions::default();
    let found = Box::pin(discover(&client(), &origin.parse().unwrap(), &options)).await;
    assert!(found.is_unreachable(), "{:?}", found.artefacts);
}
