//! AI actions: what an importer makes of a catalogue in both dialects, and what it finds wrong with one.

use actions_interop::awas::check;
use actions_interop::import::{Prefer, Wishes};
use actions_manifest::{Profile, Severity};
use serde_json::{Value, json};

use crate::stage::{codes, engine, imported, json_of, request, tool};

fn errors(document: &Value, profile: Profile) -> Vec<&'static str> {
    let (_, findings) = check("ai-actions.json", document.to_string().as_bytes(), profile);
    let errors: Vec<_> = findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    codes(&errors)
}

fn all_codes(document: &Value) -> Vec<&'static str> {
    codes(&check("ai-actions.json", document.to_string().as_bytes(), Profile::Lenient).1)
}

fn catalogue(action: Value) -> Value {
    json!({ "version": "1.0", "name": "A", "description": "A site", "baseUrl": "https://a.example", "actions": [action] })
}

fn hello() -> Value {
    json!({ "id": "hello", "name": "Hello", "description": "Says hello", "path": "/hello", "method": "GET" })
}

#[test]
fn w10_schemas_that_are_not_valid_keep_their_action_from_being_called() {
    let mut action = hello();
    action["parameters"] = json!([{
        "name": "q", "type": "string", "required": true, "description": "What", "validation": { "pattern": "(" },
    }]);
    let mut document = catalogue(action);
    document["actions"].as_array_mut().unwrap().push(
        json!({ "id": "bye", "name": "Bye", "description": "Says bye", "path": "/bye", "method": "GET" }),
    );
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(imported.site.left_out.len(), 1, "{:?}", imported.site.left_out);
    assert_eq!(imported.site.left_out[0].id, "hello");
    tool(&imported.map, "a_example.bye");
}

#[test]
fn w11_unknown_members_and_extensions_are_ignored() {
    let mut document = catalogue(hello());
    let plain = imported(&document, &Wishes::default()).unwrap();
    document["x-internal"] = json!([1]);
    document["colour"] = json!("blue");
    document["actions"][0]["x-analytics"] = json!("a");
    document["actions"][0]["mood"] = json!(7);
    let odd = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(plain.map["tools"], odd.map["tools"]);
    assert_eq!(codes(&odd.findings), [""; 0]);
}

#[test]
fn w12_both_dialects_are_read_and_another_major_version_is_refused_with_a_code_of_its_own() {
    let one = imported(&json_of("awas/bookstore.json"), &Wishes::default()).unwrap();
    assert_eq!(one.site.provenance.dialect, "1.0");
    let one_one = imported(&json_of("awas/api.json"), &Wishes::default()).unwrap();
    assert_eq!(one_one.site.provenance.dialect, "1.1");
    let mut later = catalogue(hello());
    later["version"] = json!("1.7.3");
    assert!(imported(&later, &Wishes::default()).is_ok(), "a later minor version is read");
    later["version"] = json!("2.0");
    let error = imported(&later, &Wishes::default()).unwrap_err();
    assert_eq!(
        actions_engine::CallError::from(&error).code,
        actions_engine::ErrorCode::ManifestUnsupportedVersion
    );
}

#[test]
fn w3_a_catalogue_of_more_than_100_kb_is_a_warning() {
    let mut document = catalogue(hello());
    document["x-padding"] = json!("x".repeat(110_000));
    assert_eq!(all_codes(&document), ["AWAS017"]);
}

#[test]
fn the_rules_of_the_specification_have_findings() {
    let with = |key: &str, value: Value| {
        let mut action = hello();
        action[key] = value;
        catalogue(action)
    };
    let parameter = |parameter: Value| with("parameters", json!([parameter]));
    let cases = [
        (catalogue(hello()), ""),
        (
            json!({ "version": "1.0", "actions": [hello()], "name": "A", "baseUrl": "https://a.example" }),
            "AWAS001",
        ),
        (with("result", json!({ "type": "list", "selector": ".a[" })), "AWAS004"),
        (with("result", json!({ "type": "list", "selector": 7 })), "AWAS002"),
        (with("path", json!("tel:+1")), "AWAS005"),
        (with("rateLimit", json!({ "requests": 1, "window": "1 moon" })), "AWAS006"),
        (
            parameter(
                json!({ "name": "a", "type": "string", "required": false, "description": "A", "enum": [] }),
            ),
            "AWAS007",
        ),
        (parameter(json!({ "name": "a", "type": "text", "required": false, "description": "A" })), "AWAS008"),
        (with("method", json!("navigate")), "AWAS009"),
        (parameter(json!({ "name": "a", "type": "string", "required": false })), "AWAS012"),
    ];
    for (document, code) in cases {
        let expected: Vec<&str> = Some(code).into_iter().filter(|code| !code.is_empty()).collect();
        let found: Vec<&str> = all_codes(&document).into_iter().filter(|code| *code != "AWAS011").collect();
        assert_eq!(found, expected, "{document}");
    }
    let mut twice = catalogue(hello());
    twice["actions"].as_array_mut().unwrap().push(hello());
    assert_eq!(errors(&twice, Profile::Lenient), ["AWAS003"]);
}

