//! `actions mcp`: agents call the tools of maps by the Model Context Protocol.

mod client;
mod disappears;
mod http;
mod injection;
mod login;
mod outside;
mod prints;

use std::time::Duration;

use serde_json::{Value, json};

use super::{actions, root, stderr, stdout};
use client::{Client, Era, Person};
use prints::Prints;

const MAP: &str = "sites/example.com/actions.json";
const SEARCH: &str = "sites/example.com/recordings/search.har";
const CART: &str = "sites/example.com/recordings/cart.har";
const BOARD: &str = "sites/board.example/board/actions.json";
const MOVE: &str = "sites/board.example/board/recordings/move_card.har";

const ERAS: [Era; 3] = [Era::Handshake("2025-06-18"), Era::Handshake("2025-11-25"), Era::Stateless];

fn searching(era: Era) -> Client {
    Client::start(&[MAP, "--replay", SEARCH], era, Person::Absent)
}

#[test]
fn tools_are_listed_and_called_in_every_era_and_errors_have_codes() {
    for era in ERAS {
        let mut client = searching(era);
        if era == Era::Stateless {
            let discovered = client.request("server/discover", json!({}));
            let versions = json!(["2025-06-18", "2025-11-25", "2026-07-28"]);
            assert_eq!(discovered["result"]["supportedVersions"], versions, "{discovered:#}");
        }
        let names = client.names();
        for name in ["search_submit", "actions_site", "actions_page"] {
            assert!(names.iter().any(|known| known == name), "{names:?}");
        }
        assert_eq!(client.value("search_submit", json!({ "query": "maps" }))["total"], 17);
        assert_eq!(client.failure("search_submit", json!({ "query": 7 }))["code"], "invalid_input");
        let unmet = client.failure("item_read", json!({}));
        assert_eq!(unmet["code"], "state_mismatch", "{unmet:#}");
        assert!(unmet["next_step"].is_string() && unmet["evidence"].is_object(), "{unmet:#}");
        let unknown = client.call("no_such_tool", json!({}));
        assert_eq!(unknown["error"]["code"], -32602, "{unknown:#}");
        let listed = client.value("actions_site", json!({ "mode": "list" }));
        assert!(listed["tools"].as_array().is_some_and(|tools| !tools.is_empty()), "{listed:#}");
        let guide = client.value("actions_site", json!({ "mode": "call", "action": "site.guide" }));
        assert!(guide["begin_with"].is_string(), "{guide:#}");
        let pages = client.value("actions_page", json!({ "mode": "list" }));
        assert_eq!(pages["pages"][0]["page"], "main-1", "{pages:#}");
        client.leave();
    }
}

