//! The policy allows, denies or asks before a call and before each primitive.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_engine::browser::Clock;
use actions_engine::browser::fake::Behaviour;
use actions_engine::{
    AllowedOrigins, Confirm, Confirmation, Decision, Denial, Effect, Engine, Intent, Operation, Policy, Rules,
};
use actions_protocol::{ErrorCode, Millis};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::map::{engine, map, on_clock, page, read, session, tool};

fn typing_tool(name: &str) -> Value {
    let insert = json!({ "id": "type", "primitive": "text.insert", "args": { "target": { "selector": "#name" }, "text": "{% input.word %}" } });
    let properties =
        json!({ "word": { "type": "string" }, "pin": { "type": "string", "format": "password" } });
    tool(name, properties, json!([insert]), json!("{% steps.type.ok %}"))
}

/// An embedder that answers, and what it was asked.
fn asking(answer: bool) -> (impl Confirm + 'static, Arc<Mutex<Vec<Confirmation>>>) {
    let asked: Arc<Mutex<Vec<Confirmation>>> = Arc::default();
    let kept = asked.clone();
    let confirm = move |confirmation: Confirmation| {
        kept.lock().unwrap().push(confirmation);
        async move { answer }
    };
    (confirm, asked)
}

#[test]
fn the_effect_of_a_tool_follows_from_its_primitives_and_its_declaration() {
    let mut declared = tool("declared", json!({}), json!([read("r")]), json!(null));
    declared["x_actions"] = json!({ "effect": "mutation" });
    let mut unknown = tool("unknown", json!({}), json!([read("r")]), json!(null));
    unknown["x_actions"] = json!({ "effect": "purchase" });
    let mut denied = typing_tool("denied");
    denied["x_actions"] = json!({ "effect": "read" });
    let engine = engine(&map(&[
        tool("reads", json!({}), json!([read("r")]), json!(null)),
        typing_tool("types"),
        declared,
        unknown,
        denied,
    ]));
    let effect = |name: &str| engine.plan(name).unwrap().effect();
    assert_eq!(effect("reads"), Effect::Read);
    assert_eq!(effect("types"), Effect::Mutating);
    assert_eq!(effect("declared"), Effect::Mutating);
    assert_eq!(effect("unknown"), Effect::Mutating, "an unknown effect is not a promise to read only");
    assert_eq!(effect("denied"), Effect::Mutating, "a declaration does not make a click harmless");
}

#[test]
fn a_mutating_tool_runs_only_when_it_is_confirmed() {
    let (clock, page) = page();
    let (confirm, asked) = asking(false);
    let engine = engine(&map(&[typing_tool("types")])).on_confirm(confirm);
    let session = session(&engine, &clock, &page);
    let arguments = json!({ "word": "ada", "pin": "4711-0815" });
    let outcome = on_clock(&clock, session.call("types").arguments(arguments).run());
    let error = outcome.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::PermissionDenied);
    assert!(!error.mutated);
    assert_eq!(page.performed(), []);
    let asked = asked.lock().unwrap();
    assert_eq!(
        *asked[0].input,
        json!({ "word": "ada", "pin": "[secret]" }),
        "a person is not shown the secret"
    );
}

#[test]
fn a_reading_tool_is_not_asked_about() {
    let (clock, page) = page();
    let (confirm, asked) = asking(false);
    let engine = engine(&map(&[tool("reads", json!({}), json!([read("r")]), json!("{% steps.r.ok %}"))]))
        .on_confirm(confirm);
    let session = session(&engine, &clock, &page);
    assert_eq!(on_clock(&clock, session.call("reads").run()).result.unwrap(), json!(true));
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn what_may_not_run_is_refused_before_anyone_is_asked() {
    let (clock, page) = page();
    let (confirm, asked) = asking(true);
    let script = json!({ "id": "script", "primitive": "debug.run_javascript", "args": { "source": "1" } });
    let mut steps = typing_tool("t");
    steps["workflow"]["steps"].as_array_mut().unwrap().push(script);
    let engine = engine(&map(&[steps])).on_confirm(confirm);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").run());
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::PermissionDenied);
    assert!(asked.lock().unwrap().is_empty());
    assert_eq!(page.performed(), []);
}

