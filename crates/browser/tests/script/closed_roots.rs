//! Closed shadow roots, which only the driver can find.

use serde_json::json;

use crate::stage::{perform, soon};

#[tokio::test]
async fn a_closed_root_that_is_handed_over_is_entered_from_then_on() {
    perform(async |stage| {
        stage.open("shadow").await;
        let args = json!({ "locator": { "selector": "#cb" } });
        let before = stage.call("locator.text_content", &args).await;
        assert_eq!(before["error"]["code"], json!("target_not_found"));
        let roots = stage.page.closed_shadow_roots(&stage.page.main_frame(), soon()).await.unwrap();
        let adopted = stage.call_with("tree.adopt", &json!({}), &roots).await;
        assert_eq!(adopted, json!({ "ok": { "adopted": 2 } }));
        let after = stage.call("locator.text_content", &args).await;
        assert_eq!(after["ok"]["text"], json!("Closed"));
        let ready = stage.call("action.prepare", &args).await;
        assert_eq!(ready["ok"]["via"], json!("target"), "{ready}");
    })
    .await;
}