#[test]
fn a_missing_description_and_a_null_default_are_no_errors_even_to_strict_readers() {
    let mut action = hello();
    action["parameters"] =
        json!([{ "name": "email", "type": "string", "format": "email", "required": true, "default": null }]);
    let document = catalogue(action);
    assert_eq!(errors(&document, Profile::Strict), [""; 0]);
    assert_eq!(all_codes(&document), ["AWAS012", "AWAS016"]);
    let imported = imported(&document, &Wishes::default()).unwrap();
    assert_eq!(tool(&imported.map, "a_example.hello")["input_schema"]["required"], json!(["email"]));
}

#[test]
fn an_action_with_selectors_is_performed_in_the_page_and_one_without_by_a_request() {
    let shop = imported(&json_of("awas/bookstore.json"), &Wishes::default()).unwrap();
    let steps =
        tool(&shop.map, "paperboat_example.search-books")["workflow"]["steps"].as_array().unwrap().clone();
    assert_eq!(steps[0]["args"]["url"], "https://paperboat.example/search");
    let by_request = Wishes { prefer: Some(Prefer::Http), ..Wishes::default() };
    let shop = imported(&json_of("awas/bookstore.json"), &by_request).unwrap();
    // The field of the form is called `q`, and its selector says so.
    assert_eq!(request(&shop.map, "paperboat_example.search-books")["query"]["q"], "{% input.query %}");
    engine(&shop.map);
}

#[test]
fn a_request_of_version_1_1_carries_what_the_document_says() {
    let api = imported(&json_of("awas/api.json"), &Wishes::default()).unwrap();
    let find = request(&api.map, "paperboat_example.find_books");
    assert_eq!(find["url"], "https://paperboat.example/api/v1/books");
    assert_eq!(find["auth"]["required"], false);
    assert_eq!(find["headers"]["awas-version"], "1.1");
    assert_eq!(find["expect"]["status"], json!([200]));
    let update = request(&api.map, "paperboat_example.update_book");
    assert_eq!(update["idempotency"], json!({ "in": "header", "name": "Idempotency-Key" }));
    assert_eq!(
        (&update["path"], &update["json"]),
        (&json!({ "isbn": "{% input.isbn %}" }), &json!({ "note": "{% input.note %}" }))
    );
    let remove = tool(&api.map, "paperboat_example.remove_book");
    assert_eq!(
        (&remove["x_actions"]["effect"], &remove["x_actions"]["confirm"]),
        (&json!("destructive"), &json!("recommended"))
    );
    assert_eq!(
        request(&api.map, "paperboat_example.remove_book")["url"],
        "https://paperboat.example/api/v1/books/{isbn}"
    );
    let visit = tool(&api.map, "paperboat_example.post_safely");
    assert_eq!(visit["x_actions"]["effect"], "write", "a POST is not believed to be safe");
    assert!(codes(&api.findings).contains(&"AWAS013"));
    engine(&api.map);
}

#[test]
fn a_base_of_another_site_than_the_one_that_serves_it_is_refused() {
    let document = json_of("awas/bookstore.json");
    let error = crate::stage::served(
        &document,
        "https://evil.example/.well-known/ai-actions.json",
        &Wishes::default(),
    );
    let error = actions_engine::CallError::from(&error.unwrap_err());
    assert_eq!(error.code, actions_engine::ErrorCode::CrossOriginDenied);
}

#[test]
fn limits_of_the_site_and_of_the_action_both_hold() {
    let shop = imported(&json_of("awas/bookstore.json"), &Wishes::default()).unwrap();
    let limits = &tool(&shop.map, "paperboat_example.search-books")["x_actions"]["limits"];
    let expected = json!([
        { "scope": "site", "count": 100, "per_ms": 3_600_000 },
        { "scope": "action", "count": 20, "per_ms": 60_000 },
    ]);
    assert_eq!(*limits, expected);
}

#[test]
fn the_map_of_the_bookstore_is_as_a_reviewer_reads_it() {
    let shop = imported(&json_of("awas/bookstore.json"), &Wishes::default()).unwrap();
    engine(&shop.map);
    insta::assert_json_snapshot!(shop.map);
}