#[test]
fn malformed_messages_are_answered_and_do_not_end_the_server() {
    for era in ERAS {
        let mut client = searching(era);
        client.names();
        client.send_text("{ this is not JSON");
        client.send_text("{}");
        client.send(&json!({ "jsonrpc": "2.0", "id": 900, "method": "no/such/method", "params": {} }));
        let malformed = client.request("tools/call", json!({ "arguments": {} }));
        assert!(malformed.get("error").is_some(), "{malformed:#}");
        assert!(client.names().len() > 2, "the server goes on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_of_a_map_with_five_tools_has_at_most_4_kb_and_results_fit_their_schemas() {
    let prints = Prints::serve().await;
    for era in ERAS {
        let mut client = Client::start(&[&prints.map(), "--tools", "all", "--yes"], era, Person::Absent);
        let answer = client.request("tools/list", json!({}));
        let bytes = answer.to_string().len();
        assert!(bytes <= 4_096, "{era:?}: {bytes} bytes\n{answer:#}");
        let tools = answer["result"]["tools"].as_array().expect("a list").clone();
        assert_eq!(tools.len(), 7);
        let fits = |client: &mut Client, tool: &str, arguments: Value| {
            let answer = client.call(tool, arguments);
            let known = tools.iter().find(|known| known["name"] == tool).expect("a tool");
            let schema = jsonschema::validator_for(&known["outputSchema"]).expect("a schema");
            let content = &answer["result"]["structuredContent"];
            assert!(schema.is_valid(content), "{tool}: {content:#} {known:#}");
            answer["result"].clone()
        };
        let found = fits(&mut client, "prints_search", json!({ "query": "map" }));
        assert_eq!(found["structuredContent"]["total"], 20, "{found:#}");
        assert!(
            found["content"][0]["text"]
                .as_str()
                .is_some_and(|text| text.starts_with("untrusted page data: "))
        );
        let basket = fits(&mut client, "basket_add", json!({ "id": "print-1" }));
        assert_eq!(basket["structuredContent"], json!({ "copies": 1, "total": 10 }));
        let wrong = fits(&mut client, "basket_add", json!({ "id": "nothing" }));
        assert_eq!(wrong["isError"], true);
        let read = fits(&mut client, "basket_read", json!({}));
        let flow: usize = [&found, &basket, &read].map(|result| result.to_string().len()).iter().sum();
        assert!(flow <= 1_024, "the flow has {flow} bytes");
        let tools = tools.iter().map(|tool| &tool["annotations"]["readOnlyHint"]);
        assert_eq!(tools.filter(|hint| **hint == true).count(), 4);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_follows_the_page_and_a_large_page_is_known_in_2_kb() {
    let prints = Prints::serve().await;
    let mut client = Client::start(&[&prints.map()], Era::Handshake("2025-11-25"), Person::Absent);
    let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
    let names = client.names();
    assert!(has(&names, "prints_search") && !has(&names, "register_row"), "{names:?}");
    client.value("register_open", json!({}));
    if !client.heard.iter().any(|message| message["method"] == "notifications/tools/list_changed") {
        client.until(|message| message["method"] == "notifications/tools/list_changed");
    }
    let names = client.names();
    assert!(!has(&names, "prints_search") && has(&names, "register_row"), "{names:?}");

    let summary = json!({ "mode": "state_summary", "projection": "site.register" });
    let known = client.call("actions_site", summary);
    let bytes = known.to_string().len();
    assert_eq!(known["result"]["structuredContent"]["summary"]["count"], 2_000, "{known:#}");
    assert!(bytes <= 2_048, "{bytes} bytes");
    let refused =
        client.failure("actions_site", json!({ "mode": "state_read", "projection": "site.register" }));
    assert!(refused.to_string().contains("agent_context"), "the refusal names the summary: {refused:#}");
    let whole = client.read("actions://state/site.register");
    let whole: Value = serde_json::from_str(whole["text"].as_str().expect("text")).expect("JSON");
    assert_eq!(whole["state"]["rows"].as_array().map(Vec::len), Some(2_000), "a resource has all of it");
}

#[test]
fn a_result_over_the_budget_is_linked_and_never_cut() {
    for era in ERAS {
        let arguments = [MAP, "--replay", SEARCH, "--max-result-bytes", "1024"];
        let mut client = Client::start(&arguments, era, Person::Absent);
        let answer = client.call("actions_site", json!({ "mode": "list" }));
        let content = &answer["result"]["structuredContent"];
        let uri = content["resource"].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned();
        assert_eq!(answer["result"]["content"][1]["type"], "resource_link");
        assert_ne!(answer["result"]["isError"], true);
        let whole = client.read(&uri);
        let whole: Value = serde_json::from_str(whole["text"].as_str().expect("text")).expect("JSON");
        assert!(whole["tools"].as_array().is_some_and(|tools| tools.len() > 3), "{whole:#}");
        let gone = client.request("resources/read", json!({ "uri": "actions://result/999" }));
        assert!(gone.get("error").is_some(), "{gone:#}");
    }
}

#[test]
fn progress_is_reported_step_by_step_and_a_cancelled_call_ends() {
    for era in ERAS {
        let mut client = Client::start(&[MAP, "--replay", SEARCH, "--allow-primitives"], era, Person::Absent);
        let search = json!({ "name": "search_submit", "arguments": { "query": "maps" }, "_meta": { "progressToken": "p1" } });
        let answer = client.request("tools/call", search);
        assert_eq!(answer["result"]["structuredContent"]["total"], 17, "{answer:#}");
        let reported: Vec<f64> = client
            .heard
            .iter()
            .filter(|message| {
                message["method"] == "notifications/progress" && message["params"]["progressToken"] == "p1"
            })
            .filter_map(|message| message["params"]["progress"].as_f64())
            .collect();
        assert!(reported.len() >= 4, "{:#?}", client.heard);
        assert!(reported.windows(2).all(|pair| pair[0] < pair[1]), "{reported:?}");

        let wait = json!({ "locator": { "selector": "#never" }, "timeout_ms": 60_000 });
        let never = json!({ "name": "actions_primitive", "arguments": { "name": "locator.wait_for", "arguments": wait } });
        let id = client.begin("tools/call", never);
        std::thread::sleep(Duration::from_millis(700));
        client.send(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }),
        );
        // Calls of one page run one after the other: this one runs because the other has ended.
        let begun = std::time::Instant::now();
        client.value("results_read", json!({}));
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        assert!(
            !client.heard.iter().any(|message| message["id"] == id),
            "a cancelled request is not answered"
        );
    }
}

#[test]
fn a_person_confirms_what_changes_a_site_in_every_era() {
    let add = || json!({ "item_id": "night-trams", "copies": 2 });
    for era in ERAS {
        let mut client = Client::start(&[MAP, "--replay", CART], era, Person::Refuses);
        let refused = client.failure("cart_add", add());
        assert_eq!(refused["code"], "permission_denied", "{era:?} {refused:#}");
        assert_eq!(refused["mutated"], false);
        drop(client);
        let mut client = Client::start(&[MAP, "--replay", CART], era, Person::Agrees);
        assert_eq!(client.value("cart_add", add())["copies"], 2, "{era:?}");
        drop(client);

        let mut client = Client::start(&[MAP, "--replay", CART], era, Person::Absent);
        let asked = client.failure("cart_add", add());
        assert_eq!(asked["code"], "confirmation_required", "{asked:#}");
        assert_eq!(asked["mutated"], false);
        assert!(
            asked["question"].as_str().is_some_and(|question| question.contains("night-trams")),
            "{asked:#}"
        );
        let token = asked["confirm_token"].as_str().expect("a token").to_owned();
        let with = |token: &str, copies: u64| json!({ "item_id": "night-trams", "copies": copies, "_confirm": token });
        let other = client.failure("cart_add", with(&token, 3));
        assert_eq!(other["code"], "confirmation_required", "a token is for its arguments: {other:#}");
        let used = client.failure("cart_add", with(&token, 2));
        assert_eq!(used["code"], "confirmation_required", "it was used up: {used:#}");
        let token = client.failure("cart_add", add())["confirm_token"].as_str().expect("a token").to_owned();
        assert_eq!(client.value("cart_add", with(&token, 2))["copies"], 2);
    }
    let mut client =
        Client::start(&[MAP, "--replay", CART, "--confirm", "cart.add"], Era::Stateless, Person::Absent);
    assert_eq!(client.value("cart_add", add())["copies"], 2);
}

#[test]
fn resources_are_read_and_a_change_in_the_page_is_reported_with_its_difference() {
    for era in ERAS {
        let mut client = Client::start(&[BOARD, "--replay", MOVE, "--yes"], era, Person::Absent);
        let listed = client.request("resources/list", json!({}));
        let listed = listed["result"]["resources"].as_array().expect("a list").clone();
        let uris: Vec<&str> = listed.iter().filter_map(|resource| resource["uri"].as_str()).collect();
        let map = uris.iter().find(|uri| uri.starts_with("actions://map/")).expect("a map");
        let text = client.read(map)["text"].as_str().expect("text").to_owned();
        assert_eq!(text, std::fs::read_to_string(root().join(BOARD)).expect("a map"));
        for uri in ["actions://context", "actions://dictionary", "actions://recording/move_card"] {
            assert!(uris.contains(&uri), "{uris:?}");
            let text = client.read(uri);
            let text = text["text"].as_str().unwrap_or_else(|| panic!("{uri}"));
            serde_json::from_str::<Value>(text).expect("JSON");
        }
        let picture = client.read("actions://picture");
        assert!(picture["blob"].as_str().is_some_and(|blob| blob.starts_with("iVBOR")), "{picture:#}");
        let primitive = client.read("actions://dictionary/pointer.click");
        assert!(primitive["text"].as_str().is_some_and(|text| text.contains("input_schema")));
        let state = client.read("actions://state/site.board");
        assert_eq!(state["_meta"]["actions/untrusted"], true, "{state:#}");
        let state: Value = serde_json::from_str(state["text"].as_str().expect("text")).expect("JSON");
        let before = state["state_hash"].as_str().expect("a hash").to_owned();
        for wrong in
            ["actions://nothing", "file:///etc/passwd", "actions://state/no.such", "actions://map/none"]
        {
            let answer = client.request("resources/read", json!({ "uri": wrong }));
            assert!(answer.get("error").is_some(), "{answer:#}");
        }

        let uri = "actions://state/site.board";
        match era {
            Era::Handshake(_) => {
                let answer = client.request("resources/subscribe", json!({ "uri": uri }));
                assert!(answer.get("error").is_none(), "{answer:#}");
            }
            Era::Stateless => {
                let wanted =
                    json!({ "notifications": { "resourceSubscriptions": [uri, "actions://nothing"] } });
                client.begin("subscriptions/listen", wanted);
                let said =
                    client.until(|message| message["method"] == "notifications/subscriptions/acknowledged");
                let accepted = &said["params"]["notifications"]["resourceSubscriptions"];
                assert_eq!(accepted, &json!([uri]), "{said:#}");
            }
        }
        std::thread::sleep(Duration::from_millis(1_500));
        client.value("card_move", json!({ "card_id": "card-2", "list_id": "done" }));
        let is_update = |message: &Value| {
            message["method"] == "notifications/resources/updated" && message["params"]["uri"] == uri
        };
        if !client.heard.iter().any(is_update) {
            client.until(is_update);
        }
        let diff = client.read(&format!("actions://diff/site.board?since={before}"));
        let diff: Value = serde_json::from_str(diff["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(diff["semantic_deltas"].as_array().map(Vec::len), Some(3), "{diff:#}");
    }
}

#[test]
fn a_person_picks_the_prompt_of_a_map() {
    for era in ERAS {
        let mut client = searching(era);
        let listed = client.request("prompts/list", json!({}));
        let name = listed["result"]["prompts"][0]["name"].as_str().expect("a prompt").to_owned();
        let task = json!({ "name": name, "arguments": { "task": "Find maps of harbours." } });
        let got = client.request("prompts/get", task);
        let text = got["result"]["messages"][0]["content"]["text"].as_str().expect("text");
        assert!(text.contains("search_submit") && text.contains("Find maps of harbours."), "{text}");
        let unknown = client.request("prompts/get", json!({ "name": "none" }));
        assert_eq!(unknown["error"]["code"], -32602, "{unknown:#}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_and_sessions_are_addressed_by_handles() {
    let prints = Prints::serve().await;
    let mut client = Client::start(&[&prints.map(), "--yes"], Era::Stateless, Person::Absent);
    client.value("prints_search", json!({ "query": "map" }));
    client.value("basket_add", json!({ "id": "print-1" }));
    let other = client.value("actions_page", json!({ "mode": "open", "new_session": true }));
    let other = other["page"].as_str().expect("a handle").to_owned();
    let read = |page: &str| json!({ "_page": page });
    assert_eq!(client.value("basket_read", read(&other))["copies"], 0);
    assert_eq!(client.value("basket_read", read("main-1"))["copies"], 1);
    let tab = client.value("actions_page", json!({ "mode": "open", "url": prints.server.url("/rows.html") }));
    assert_eq!(tab["page"], "main-2", "{tab:#}");
    assert_eq!(client.value("register_row", json!({ "number": 7 }))["title"], "Print number 7");
    client.value("actions_page", json!({ "mode": "switch", "_page": "main-1" }));
    assert_eq!(client.value("basket_read", json!({}))["copies"], 1);
    let pages = client.value("actions_page", json!({ "mode": "list" }));
    assert_eq!(pages["pages"].as_array().map(Vec::len), Some(3), "{pages:#}");
    for page in ["main-2", other.as_str()] {
        client.value("actions_page", json!({ "mode": "close", "_page": page }));
    }
    let pages = client.value("actions_page", json!({ "mode": "list" }));
    assert_eq!(pages["pages"].as_array().map(Vec::len), Some(1), "{pages:#}");
    assert_eq!(client.failure("basket_read", read(&other))["code"], "runtime_not_found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_calls_leak_nothing() {
    let prints = Prints::serve().await;
    let mut client = Client::start(&[&prints.map(), "--yes"], Era::Stateless, Person::Absent);
    let resident = |pid: u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size").to_owned();
        line.split_whitespace().next().and_then(|size| size.parse::<u64>().ok()).expect("a number")
    };
    let open = |pid: u32| std::fs::read_dir(format!("/proc/{pid}/fd")).expect("a process").count();
    let pid = client.child.id();
    client.value("prints_search", json!({ "query": "map" }));
    for _ in 0..40 {
        client.value("basket_read", json!({}));
    }
    let (memory, files) = (resident(pid), open(pid));
    for round in 0..100 {
        client.value("basket_read", json!({}));
        client.value("basket_add", json!({ "id": "print-1" }));
        assert_eq!(
            client.value("actions_page", json!({ "mode": "list" }))["pages"].as_array().map(Vec::len),
            Some(1),
            "{round}"
        );
    }
    assert!(open(pid) <= files + 2, "{} open files, {files} before", open(pid));
    let now = resident(pid);
    assert!(now < memory + 24 * 1024, "{now} kB resident, {memory} kB before");
    client.leave();
}

#[test]
fn a_client_that_leaves_in_the_middle_of_a_call_ends_the_server_soon() {
    let arguments = [MAP, "--replay", SEARCH, "--allow-primitives"];
    let mut client = Client::start(&arguments, Era::Handshake("2025-11-25"), Person::Absent);
    client.value("search_submit", json!({ "query": "maps" }));
    let wait = json!({ "locator": { "selector": "#never" }, "timeout_ms": 60_000 });
    client.begin("tools/call", json!({ "name": "actions_primitive", "arguments": { "name": "locator.wait_for", "arguments": wait } }));
    std::thread::sleep(Duration::from_millis(500));
    let took = client.leave();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn definitions_are_ready_to_paste_in_three_styles() {
    let listed = |format: &str| {
        let output = actions(&["list", "bench/mcp/actions.json", "--format", format]);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str::<Value>(&stdout(&output)).expect("JSON")
    };
    let openai = listed("openai");
    assert_eq!(openai[0]["type"], "function");
    assert_eq!(openai[0]["function"]["name"], "prints_search");
    assert_eq!(openai[0]["function"]["parameters"]["type"], "object");
    let anthropic = listed("anthropic");
    assert_eq!(anthropic[1]["name"], "basket_add");
    assert!(anthropic[1]["input_schema"]["properties"]["id"].is_object());
    let mcp = listed("mcp");
    assert_eq!(mcp["tools"].as_array().map(Vec::len), Some(5));
    assert_eq!(mcp["tools"][2]["annotations"]["readOnlyHint"], true);
}

#[test]
fn the_configuration_of_a_client_starts_this_server() {
    let output = actions(&["mcp", "bench/mcp/actions.json", "--yes", "--print-config", "claude-code"]);
    let block: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let server = &block["mcpServers"]["actions"];
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_actions"), "{block:#}");
    let map = root().join("bench/mcp/actions.json").canonicalize().expect("a map");
    let args: Vec<&str> =
        server["args"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!((args[0], args[2]), ("mcp", "--yes"), "{args:?}");
    assert_eq!(std::path::Path::new(args[1]).canonicalize().expect("a map"), map);
    let codex = actions(&["mcp", "bench/mcp/actions.json", "--print-config", "codex"]);
    assert!(stdout(&codex).starts_with("[mcp_servers.actions]\ncommand = "), "{}", stdout(&codex));
    let missing = actions(&["mcp", "no/such/map.json", "--print-config", "cursor"]);
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
}

#[test]
fn wrong_usage_is_refused_before_anything_starts() {
    let table: &[(&[&str], &str)] = &[
        (&[MAP, "--confirm", "cart.ad"], "no map has this tool"),
        (&[MAP, "--listen", "0.0.0.0:0"], "other machines can reach this address"),
        (&[MAP, "--token-file", "x"], "--listen"),
        (&[MAP, "--tools", "some"], "possible values"),
    ];
    for (arguments, words) in table {
        let output = actions(&[&["mcp"], *arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}
