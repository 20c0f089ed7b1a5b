//! Projections that read frames.

use serde_json::json;

use crate::stage::{Stage, plain, read, round_trips, state};

const OUTER: &str = r#"<title>Outer</title><h1>Outer</h1><iframe id="mail" src="/inner"></iframe>"#;
const INNER: &str = r#"<h1>Inner</h1><p>one</p><p>two</p><iframe class="deep" src="/deep"></iframe>"#;
const DEEP: &str = "<h1>Deep</h1>";

fn extract() -> serde_json::Value {
    json!([
        { "id": "outer", "selector": "h1" },
        { "id": "inner", "selector": "h1", "frame": "#mail" },
        { "id": "texts", "selector": "p", "frame": ["#mail"], "fields": { "text": { "required": true }, "gone": { "selector": "b", "required": true } } },
        { "id": "deep", "selector": "h1", "many": false, "frame": ["#mail", "iframe.deep"] },
    ])
}

#[tokio::test]
async fn frames_of_the_same_origin_are_read_in_the_same_round_trip() {
    let stage = Stage::new().await;
    stage.server.page("/inner", INNER);
    stage.server.page("/deep", DEEP);
    let session = stage.show(OUTER, plain(extract())).await;
    let (reading, trips) = round_trips(&session, read(&session)).await;
    let reading = reading.expect("a state");
    assert_eq!(trips, 1);
    let expected = json!({ "outer": ["Outer"], "inner": ["Inner"], "deep": "Deep",
        "texts": [{ "text": "one", "gone": null }, { "text": "two", "gone": null }] });
    assert_eq!(reading.state, expected);
    assert_eq!(reading.diagnostics.missing_required_fields, ["texts.0.gone", "texts.1.gone"]);
    assert_eq!(reading.diagnostics.selector_counts["texts"], 2);
}

#[tokio::test]
async fn frames_of_other_sites_are_read_too_side_by_side() {
    let stage = Stage::new().await;
    let frame = |id: &str, host: &str, path: &str| {
        format!(r#"<iframe id="{id}" src="{}"></iframe>"#, stage.server.url_on(host, path))
    };
    let outer = format!(
        "<h1>Outer</h1>{}{}",
        frame("mail", "mail.localhost", "/inner"),
        frame("other", "other.localhost", "/deep")
    );
    stage.server.page("/inner", INNER);
    stage.server.page("/deep", DEEP);
    let mut items = extract();
    items.as_array_mut().expect("a list").push(json!({ "id": "other", "selector": "h1", "frame": "#other" }));
    let session = stage.show(&outer, plain(items)).await;
    // A question to one frame that happens to go out after the answer of another counts as if it had waited for it, so
    // the least of several readings is what one costs.
    let mut least = u64::MAX;
    for _ in 0..5 {
        let (seen, trips) = round_trips(&session, state(&session)).await;
        assert_eq!(
            (&seen["inner"], &seen["deep"], &seen["other"]),
            (&json!(["Inner"]), &json!("Deep"), &json!(["Deep"]))
        );
        least = least.min(trips);
    }
    // One to the main document, two to find each of two frames in a chain, one to read: those of several frames at once.
    assert!(least <= 6, "{least}");
}

#[tokio::test]
async fn a_frame_that_is_not_there_is_named() {
    let stage = Stage::new().await;
    let session = stage.show("<h1>Alone</h1>", plain(extract())).await;
    let error = read(&session).await.expect_err("no frame");
    assert_eq!(error.code.as_str(), "frame_not_found");
    assert_eq!(error.evidence["frame"], "#mail");
    assert_eq!(error.evidence["extract"], "inner");
}