/// An embedder that agrees after ten minutes.
fn in_no_hurry(clock: &AutoClock) -> impl Confirm + 'static {
    let clock = clock.clone();
    move |_: Confirmation| {
        let agreed = clock.sleep_until(clock.now() + Duration::from_secs(600));
        async move {
            agreed.await;
            true
        }
    }
}

#[test]
fn the_time_a_person_takes_is_not_the_tool_s() {
    let (clock, page) = page();
    let mut tool = tool("t", json!({}), json!([read("r")]), json!("{% steps.r.ok %}"));
    tool["x_actions"] = json!({ "effect": "mutation" });
    let engine = engine(&map(&[tool])).on_confirm(in_no_hurry(&clock));
    let session = session(&engine, &clock, &page);
    assert_eq!(on_clock(&clock, session.call("t").run()).result.unwrap(), json!(true));
}

#[test]
fn the_time_a_person_takes_over_a_nested_call_is_nobody_s() {
    let (clock, page) = page();
    let mut inner = tool("inner", json!({}), json!([read("r")]), json!("{% steps.r.ok %}"));
    inner["x_actions"] = json!({ "effect": "mutation" });
    let args = json!({ "mode": "call", "action": "inner", "timeout_ms": 1000 });
    let call = |id: &str| json!({ "id": id, "primitive": "actions.site", "args": args });
    let outer = tool("outer", json!({}), json!([call("one"), call("two")]), json!("{% steps.*.output %}"));
    let engine = engine(&map(&[inner, outer])).on_confirm(in_no_hurry(&clock));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("outer").timeout(Millis(5000)).run());
    assert_eq!(outcome.result.unwrap(), json!([true, true]));
    assert_eq!(outcome.duration, Duration::from_secs(1800), "two answers within the call, and one before it");
}

#[test]
fn a_call_that_was_asked_about_half_way_still_ends_at_its_time() {
    let (clock, page) = page();
    page.on_call("locator.wait_for", |_| Behaviour::<Value>::Hangs);
    let mut inner = tool("inner", json!({}), json!([read("r")]), json!("{% steps.r.ok %}"));
    inner["x_actions"] = json!({ "effect": "mutation" });
    let call =
        json!({ "id": "call", "primitive": "actions.site", "args": { "mode": "call", "action": "inner" } });
    let wait = json!({ "id": "wait", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#never" } } });
    let engine = engine(&map(&[inner, tool("outer", json!({}), json!([call, wait]), json!(null))]))
        .on_confirm(in_no_hurry(&clock));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("outer").timeout(Millis(5000)).run());
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::HandlerTimeout);
    let beyond = outcome.duration - Duration::from_secs(1205);
    assert!(beyond <= Duration::from_millis(250), "{beyond:?}");
}

/// A map that imports another one.
fn importing(folder: &std::path::Path, tools: &[Value]) -> Result<Engine, actions_engine::LoadError> {
    std::fs::write(folder.join("part.json"), map(tools).to_string()).unwrap();
    let mut root = map(&[]);
    root["imports"] = json!([{ "id": "part", "kind": "local", "uri": "part.json", "namespace": "part", "trust": "private" }]);
    let path = folder.join("actions.json");
    std::fs::write(&path, root.to_string()).unwrap();
    Engine::load(&path)
}

#[test]
fn a_tool_of_an_imported_map_calls_another_one_by_the_name_it_has_there() {
    let folder = tempfile::tempdir().unwrap();
    let call =
        json!({ "id": "call", "primitive": "actions.site", "args": { "mode": "call", "action": "inner" } });
    let inner = tool("inner", json!({}), json!([read("r")]), json!("{% steps.r.output.text %}"));
    let outer = tool("outer", json!({}), json!([call]), json!("{% steps.call.output %}"));
    let engine = importing(folder.path(), &[inner, outer]).unwrap();
    let (clock, page) = page();
    let session = session(&engine, &clock, &page);
    assert_eq!(on_clock(&clock, session.call("part.outer").run()).result.unwrap(), json!("Maps"));
}

