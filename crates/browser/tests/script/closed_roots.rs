//! Closed shadow roots: scripts cannot find them, so the driver discovers them and passes them to the page script.

use serde_json::json;

use crate::stage::{perform, soon};

#[tokio::test]
async fn an_adopted_closed_root_is_searched_by_later_calls() {
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

#[tokio::test]
async fn elements_are_examined_for_closed_roots_once_and_new_ones_later() {
    perform(async |stage| {
        stage.show("<p>One</p><div id=h>Two <b>three</b></div>").await;
        let main = stage.page.main_frame();
        let absent = json!({ "locator": { "selector": "#inner" }, "unsearched": true });
        let found = async || stage.page.closed_shadow_roots(&main, soon()).await.unwrap().len();
        let doubt = async || {
            stage.call("locator.resolve", &absent).await["error"]["evidence"]["unreachable"].is_object()
        };
        assert!(doubt().await, "the page has not been examined yet");
        assert_eq!((found().await, doubt().await), (0, false));
        stage
            .evaluate(
                "const d = document.createElement('div'); document.body.append(d);
                 d.attachShadow({ mode: 'closed' }).innerHTML = '<section><p>Deep</p></section>';
                 const outer = d; 0",
            )
            .await;
        assert!(doubt().await, "there is a new element");
        assert_eq!((found().await, doubt().await), (1, false));
    })
    .await;
}

#[tokio::test]
async fn closed_roots_are_found_on_deep_and_wide_pages() {
    perform(async |stage| {
        stage
            .show(
                "<body><script>
                   let at = document.body;
                   for (let i = 0; i < 300; i += 1) at = at.appendChild(document.createElement('div'));
                   at.attachShadow({ mode: 'closed' }).innerHTML = '<p id=deep>Deep</p>';
                   for (let i = 0; i < 3000; i += 1) document.body.append(document.createElement('div'));
                   document.body.lastChild.attachShadow({ mode: 'closed' }).innerHTML = '<p id=wide>Wide</p>';
                 </script>",
            )
            .await;
        let roots = stage.page.closed_shadow_roots(&stage.page.main_frame(), soon()).await.unwrap();
        assert_eq!(roots.len(), 2);
        for selector in ["#deep", "#wide"] {
            let args = json!({ "locator": { "selector": selector } });
            assert_eq!(stage.call("locator.resolve", &args).await["ok"]["candidate_count"], json!(1));
        }
    })
    .await;
}

#[tokio::test]
async fn finding_closed_roots_does_not_transfer_the_text_of_the_page() {
    perform(async |stage| {
        stage
            .show(
                "<x-a style='display: block; height: 9px'></x-a><pre id=all hidden></pre><script>
                   all.textContent = 'lorem ipsum '.repeat(2500000);
                   for (let i = 0; i < 99; i += 1) all.append(new Text('lorem'.repeat(99999)));
                   document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = '<p>Inside</p>';
                 </script>",
            )
            .await;
        let before = peak_kb();
        let roots = stage.page.closed_shadow_roots(&stage.page.main_frame(), soon()).await.unwrap();
        let grown = peak_kb() - before;
        assert_eq!(roots.len(), 1);
        assert!(grown < 30_000, "the peak memory grew by {grown} kB");
    })
    .await;
}

/// Returns the peak memory of this process.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
