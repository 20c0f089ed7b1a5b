//! A session has a current page and knows the others.

use std::time::Duration;

use actions_dictionary::Dictionary;
use actions_engine::browser::LoadState;
use actions_primitives::perform;
use serde_json::json;

use crate::page::{Stage, deadline, script, tool};

#[tokio::test]
async fn calls_run_on_the_current_page_and_the_session_remembers_across_pages() {
    let stage =
        Stage::with("<p id=word></p><script>word.textContent = location.hash.slice(1)</script>").await;
    let steps = json!([
        { "id": "task", "primitive": "task.add", "args": { "text": "Read the word" } },
        { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#word" } } },
    ]);
    let mut read = tool("word.read", &steps);
    read["workflow"]["output"] = json!("{% steps.read.output.text %}");
    let session = stage.confined(&[read]).await;
    let first = session.page();
    script(&session, "void open('/#popup')").await;
    let opened = async {
        while session.pages().len() < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), opened).await.expect("the popup opens");
    let popup = session.pages().pop().unwrap();
    popup.wait_for_load(&popup.main_frame(), LoadState::Load, deadline(&session)).await.unwrap();
    session.switch_to(&popup).await.unwrap();
    assert_eq!(session.call("word.read").run().await.result.unwrap(), "popup");

    session.switch_to(&first).await.unwrap();
    assert_eq!(session.call("word.read").run().await.result.unwrap(), "");
    let list = Dictionary::builtin().get("task.list").unwrap();
    let tasks = perform(&session.stage(), list, json!({}), deadline(&session)).await.unwrap();
    assert_eq!(tasks["total"], 2, "the queue belongs to the session, not to a page");

    popup.close(deadline(&session)).await.unwrap();
    let error = session.switch_to(&popup).await.unwrap_err();
    assert_eq!(error.code.as_str(), "page_closed");
}
