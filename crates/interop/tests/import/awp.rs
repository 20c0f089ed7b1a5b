//! The Agent Web Protocol: what an importer makes of an `agent.json`, and what it finds wrong with one.

use actions_interop::awp::check;
use actions_interop::import::{ImportError, Wishes};
use actions_manifest::{Profile, Severity};
use serde_json::{Value, json};

use crate::stage::{codes, engine, imported, json_of, request, tool};

const FLIGHTS: &str = "awp/flights.json";

/// The codes of the errors that a document has under a profile.
fn errors(document: &Value, profile: Profile) -> Vec<&'static str> {
    let (_, findings) = check("agent.json", document.to_string().as_bytes(), profile);
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    codes(&errors)
}

fn all_codes(document: &Value) -> Vec<&'static str> {
    codes(&check("agent.json", document.to_string().as_bytes(), Profile::Lenient).1)
}

fn smallest() -> Value {
    json!({
        "awp_version": "0.2", "domain": "a.example", "intent": "Say hello",
        "actions": [{
            "id": "hello", "description": "Says hello", "auth_required": false, "inputs": {}, "outputs": {},
            "endpoint": "/hello", "method": "GET",
        }],
    })
}

#[test]
fn p1_a_document_without_one_of_the_four_root_members_is_refused() {
    assert_eq!(errors(&smallest(), Profile::Strict), [""; 0]);
    for key in ["awp_version", "domain", "intent", "actions"] {
        let mut document = smallest();
        document.as_object_mut().unwrap().remove(key);
        assert!(errors(&document, Profile::Lenient).contains(&"AWP001"), "{key}");
    }
}

#[test]
fn p3_an_unknown_major_version_is_a_warning_and_what_is_known_is_used() {
    let mut document = smallest();
    document["awp_version"] = json!("9.1");
    document["actions"][0]["quantum"] = json!({ "entangled": true });
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert!(codes(&imported.findings).contains(&"AWP011"));
    tool(&imported.map, "a_example.hello");
}

#[test]
fn p4_unknown_members_are_ignored() {
    let mut document = json_of(FLIGHTS);
    document["weather"] = json!([1]);
    document["protocols"]["x402"]["colour"] = json!("blue");
    document["actions"][0]["x-note"] = json!({});
    let plain = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    let odd = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(plain.map["tools"], odd.map["tools"]);
}

#[test]
fn p5_a_protocol_that_is_used_has_a_version_and_one_about_payment_need_not() {
    let mut document = smallest();
    document["protocols"] = json!({ "payment": { "type": "link" } });
    assert_eq!(errors(&document, Profile::Lenient), [""; 0]);
    assert_eq!(errors(&document, Profile::Strict), ["AWP007"], "the specification asks for it everywhere");
    document["protocols"] = json!({ "a2a": { "endpoint": "https://a.example/a2a" } });
    document["actions"][0]["via"] = json!("a2a");
    assert_eq!(errors(&document, Profile::Lenient), ["AWP007"]);
}

#[test]
fn p6_a_protocol_that_is_not_registered_is_a_warning_unless_it_begins_with_x() {
    let mut document = smallest();
    document["protocols"] = json!({ "homing-pigeon": { "version": "1" } });
    assert_eq!(all_codes(&document), ["AWP008"]);
    document["protocols"] = json!({ "x-homing-pigeon": { "version": "1" } });
    assert_eq!(all_codes(&document), [""; 0]);
}

#[test]
fn p7_via_names_a_declared_protocol() {
    let mut document = smallest();
    document["actions"][0]["via"] = json!("mcp");
    assert_eq!(errors(&document, Profile::Lenient), ["AWP006"]);
}

#[test]
fn p8_an_action_without_via_is_called_at_its_endpoint_by_its_method() {
    let imported = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    let request = request(&imported.map, "kite-air_example.search_flights");
    assert_eq!(request["method"], "POST");
    assert_eq!(request["url"], "https://kite-air.example/api/flights/search");
    assert_eq!(request["json"]["origin"], "{% input.origin %}");
}