#[test]
fn an_imported_map_that_debugs_is_not_loaded_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let script = json!({ "id": "script", "primitive": "debug.run_javascript", "args": { "source": "1" } });
    let error =
        importing(folder.path(), &[tool("debug", json!({}), json!([script]), json!(null))]).unwrap_err();
    assert!(error.to_string().contains("an imported map uses the debug primitive"), "{error}");
}

/// A tool that calls another one.
fn calling(name: &str, arguments: Value, rest: Value) -> Value {
    let mut args = json!({ "mode": "call", "action": "inner", "arguments": arguments });
    args.as_object_mut().unwrap().extend(rest.as_object().cloned().unwrap_or_default());
    let call = json!({ "id": "call", "primitive": "actions.site", "args": args, "on_error": "continue" });
    tool(name, json!({}), json!([call]), json!("{% steps.call.error.code %}"))
}

#[test]
fn a_mutating_tool_that_a_step_calls_runs_only_when_it_is_confirmed() {
    let (clock, page) = page();
    let asked: Arc<Mutex<Vec<Confirmation>>> = Arc::default();
    let kept = asked.clone();
    let confirm = move |confirmation: Confirmation| {
        let agreed = confirmation.tool.as_str() == "outer";
        kept.lock().unwrap().push(confirmation);
        async move { agreed }
    };
    let outer = calling("outer", json!({ "word": "ada", "pin": "4711-0815" }), json!({}));
    let engine = engine(&map(&[typing_tool("inner"), outer])).on_confirm(confirm);
    let session = session(&engine, &clock, &page);
    let error = on_clock(&clock, session.call("outer").run()).result.unwrap_err();
    assert_eq!((error.code, error.mutated), (ErrorCode::PermissionDenied, false));
    assert_eq!(page.performed(), []);
    let asked = asked.lock().unwrap();
    assert_eq!(*asked.last().unwrap().input, json!({ "word": "ada", "pin": "[secret]" }));
}

#[test]
fn a_tool_that_a_step_calls_has_the_time_the_step_gives_it() {
    let (clock, page) = page();
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    let inner = tool("inner", json!({}), json!([read("r")]), json!(null));
    let engine = engine(&map(&[inner, calling("outer", json!({}), json!({ "timeout_ms": 300 }))]));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("outer").run());
    assert_eq!(outcome.result.unwrap(), json!("timeout"), "the call around it goes on");
    assert!(outcome.duration < Duration::from_secs(1), "{:?}", outcome.duration);
}

/// The origins pages of a map with this surface are confined to.
fn origins(surface: Value, allowed: AllowedOrigins) -> Option<Vec<String>> {
    let mut map = map(&[tool("t", json!({}), json!([read("r")]), json!(null))]);
    map["surface"] = surface;
    let confinement = engine(&map).with_origins(allowed).confinement()?;
    Some(confinement.origins().map(str::to_owned).collect())
}

#[test]
fn a_map_is_confined_to_the_origin_of_its_address_when_it_names_no_other() {
    let by_address = json!({ "url": "https://fixture.example/shop?page=1", "name": "Fixture" });
    assert_eq!(
        origins(by_address, AllowedOrigins::default()),
        Some(vec!["https://fixture.example".to_owned()])
    );
    assert_eq!(origins(json!({ "name": "Fixture" }), AllowedOrigins::default()), None);
}

#[test]
fn a_map_without_an_origin_is_confined_to_those_the_policy_allows() {
    let allowed = AllowedOrigins::default().allow(["https://other.example".to_owned()]);
    assert_eq!(
        origins(json!({ "name": "Fixture" }), allowed),
        Some(vec!["https://other.example".to_owned()])
    );
}

#[test]
fn a_page_that_must_be_confined_and_cannot_be_is_not_used() {
    let (clock, page) = page();
    let mut map = map(&[tool("t", json!({}), json!([read("r")]), json!(null))]);
    map["surface"] = json!({ "name": "Fixture" });
    let allowed = AllowedOrigins::default().confine_subresources(true);
    let engine = engine(&map).with_origins(allowed);
    let session = session(&engine, &clock, &page);
    let error = on_clock(&clock, session.call("t").run()).result.unwrap_err();
    assert_eq!(error.code, ErrorCode::CapabilityUnavailable);
    assert_eq!(page.performed(), []);
}

