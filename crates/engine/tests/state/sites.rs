//! The board, the mailbox and the shop, used as an agent would: read a summary, act, read the diff.

use actions_engine::Session;
use serde_json::{Value, json};

use crate::stage::{Stage, diff, site};

async fn call(session: &Session, action: &str, arguments: Value) -> Value {
    let request = json!({ "mode": "call", "action": action, "arguments": arguments });
    match site(session, request).await {
        Ok(answer) => answer.to_json(),
        Err(error) => panic!("{action}: {} {error}: {:#}", error.code, json!(error.evidence)),
    }
}

async fn summary(session: &Session, projection: &str) -> Value {
    let request = json!({ "mode": "state_summary", "projection": projection });
    match site(session, request).await {
        Ok(answer) => answer.to_json()["summary"].clone(),
        Err(error) => panic!("{projection}: {} {error}: {:#}", error.code, json!(error.evidence)),
    }
}

/// What changed, one line for each thing.
async fn read_back(session: &Session, projection: &str) -> String {
    let diff = diff(session, projection).await.diff;
    let lines = |values: Value| {
        values.as_array().into_iter().flatten().map(|value| format!("  {value}\n")).collect::<String>()
    };
    format!("patches\n{}deltas\n{}", lines(json!(diff.patches)), lines(json!(diff.semantic_deltas)))
}

#[tokio::test]
async fn cards_are_added_moved_dragged_renamed_and_archived_on_the_board() {
    let stage = Stage::site("board.example").await;
    let session = stage.open_engine(&stage.map_of("board.example", "board"), "/").await;
    let mut story = vec![format!("summary {}", summary(&session, "site.board").await)];
    for (action, arguments) in [
        ("card.add", json!({ "list_id": "ideas", "title": "Water the beans" })),
        ("card.move", json!({ "card_id": "card-9", "list_id": "this-week" })),
        ("card.drag", json!({ "card_id": "card-2", "list_id": "done" })),
        ("card.rename", json!({ "card_id": "card-9", "title": "Water the peas" })),
        ("card.set_label", json!({ "card_id": "card-9", "label": "water" })),
        ("cards.add_many", json!({ "list_id": "doing", "titles": ["Rake", "Prune"] })),
        ("card.archive", json!({ "card_id": "card-9" })),
    ] {
        let value = call(&session, action, arguments.clone()).await;
        story.push(format!("{action} {arguments} gave {value}\n{}", read_back(&session, "site.board").await));
    }
    insta::assert_snapshot!(story.join("\n"));
}

#[tokio::test]
async fn a_letter_is_archived_in_the_mailbox() {
    let stage = Stage::site("mail.example").await;
    let session = stage.open_engine(&stage.map_of("mail.example", "inbox"), "/").await;
    let sign_in = json!({ "address": "ada@mail.example", "password": "correct horse" });
    call(&session, "session.sign_in", sign_in).await;
    let mut story = vec![format!("summary {}", summary(&session, "mail.list").await)];
    let first = session.snapshot("mail.list").expect("a snapshot").state["threads"][1]["id"].clone();
    for (action, arguments) in [
        ("thread.open", json!({ "thread_id": first })),
        ("thread.set_label", json!({ "thread_id": first, "label": "money" })),
        ("thread.archive", json!({ "thread_id": first })),
    ] {
        let value = call(&session, action, arguments.clone()).await;
        story.push(format!("{action} {arguments} gave {value}\n{}", read_back(&session, "mail.list").await));
    }
    insta::assert_snapshot!(story.join("\n"));
}

#[tokio::test]
async fn a_quantity_is_changed_in_the_basket() {
    let stage = Stage::site("shop.example").await;
    let session = stage.open_engine(&stage.map_of("shop.example", "storefront"), "/").await;
    let mut story = Vec::new();
    for (action, arguments) in [
        ("basket.add", json!({ "sku": "jug-cobalt", "size": "medium", "pieces": 2 })),
        ("basket.set_quantity", json!({ "line_id": "jug-cobalt.medium", "quantity": 5 })),
        ("basket.apply_code", json!({ "code": "KILN10" })),
        ("basket.remove", json!({ "line_id": "jug-cobalt.medium" })),
    ] {
        let value = call(&session, action, arguments.clone()).await;
        story
            .push(format!("{action} {arguments} gave {value}\n{}", read_back(&session, "shop.basket").await));
    }
    insta::assert_snapshot!(story.join("\n"));
}
