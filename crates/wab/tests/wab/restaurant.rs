//! The restaurant on all three transports, with equal results.

use actions_engine::{ErrorCode, WabTransport};
use actions_wab::{BridgeOptions, Permission, Permissions};
use serde_json::json;

use crate::stage::{KEY, READER, Stage, agent};

const TRANSPORTS: [WabTransport; 3] = [WabTransport::Http, WabTransport::Websocket, WabTransport::JsGlobal];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g2_a_command_has_the_same_result_on_every_transport() {
    let stage = Stage::new().await;
    stage.page_is_ready().await;
    let agent = agent(&stage, Some(KEY));
    let commands = [
        ("wab.discover", json!({})),
        ("wab.getActions", json!({})),
        ("wab.getActions", json!({ "category": "menu" })),
        ("wab.executeAction", json!({ "name": "menu_search", "data": { "query": "soup" } })),
        ("wab.executeAction", json!({ "name": "menu.search", "data": { "query": "bread" } })),
        ("wab.readContent", json!({ "selector": "#menu" })),
        ("wab.getPageInfo", json!({})),
    ];
    for (method, params) in commands {
        let mut results = Vec::new();
        for transport in TRANSPORTS {
            let reply = stage.send(&agent, stage.call(transport, method, params.clone())).await;
            let reply = reply.unwrap_or_else(|failure| panic!("{method} by {transport:?}: {failure:?}"));
            assert_eq!(reply.transport, transport);
            results.push(reply.result);
        }
        assert_eq!(results[0], results[1], "{method} {params}");
        assert_eq!(results[0], results[2], "{method} {params}");
        assert!(!results[0].is_null(), "{method}");
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g2_failures_are_the_same_on_every_transport() {
    let stage = Stage::with(BridgeOptions {
        withheld: Permissions::of([Permission::Navigate]),
        auth_for_writes: true,
        ..BridgeOptions::default()
    })
    .await;
    stage.page_is_ready().await;
    let (nobody, reader) = (agent(&stage, None), agent(&stage, Some(READER)));
    let order = json!({ "name": "order_place", "data": { "items": ["s1"], "address": "Harbour 1" } });
    let cases = [
        (&nobody, "wab.executeAction", json!({ "name": "menu_view" }), ErrorCode::PermissionDenied),
        (&nobody, "wab.executeAction", json!({ "name": "no_such" }), ErrorCode::UnknownAction),
        (&nobody, "wab.executeAction", json!({ "name": "menu_search" }), ErrorCode::InvalidInput),
        (&nobody, "wab.executeAction", order.clone(), ErrorCode::AuthRequired),
        (&reader, "wab.executeAction", order, ErrorCode::PermissionDenied),
        (&nobody, "wab.readContent", json!({ "selector": "#absent" }), ErrorCode::TargetNotFound),
    ];
    for (agent, method, params, expected) in cases {
        for transport in TRANSPORTS {
            let failure = stage.send(agent, stage.call(transport, method, params.clone())).await.unwrap_err();
            assert_eq!(failure.code, expected, "{method} {params} by {transport:?}: {failure:?}");
        }
    }
    stage.end().await;
}