#[test]
fn an_import_borrows_no_privilege_from_the_map_that_imports_it() {
    let folder = tempfile::tempdir().unwrap();
    let call = json!({ "id": "call", "primitive": "actions.site", "args": { "mode": "call", "action": "{% input.action %}" } });
    let any = tool("any", json!({ "action": { "type": "string" } }), json!([call]), json!(true));
    std::fs::write(folder.path().join("part.json"), map(&[any]).to_string()).unwrap();
    let script = json!({ "id": "script", "primitive": "debug.run_javascript", "args": { "source": "1" } });
    let picture = json!({ "id": "picture", "primitive": "browser.screenshot", "args": {} });
    let mut root = map(&[
        tool("debugs", json!({}), json!([script]), json!(true)),
        tool("pictures", json!({}), json!([picture]), json!(true)),
        tool("reads", json!({}), json!([read("r")]), json!(true)),
    ]);
    root["composition"] = json!({ "namespace_required": false });
    root["imports"] = json!([{ "id": "part", "kind": "public", "uri": "part.json", "trust": "public" }]);
    let path = folder.path().join("actions.json");
    std::fs::write(&path, root.to_string()).unwrap();
    let engine = Engine::load(&path).unwrap().with_policy(Rules::default().allow_debug(true));
    let (clock, page) = page();
    let session = session(&engine, &clock, &page);
    let called = |tool: &str, arguments: Value| {
        on_clock(&clock, session.call(tool).arguments(arguments).run()).result.map_err(|error| error.code)
    };
    for name in ["debugs", "pictures"] {
        assert_eq!(called("any", json!({ "action": name })), Err(ErrorCode::PermissionDenied), "{name}");
    }
    assert_eq!(called("any", json!({ "action": "reads" })), Ok(json!(true)));
    assert_eq!(called("pictures", json!({})), Ok(json!(true)), "the map itself may");
}

#[test]
fn a_map_may_go_where_its_imports_are_at_home() {
    let folder = tempfile::tempdir().unwrap();
    let mut part = map(&[tool("reads", json!({}), json!([read("r")]), json!(true))]);
    part["surface"] = json!({ "origin": "https://part.example", "name": "Part" });
    std::fs::write(folder.path().join("part.json"), part.to_string()).unwrap();
    let navigate = |url: &str| json!({ "id": "go", "primitive": "browser.navigate", "args": { "url": url } });
    let mut root = map(&[
        tool("home", json!({}), json!([navigate("https://part.example/")]), json!(true)),
        tool("away", json!({}), json!([navigate("https://elsewhere.example/")]), json!(true)),
    ]);
    root["imports"] =
        json!([{ "id": "part", "kind": "local", "uri": "part.json", "namespace": "part", "trust": "local" }]);
    let path = folder.path().join("actions.json");
    std::fs::write(&path, root.to_string()).unwrap();
    let engine = Engine::load(&path).unwrap();
    let result = |name: &str| {
        let (clock, page) = page();
        page.on_call("page.arrival", |_| json!({ "ok": { "title": "Part", "status": 200 } }));
        let session = session(&engine, &clock, &page);
        on_clock(&clock, session.call(name).run()).result.map_err(|error| error.code)
    };
    assert_eq!(result("home"), Ok(json!(true)));
    assert_eq!(result("away"), Err(ErrorCode::UnsafeState));
}

/// Denies a primitive, asks about another one, and keeps every intent as text.
struct Strict {
    denied: &'static str,
    asked: &'static str,
    seen: Arc<Mutex<Vec<String>>>,
}