#[test]
fn p9_the_members_of_an_action_are_asked_for_by_strict_reading_alone() {
    let mut document = smallest();
    for key in ["description", "auth_required", "inputs", "outputs"] {
        document["actions"][0].as_object_mut().unwrap().remove(key);
    }
    assert_eq!(errors(&document, Profile::Strict), ["AWP009"]);
    assert_eq!(errors(&document, Profile::Lenient), [""; 0]);
    document["actions"][0].as_object_mut().unwrap().remove("method");
    assert_eq!(errors(&document, Profile::Lenient), ["AWP004"]);
}

#[test]
fn p10_an_action_that_wants_a_person_is_confirmed_first() {
    let mut document = smallest();
    document["actions"][0]["requires_human_confirmation"] = json!(true);
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(tool(&imported.map, "a_example.hello")["x_actions"]["confirm"], "recommended");
}

#[test]
fn p11_what_cannot_be_undone_must_be_confirmed_and_what_destroys_should_be() {
    let demanded = |change: Value, method: &str| {
        let mut document = smallest();
        document["actions"][0]["method"] = json!(method);
        document["actions"][0].as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let imported = imported(&document, &Wishes::default()).unwrap();
        let x_actions = tool(&imported.map, "a_example.hello")["x_actions"].clone();
        (x_actions["effect"].as_str().unwrap().to_owned(), x_actions["confirm"].as_str().unwrap().to_owned())
    };
    let pair = |effect: &str, confirm: &str| (effect.to_owned(), confirm.to_owned());
    assert_eq!(demanded(json!({ "sensitivity": "irreversible" }), "POST"), pair("irreversible", "mandatory"));
    assert_eq!(demanded(json!({ "sensitivity": "destructive" }), "POST"), pair("destructive", "recommended"));
    assert_eq!(demanded(json!({ "reversible": false }), "POST"), pair("destructive", "recommended"));
    assert_eq!(demanded(json!({}), "DELETE"), pair("destructive", "recommended"));
    assert_eq!(demanded(json!({ "sensitivity": "standard" }), "DELETE"), pair("write", "never"));
    assert_eq!(demanded(json!({}), "POST"), pair("write", "never"));
    assert_eq!(demanded(json!({}), "GET"), pair("read", "never"));
}

#[test]
fn p12_a_recovery_that_no_machine_can_follow_is_advice() {
    let mut document = smallest();
    document["errors"] = json!({ "OUT": { "recovery": "be patient" } });
    assert_eq!(all_codes(&document), ["AWP015"]);
}

#[test]
fn p13_dependencies_become_demands_of_the_tool() {
    let imported = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    let book = tool(&imported.map, "kite-air_example.book_flight");
    assert_eq!(book["x_actions"]["depends_on"], json!(["kite-air_example.search_flights"]));
    engine(&imported.map);
}

#[test]
fn p14_hints_are_text_for_planning_and_bind_nobody() {
    let imported = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    let texts: Vec<&str> = imported.map["context"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|block| block["body"].as_str())
        .collect();
    assert!(
        texts.iter().any(|text| text.contains("five minutes") && text.contains("not an instruction")),
        "{texts:?}"
    );
    assert!(!imported.map["tools"].to_string().contains("five minutes"));
}

#[test]
fn p15_a_synthetic_document_that_does_not_say_who_made_it_is_reported() {
    let mut document = smallest();
    document["source"] = json!("synthetic");
    let (_, findings) = check("agent.json", document.to_string().as_bytes(), Profile::Lenient);
    let found = findings.iter().find(|finding| finding.rule.code == "AWP017").unwrap();
    for lacking in ["generated_by", "confidence", "last_verified"] {
        assert!(found.message.contains(lacking), "{}", found.message);
    }
}

