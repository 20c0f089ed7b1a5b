//! Extraction of records and the state computed from them.

use serde_json::{Value, json};

use crate::stage::{Stage, plain, projection, read, round_trips, state};

const BOARD: &str = r#"<!doctype html><title>Board</title>
<main data-board="b1">
  <section class="list" data-id="l1"><h2> Ideas </h2><ul>
    <li data-id="c1"><h3>Sow <b>beans</b></h3><input value="3" type="number"><input type="checkbox" checked></li>
    <li data-id="c2" aria-label="second"><h3>Dig</h3><input value="" type="number"></li></ul></section>
  <section class="list" data-id="l2"><h2>Done</h2><ul></ul></section>
</main>
<p class="hidden" style="display:none">hidden text</p>"#;

#[tokio::test]
async fn every_kind_of_field_is_read_in_one_round_trip() {
    let stage = Stage::new().await;
    let session = stage
        .show(
            BOARD,
            plain(json!([
                { "id": "lists", "selector": ".list", "many": true, "fields": {
                    "id": { "attribute": "data-id", "required": true },
                    "name": { "selector": "h2", "property": "innerText", "trim": true },
                    "raw": { "selector": "h2", "property": "textContent" },
                    "cards": { "selector": "li", "many": true, "fields": {
                        "id": { "attribute": "data-id" },
                        "title": { "selector": "h3" },
                        "hours": { "selector": "input[type=number]", "property": "value", "required": true, "default": "0" },
                        "done": { "selector": "input[type=checkbox]", "property": "checked", "default": false },
                        "label": { "property": "ariaLabel" },
                        "tag": { "property": "tagName" },
                        "class": { "closest": ".list", "property": "className" },
                        "list": { "closest": ".list", "attribute": "data-id" },
                        "board": { "selector": "h3", "closest": "main", "attribute": "data-board" },
                        "by_xpath": { "xpath": "h3/b" },
                    }},
                }},
                { "id": "by_xpath", "xpath": "//li/h3" },
                { "id": "first", "selector": "li", "many": false, "fields": { "id": { "attribute": "data-id" } } },
                { "id": "nothing", "selector": ".absent", "many": false },
                { "id": "none", "selector": ".absent" },
                { "id": "hidden", "selector": ".hidden", "many": false },
                { "id": "page", "many": false, "fields": { "heading": { "selector": "h2", "trim": true } } },
            ])),
        )
        .await;
    let (seen, trips) = round_trips(&session, state(&session)).await;
    assert_eq!(trips, 1);
    insta::assert_json_snapshot!(seen);
}

#[tokio::test]
async fn the_expression_sees_records_url_title_and_projection() {
    let stage = Stage::new().await;
    let session = stage
        .show(
            BOARD,
            projection(
                json!([{ "id": "lists", "selector": ".list h2" }]),
                "{% {'names': records.lists.$trim(), 'path': $substringAfter(url, '1:'), 'title': title, 'name': projection.name} %}",
            ),
        )
        .await;
    let port = format!("{}/", stage.server.port());
    assert_eq!(
        state(&session).await,
        json!({ "names": ["Ideas", "Done"], "path": port, "title": "Board", "name": "it" })
    );
}

#[tokio::test]
async fn an_extraction_of_nothing_is_a_state_all_the_same() {
    let stage = Stage::new().await;
    let session = stage.show(BOARD, projection(json!([]), "{'title': title}")).await;
    assert_eq!(state(&session).await, json!({ "title": "Board" }));
}

#[tokio::test]
async fn open_shadow_roots_are_entered() {
    let stage = Stage::new().await;
    let session = stage
        .show(
            r#"<x-list><template shadowrootmode="open"><ul><li>one</li><x-item><template shadowrootmode="open"><li>two</li></template></x-item></ul></template></x-list>"#,
            plain(json!([{ "id": "items", "selector": "li" }, { "id": "lists", "selector": "x-list", "fields": { "first": { "selector": "li" } } }])),
        )
        .await;
    assert_eq!(state(&session).await, json!({ "items": ["one", "two"], "lists": [{ "first": "one" }] }));
}

#[tokio::test]
async fn missing_fields_are_reported_and_fail_only_when_the_projection_says_so() {
    let stage = Stage::new().await;
    let extract = json!([{ "id": "lists", "selector": ".list", "fields": {
        "id": { "attribute": "data-id", "required": true },
        "owner": { "attribute": "data-owner", "required": true },
    }}]);
    let session = stage.show(BOARD, plain(extract.clone())).await;
    let reading = read(&session).await.expect("missing fields are reported");
    assert_eq!(reading.diagnostics.missing_required_fields, ["lists.0.owner", "lists.1.owner"]);
    assert_eq!(Value::Object(reading.diagnostics.selector_counts), json!({ "lists": 2 }));
    assert_eq!(reading.diagnostics.schema_valid, None);

    let mut strict = plain(extract);
    strict["on_missing"] = json!("fail");
    let session = stage.show(BOARD, strict).await;
    let error = read(&session).await.expect_err("they are required");
    assert_eq!(error.code.as_str(), "state_schema_validation_failed");
    assert_eq!(error.evidence["missing_required_fields"], json!(["lists.0.owner", "lists.1.owner"]));
}

