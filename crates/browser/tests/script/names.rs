//! Roles and accessible names, compared with the browser's own accessibility tree and with the specifications.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
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

/// Known differences from the specifications by element, each with its reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Differences {
    ours: BTreeMap<String, String>,
    chromium: BTreeMap<String, String>,
}

#[tokio::test]
async fn names_follow_the_specifications_at_least_as_well_as_the_browser() {
    let text = std::fs::read_to_string(fixtures().join("accname/differences.json")).unwrap();
    let known: Differences = serde_json::from_str(&text).unwrap();
    perform(async |stage| {
        stage.open("accname").await;
        let cases = cases(stage).await;
        assert!(cases.len() >= 120, "only {} cases", cases.len());
        let name = |said: Option<&Said>| said.map(|(_, name)| name.clone()).unwrap_or_default();
        let (ours, theirs) = (by_the_script(stage).await, by_the_browser(stage).await);
        let ours = names_of(&cases, |id| name(ours.get(id)));
        let theirs = names_of(&cases, |id| name(theirs[id].as_ref()));
        print_agreement(&cases, &ours, &theirs);
        assert_differences(&cases, &ours, &known.ours, "the page script");
        assert_differences(&cases, &theirs, &known.chromium, "the browser");
        assert!(known.ours.len() < known.chromium.len());
    })
    .await;
}

/// An element of `accname/index.html`: the specification step it belongs to and the name it must have.
struct NameCase {
    group: String,
    name: String,
}

type NameCases = BTreeMap<String, NameCase>;

/// Reads the cases, shadow trees included. A case in a shadow tree belongs to the group of its host.
async fn cases(stage: &Stage) -> NameCases {
    let source = "(() => {
        const found = [];
        const visit = (root, group) => root.querySelectorAll('*').forEach((element) => {
            const inner = element.closest('[data-group]')?.dataset.group ?? group;
            const { testid, name } = element.dataset;
            if (testid !== undefined) found.push({ testid, name, group: inner });
            if (element.shadowRoot) visit(element.shadowRoot, inner);
        });
        visit(document, '');
        return found;
    })()";
    let found = stage.evaluate(source).await;
    let found = found.as_array().unwrap();
    let cases: NameCases = found
        .iter()
        .map(|case| {
            assert!(case["name"].is_string(), "{} has no expected name", case["testid"]);
            (text(&case["testid"]), NameCase { group: text(&case["group"]), name: text(&case["name"]) })
        })
        .collect();
    assert_eq!(cases.len(), found.len(), "two cases have the same id");
    cases
}

fn names_of(cases: &NameCases, name: impl Fn(&str) -> String) -> BTreeMap<String, String> {
    cases.keys().map(|id| (id.clone(), name(id))).collect()
}

/// Prints how many names are right in each group; `cargo nextest run --no-capture` shows it.
#[allow(clippy::print_stdout, reason = "the table is for the person who runs the test")]
fn print_agreement(cases: &NameCases, ours: &BTreeMap<String, String>, theirs: &BTreeMap<String, String>) {
    let mut groups: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (id, NameCase { group, name }) in cases {
        for row in [group.as_str(), "~ all"] {
            let counts = groups.entry(row).or_default();
            counts[0] += 1;
            counts[1] += usize::from(&ours[id] == name);
            counts[2] += usize::from(&theirs[id] == name);
        }
    }
    println!("{:<24}{:>8}{:>8}{:>10}", "names", "cases", "ours", "Chromium");
    for (group, [all, ours, theirs]) in groups {
        println!("{:<24}{all:>8}{ours:>8}{theirs:>10}", group.trim_start_matches("~ "));
    }
}

fn assert_differences(
    cases: &NameCases,
    names: &BTreeMap<String, String>,
    known: &BTreeMap<String, String>,
    who: &str,
) {
    let different: Vec<&String> = cases.keys().filter(|id| names[*id] != cases[*id].name).collect();
    let listed: Vec<_> = different
        .iter()
        .filter(|id| !known.contains_key(**id))
        .map(|id| format!("{id}: {:?} should be {:?}", names[*id], cases[*id].name))
        .collect();
    assert!(listed.is_empty(), "wrong names from {who}: {listed:#?}");
    let mended: Vec<_> = known.keys().filter(|id| !different.contains(id)).collect();
    assert!(mended.is_empty(), "{who} is right now, remove them from the list: {mended:?}");
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
    let document =
        session.send_raw("DOM.getDocument", &json!({ "depth": -1, "pierce": true }), soon()).await.unwrap();
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
    for key in ["children", "shadowRoots"] {
        for child in node[key].as_array().into_iter().flatten() {
            find_ids(child, ids);
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
