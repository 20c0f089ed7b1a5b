//! Selectors on large pages, where a quadratic or exponential algorithm would exceed the time limit of the harness.

use serde_json::json;

use crate::stage::perform;

#[tokio::test]
async fn a_match_in_a_shadow_root_is_in_document_order_among_100_000_others() {
    perform(async |stage| {
        stage
            .show(
                "<body><script>
                   document.body.innerHTML = '<i></i>'.repeat(49999) + '<div id=host></div>' + '<i></i>'.repeat(49999);
                   host.attachShadow({ mode: 'open' }).innerHTML = '<i id=inside></i>';
                 </script>",
            )
            .await;
        let at = |nth: u32| json!({ "locator": { "selector": "i", "nth": nth } });
        let inside = stage.call("locator.resolve", &at(49_999)).await;
        assert_eq!(inside["ok"]["elements"][0]["id"], json!("inside"), "{inside}");
        let by_path = json!({ "locator": { "xpath": "//i", "nth": 49_999 } });
        let inside = stage.call("locator.resolve", &by_path).await;
        assert_eq!(inside["ok"]["elements"][0]["id"], json!("inside"), "{inside}");
    })
    .await;
}

#[tokio::test]
async fn a_selector_with_many_parts_and_no_match_ends() {
    perform(async |stage| {
        stage
            .show(
                "<body><script>
                   let at = document.body;
                   for (let i = 0; i < 50; i += 1) at = at.appendChild(document.createElement('div'));
                   at.attachShadow({ mode: 'open' }).innerHTML = '<button>Go</button>'.repeat(100);
                 </script>",
            )
            .await;
        for (selector, count) in
            [("main div div div div div div button", 0), ("div div div div div div button", 100)]
        {
            let args = json!({ "locator": { "selector": selector } });
            let answer = stage.call("locator.resolve", &args).await;
            assert_eq!(answer["ok"]["candidate_count"], json!(count), "{selector}");
        }
    })
    .await;
}
