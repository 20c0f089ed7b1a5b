//! Roles and accessible names, compared with the browser's own accessibility tree.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::stage::{Stage, fixtures, perform, soon};

/// The role of an element, empty when it has none, and its name.
type Said = (String, String);

#[tokio::test]
async fn roles_and_names_match_the_browser_except_for_known_differences() {
    let text = std::fs::read_to_string(fixtures().join("names/differences.json")).unwrap();
    let known: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    perform(async |stage| {
        stage.open("names").await;
        let ours = by_the_script(stage).await;
        let theirs = by_the_browser(stage).await;
        assert!(ours.len() > 300, "only {} elements", ours.len());
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        let different: BTreeSet<&String> =
            ours.keys().filter(|id| !agree(&ours[*id], &theirs[*id])).collect();
        let surprising: Vec<_> = different.iter().filter(|id| !known.contains_key(**id)).collect();
        let listed: Vec<_> = surprising.iter().map(|id| (id, &ours[**id], &theirs[**id])).collect();
        assert!(listed.is_empty(), "different from the browser (ours, theirs): {listed:#?}");
        let mended: Vec<_> = known.keys().filter(|id| !different.contains(id)).collect();
        assert!(mended.is_empty(), "no longer different, remove them from the list: {mended:?}");
    })
    .await;
}

/// Elements that the browser ignores have no role and no name there. `generic` and `none` count as no role.
fn agree((role, name): &Said, theirs: &Option<Said>) -> bool {
    let nothing_special = |role: &str| matches!(role, "" | "generic" | "none");
    match theirs {
        None => nothing_special(role),
        Some((other, other_name)) => {
            (role == other || nothing_special(role) && nothing_special(other)) && name == other_name
        }
    }
}

async fn by_the_script(stage: &Stage) -> BTreeMap<String, Said> {
    let args = json!({ "locator": { "selector": "[data-testid]" }, "max_elements": 1_000 });
    let answer = stage.call("locator.resolve", &args).await;
    let elements = answer["ok"]["elements"].as_array().unwrap();
    elements
        .iter()
        .map(|element| (text(&element["data_testid"]), (text(&element["role"]), text(&element["name"]))))
        .collect()
}

async fn by_the_browser(stage: &Stage) -> BTreeMap<String, Option<Said>> {
    let session = stage.chromium.session();
    let tree = session.send_raw("Accessibility.getFullAXTree", &json!({}), soon()).await.unwrap();
    let said: BTreeMap<i64, Said> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["ignored"] == json!(false))
        .filter_map(|node| Some((node["backendDOMNodeId"].as_i64()?, said(node))))
        .collect();
    let document = session.send_raw("DOM.getDocument", &json!({ "depth": -1 }), soon()).await.unwrap();
    let mut ids = BTreeMap::new();
    find_ids(&document["root"], &mut ids);
    ids.into_iter().map(|(id, node)| (id, said.get(&node).cloned())).collect()
}

/// Roles with a capital letter are internal to the browser and correspond to no ARIA role.
fn said(node: &Value) -> Said {
    let role = match node["role"]["value"].as_str().unwrap_or_default() {
        "image" => "img",
        role if role.starts_with(char::is_uppercase) => "",
        role => role,
    };
    let name: Vec<&str> = node["name"]["value"].as_str().unwrap_or_default().split_whitespace().collect();
    (role.to_owned(), name.join(" "))
}

fn find_ids(node: &Value, ids: &mut BTreeMap<String, i64>) {
    let attributes = node["attributes"].as_array().map(Vec::as_slice).unwrap_or_default();
    for pair in attributes.chunks(2) {
        if pair[0] == json!("data-testid") {
            ids.insert(text(&pair[1]), node["backendNodeId"].as_i64().unwrap());
        }
    }
    for child in node["children"].as_array().into_iter().flatten() {
        find_ids(child, ids);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