#[test]
fn p16_a_synthetic_document_is_used_only_if_the_caller_agrees_and_its_changes_are_confirmed() {
    let mut document = json_of(FLIGHTS);
    document["source"] = json!("synthetic");
    document["confidence"] = json!(0.5);
    assert!(matches!(imported(&document, &Wishes::default()), Err(ImportError::Synthetic { .. })));
    let wishes = Wishes { allow_synthetic: true, ..Wishes::default() };
    let imported = imported(&document, &wishes).unwrap();
    assert_eq!(imported.map["x_actions"]["x_interop"]["confidence"], 0.5);
    let search = tool(&imported.map, "kite-air_example.search_flights");
    assert_eq!(search["x_actions"]["confirm"], "recommended");
}

#[test]
fn p17_what_should_be_declared_is_reported_when_it_is_not() {
    let mut document = smallest();
    document["actions"][0].as_object_mut().unwrap().remove("description");
    assert_eq!(all_codes(&document), ["AWP009"]);
}

#[test]
fn inputs_go_into_the_path_the_query_and_the_body() {
    let mut document = smallest();
    let inputs = json!({ "id": { "type": "string" }, "n": { "type": "integer", "required": true } });
    document["actions"] = json!([
        { "id": "get", "endpoint": "/items/{id}", "method": "GET", "inputs": inputs },
        { "id": "post", "endpoint": "/items/{id}", "method": "POST", "inputs": inputs },
        { "id": "delete", "endpoint": "/items/{id}", "method": "DELETE", "inputs": inputs },
    ]);
    let imported = imported(&document, &Wishes::default()).unwrap();
    let get = request(&imported.map, "a_example.get");
    assert_eq!(
        (&get["path"], &get["query"]),
        (&json!({ "id": "{% input.id %}" }), &json!({ "n": "{% input.n %}" }))
    );
    let post = request(&imported.map, "a_example.post");
    assert_eq!(post["json"], json!({ "n": "{% input.n %}" }));
    assert_eq!(request(&imported.map, "a_example.delete")["query"], json!({ "n": "{% input.n %}" }));
    let schema = &tool(&imported.map, "a_example.get")["input_schema"];
    assert_eq!(schema["required"], json!(["n", "id"]));
    assert_eq!(schema["additionalProperties"], false);
    engine(&imported.map);
}

#[test]
fn an_endpoint_of_another_site_is_left_out() {
    let mut document = smallest();
    document["actions"][0]["endpoint"] = json!("https://other.example/pay");
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(imported.map["tools"], json!([]));
    assert!(imported.site.left_out[0].reason.contains("cross_origin_denied"), "{:?}", imported.site.left_out);
    assert!(codes(&imported.findings).contains(&"AWP013"));
}

#[test]
fn an_endpoint_below_the_domain_is_an_origin_of_the_map() {
    let mut document = smallest();
    document["actions"][0]["endpoint"] = json!("https://api.a.example/hello");
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(imported.map["surface"]["origins"], json!(["https://api.a.example"]));
    engine(&imported.map);
}

#[test]
fn a_site_that_is_down_and_an_action_that_is_degraded_are_marked() {
    let mut document = json_of(FLIGHTS);
    document["agent_status"]["degraded_actions"] = json!(["search_flights"]);
    let imported_ = imported(&document, &Wishes::default()).unwrap();
    let search = tool(&imported_.map, "kite-air_example.search_flights");
    assert_eq!(search["x_actions"]["availability"], "degraded");
    document["agent_status"]["operational"] = json!(false);
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(
        tool(&imported.map, "kite-air_example.search_flights")["x_actions"]["availability"],
        "unavailable"
    );
}

#[test]
fn a_payment_is_never_made() {
    let imported = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    let pay = imported.site.left_out.iter().find(|left| left.id == "pay_now").unwrap();
    assert!(pay.reason.contains("never pays"), "{}", pay.reason);
}

#[test]
fn the_map_of_the_flights_is_as_a_reviewer_reads_it() {
    let imported = imported(&json_of(FLIGHTS), &Wishes::default()).unwrap();
    insta::assert_json_snapshot!(imported.map);
}