#[async_trait::async_trait]
impl Policy for Strict {
    async fn decide(&self, intent: &Intent<'_>) -> Decision {
        let origin = intent.origin.as_deref().unwrap_or_default();
        let (what, arguments) = match &intent.operation {
            Operation::Call { input, .. } => ("call", input),
            Operation::Primitive { primitive, arguments, .. } => (primitive.name.as_str(), arguments),
            other => panic!("{other:?}"),
        };
        let seen = format!("{} {:?} {origin} {what} {arguments}", intent.tool, intent.effect);
        self.seen.lock().unwrap().push(seen);
        if what == self.denied {
            let denial = Denial::new(ErrorCode::PermissionDenied, "the site forbids it");
            return Decision::Deny(denial.with_evidence("site", origin));
        }
        match what == self.asked {
            true => Decision::Ask { reason: Some("the site wants it".to_owned()) },
            false => Decision::Allow,
        }
    }
}

fn strict(denied: &'static str, asked: &'static str) -> (Strict, Arc<Mutex<Vec<String>>>) {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    (Strict { denied, asked, seen: seen.clone() }, seen)
}

/// A tool that reads and then types a secret.
fn reading_and_typing() -> Value {
    let mut tool = typing_tool("t");
    let steps = tool["workflow"]["steps"].as_array_mut().unwrap();
    steps[0]["args"]["text"] = json!("{% input.pin %}");
    steps.insert(0, read("r"));
    tool
}

#[test]
fn a_policy_decides_about_the_call_and_every_primitive_without_seeing_secrets() {
    let (clock, page) = page();
    let (policy, seen) = strict("text.insert", "");
    let engine = engine(&map(&[reading_and_typing()])).with_policy(policy);
    let session = session(&engine, &clock, &page);
    let arguments = json!({ "word": "ada", "pin": "4711-0815" });
    let error = on_clock(&clock, session.call("t").arguments(arguments).run()).result.unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::PermissionDenied, "the site forbids it"));
    assert_eq!(error.evidence["site"], "https://fixture.example");
    assert!(!error.mutated);
    assert_eq!(
        *seen.lock().unwrap(),
        [
            r#"t Mutating https://fixture.example call {"word":"ada","pin":"[secret]"}"#,
            r##"t Read https://fixture.example locator.text_content {"locator":{"selector":"h1"}}"##,
            r##"t Mutating https://fixture.example text.insert {"target":{"selector":"#name"},"text":"[secret]"}"##,
        ]
    );
}

#[test]
fn a_policy_may_ask_a_person_about_a_primitive() {
    for (answer, confirmed) in [(Some(true), true), (Some(false), false), (None, false)] {
        let (clock, page) = page();
        let (policy, _) = strict("", "locator.text_content");
        let mut engine = engine(&map(&[tool("t", json!({}), json!([read("r")]), json!("{% steps.r.ok %}"))]))
            .with_policy(policy);
        let asked: Arc<Mutex<Vec<Confirmation>>> = Arc::default();
        if let Some(answer) = answer {
            let kept = asked.clone();
            engine = engine.on_confirm(move |confirmation: Confirmation| {
                kept.lock().unwrap().push(confirmation);
                async move { answer }
            });
        }
        let session = session(&engine, &clock, &page);
        let result = on_clock(&clock, session.call("t").run()).result;
        assert_eq!(result.is_ok(), confirmed, "{result:?}");
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), usize::from(answer.is_some()));
        for confirmation in &*asked {
            assert_eq!(confirmation.operation.as_deref(), Some("locator.text_content"));
            assert_eq!(confirmation.reason.as_deref(), Some("the site wants it"));
        }
    }
}

/// Never decides.
struct Undecided;

#[async_trait::async_trait]
impl Policy for Undecided {
    async fn decide(&self, _: &Intent<'_>) -> Decision {
        std::future::pending().await
    }
}

#[test]
fn a_policy_that_does_not_decide_ends_the_call_at_its_deadline() {
    let (clock, page) = page();
    let engine =
        engine(&map(&[tool("t", json!({}), json!([read("r")]), json!(null))])).with_policy(Undecided);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(3_000)).run());
    let error = outcome.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::HandlerTimeout);
    assert_eq!(error.evidence["waiting"], "the decision of the policy");
    assert_eq!(outcome.duration, Duration::from_secs(3));
}