#[tokio::test]
async fn a_state_that_does_not_fit_its_schema_is_refused_with_every_error() {
    let stage = Stage::new().await;
    let mut projection = plain(json!([{ "id": "lists", "selector": ".list h2" }]));
    projection["snapshot"]["output_schema"] = json!({ "type": "object", "properties": {
        "lists": { "type": "array", "items": { "type": "integer" } }, "more": {} }, "required": ["more"] });
    let session = stage.show(BOARD, projection).await;
    let error = read(&session).await.expect_err("it does not fit");
    assert_eq!(error.code.as_str(), "state_schema_validation_failed");
    assert_eq!(error.evidence["error_count"], 3);
    insta::assert_json_snapshot!(error.evidence["errors"]);
}

#[tokio::test]
async fn a_page_that_becomes_ready_is_waited_for() {
    let stage = Stage::new().await;
    let mut projection = plain(json!([{ "id": "rows", "selector": "li" }]));
    projection["snapshot"]["output_schema"] =
        json!({ "type": "object", "properties": { "rows": { "type": "array", "minItems": 2 } } });
    let late = "<ul></ul><script>setTimeout(() => { document.querySelector('ul').innerHTML = '<li>a<li>b'; }, 200)</script>";
    let session = stage.show(late, projection).await;
    assert_eq!(state(&session).await, json!({ "rows": ["a", "b"] }));
}

#[tokio::test]
async fn a_projection_is_read_only_where_it_applies() {
    let stage = Stage::new().await;
    let mut scoped = plain(json!([]));
    scoped["scope"] = json!({ "url_matches": "http://127.0.0.1:*/BOARD/*" });
    let session = stage.show(BOARD, scoped.clone()).await;
    let error = read(&session).await.expect_err("another page");
    assert_eq!(error.code.as_str(), "state_projection_not_found");
    stage.server.page("/board/1", BOARD);
    let session = stage.open(&crate::stage::map(&[scoped], &[]), "/board/1").await;
    assert_eq!(state(&session).await, json!({}));
}

#[tokio::test]
async fn the_scope_of_the_map_binds_its_projections_too() {
    let stage = Stage::new().await;
    stage.server.page("/a", BOARD);
    let mut map = crate::stage::map(&[plain(json!([]))], &[]);
    map["scope"] = json!({ "url_matches": "*/b" });
    let session = stage.open(&map, "/a").await;
    assert_eq!(read(&session).await.expect_err("another page").code.as_str(), "state_projection_not_found");
}

#[tokio::test]
async fn the_scope_of_a_projection_takes_the_place_of_that_of_the_map() {
    let stage = Stage::new().await;
    stage.server.page("/a", BOARD);
    for own in [json!({ "url_matches": ["*/a"] }), json!({ "url_matches": [] }), json!({})] {
        let mut projection = plain(json!([]));
        projection["scope"] = own.clone();
        let mut map = crate::stage::map(&[projection], &[]);
        map["scope"] = json!({ "url_matches": "*/b" });
        let session = stage.open(&map, "/a").await;
        assert_eq!(state(&session).await, json!({}), "{own}");
    }
}

#[tokio::test]
async fn text_and_attribute_nodes_are_records_and_no_fields_give_an_empty_object() {
    let stage = Stage::new().await;
    let extract = json!([
        { "id": "texts", "xpath": "//section/h2/text()", "fields": { "name": { "trim": true } } },
        { "id": "ids", "xpath": "//section/@data-id", "fields": { "id": {}, "inner": { "selector": "b" } } },
        { "id": "nothing", "selector": "h2", "fields": {} },
    ]);
    let session = stage.show(BOARD, plain(extract)).await;
    assert_eq!(
        state(&session).await,
        json!({
            "texts": [{ "name": "Ideas" }, { "name": "Done" }],
            "ids": [{ "id": "l1", "inner": null }, { "id": "l2", "inner": null }],
            "nothing": [{}, {}],
        })
    );
}

#[tokio::test]
async fn selector_counts_add_up_the_matches_in_all_records() {
    let stage = Stage::new().await;
    let extract = json!([{ "id": "lists", "selector": ".list", "fields": {
        "cards": { "selector": "li", "many": true, "fields": { "title": { "selector": "h3" } } },
    } }]);
    let session = stage.show(BOARD, plain(extract)).await;
    let counts = read(&session).await.expect("a reading").diagnostics.selector_counts;
    assert_eq!(Value::Object(counts), json!({ "lists": 2, "lists.cards": 2, "lists.cards.title": 2 }));
}

#[tokio::test]
async fn an_expression_that_fails_says_which_and_why() {
    let stage = Stage::new().await;
    let session = stage
        .show(BOARD, projection(json!([{ "id": "n", "selector": "h2" }]), "$number(records.n[0])"))
        .await;
    let error = read(&session).await.expect_err("no number");
    assert_eq!(error.code.as_str(), "state_projection_failed");
    assert_eq!(error.evidence["expression"], "$number(records.n[0])");
    assert_eq!(error.evidence["selector_counts"], json!({ "n": 2 }));
}
