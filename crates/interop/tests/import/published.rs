//! What published documents get wrong is read, with warnings; strict readers refuse it.

use actions_interop::import::{Imported, Wishes};
use actions_manifest::Profile;
use serde_json::json;

use crate::stage::{codes, engine, imported, json_of, request, tool};

fn lenient(path: &str) -> Imported {
    let imported =
        imported(&json_of(path), &Wishes::default()).unwrap_or_else(|error| panic!("{path}: {error}"));
    engine(&imported.map);
    imported
}

fn strict_refuses(path: &str) {
    let wishes = Wishes { profile: Profile::Strict, ..Wishes::default() };
    assert!(imported(&json_of(path), &wishes).is_err(), "{path}");
}

#[test]
fn awas_with_booleans_and_locations_is_read() {
    let path = "awas/published/booleans_and_locations.json";
    let looms = lenient(path);
    assert!(codes(&looms.findings).contains(&"AWAS002"), "{:?}", codes(&looms.findings));
    assert!(codes(&looms.findings).contains(&"AWAS009"), "{:?}", codes(&looms.findings));
    let rename = request(&looms.map, "localhost.rename_loom");
    assert_eq!(rename["path"], json!({ "id": "{% input.id %}" }));
    assert_eq!(rename["query"], json!({ "dry": "{% input.dry %}" }));
    assert_eq!(rename["json"], json!({ "name": "{% input.name %}" }));
    assert_eq!(rename["auth"]["header"], "X-Loom-Key");
    assert_eq!(tool(&looms.map, "localhost.list_looms")["x_actions"]["effect"], "read");
    strict_refuses(path);
}

#[test]
fn awas_with_names_of_its_own_is_read() {
    let path = "awas/published/other_names.json";
    let formulas = lenient(path);
    assert_eq!(codes(&formulas.findings), ["AWAS001", "AWAS009"]);
    let render = request(&formulas.map, "formulas_example.render_formula");
    assert_eq!(render["method"], "POST");
    assert_eq!(render["json"], json!({ "source": "{% input.source %}" }));
    strict_refuses(path);
}

#[test]
fn awas_with_links_and_telephone_numbers_keeps_the_links() {
    let path = "awas/published/links_and_phones.json";
    let clocks = lenient(path);
    let steps = &tool(&clocks.map, "clocks_example.open-shop")["workflow"]["steps"];
    assert_eq!(steps[0]["primitive"], "browser.navigate");
    let codes = codes(&clocks.findings);
    assert!(codes.contains(&"AWAS005") && codes.contains(&"AWAS011"), "{codes:?}");
    assert_eq!(clocks.map["tools"].as_array().unwrap().len(), 1);
    strict_refuses(path);
}

#[test]
fn awas_without_ids_is_called_by_names() {
    let path = "awas/published/without_ids.json";
    let pushes = lenient(path);
    let push = request(&pushes.map, "pushes_example.pusher.push");
    assert_eq!(push["json"], json!({ "folder": "{% input.folder %}" }));
    strict_refuses(path);
}

#[test]
fn awas_with_bare_links_has_nothing_to_call() {
    let path = "awas/published/bare_links.json";
    // A file whose actions are all left out does not say where it belongs; its site does.
    let imported = crate::stage::served(
        &json_of(path),
        "https://links.example/.well-known/ai-actions.json",
        &Wishes::default(),
    );
    let links = imported.unwrap();
    assert_eq!(links.map["tools"], json!([]));
    assert_eq!(codes(&links.findings), ["AWAS001", "AWAS011"]);
}

#[test]
fn awp_of_the_reference_implementation_names_actions_without_details() {
    let path = "awp/published/reference_without_details.json";
    let claws = lenient(path);
    assert_eq!(codes(&claws.findings), ["AWP007", "AWP009"]);
    assert_eq!(claws.map["tools"], json!([]));
    assert!(claws.site.left_out.iter().all(|left| left.reason.contains("`a2a`")));
    strict_refuses(path);
}

#[test]
fn awp_with_via_and_an_endpoint_elsewhere_is_called_at_the_endpoint() {
    let path = "awp/published/via_and_endpoint.json";
    let boxes = lenient(path);
    let codes = codes(&boxes.findings);
    assert!(codes.contains(&"AWP007") && codes.contains(&"AWP008"), "{codes:?}");
    assert_eq!(request(&boxes.map, "boxes_example.find_box")["url"], "https://boxes.example/api/boxes");
    strict_refuses(path);
}

#[test]
fn awp_without_inputs_and_with_an_address_for_a_domain_is_read() {
    let path = "awp/published/without_inputs.json";
    let bare = lenient(path);
    assert_eq!(codes(&bare.findings), ["AWP009", "AWP012"]);
    assert_eq!(request(&bare.map, "bare_example.hello")["url"], "https://bare.example/api/hello");
    strict_refuses(path);
}

#[test]
fn awp_with_duplicate_ids_and_undeclared_protocols_is_refused_by_all() {
    let error = imported(&json_of("awp/published/two_errors.json"), &Wishes::default()).unwrap_err();
    let codes = codes(error.findings());
    assert!(codes.contains(&"AWP005") && codes.contains(&"AWP006"), "{codes:?}");
}

#[test]
fn json_of_something_else_is_named_and_not_guessed() {
    for document in [
        json!({ "intents": [], "origin": "https://a.example" }),
        json!({ "skills": [], "url": "https://a.example" }),
        json!([]),
    ] {
        let error = imported(&document, &Wishes::default()).unwrap_err();
        assert_eq!(
            actions_engine::CallError::from(&error).code,
            actions_engine::ErrorCode::ManifestInvalid,
            "{document}"
        );
    }
}
