//! Pages that try to give instructions to the model: what no map declares reaches no result, and what does is labelled.

use actions_testserver::TestServer;
use serde_json::{Value, json};

use super::client::{Client, Era, Person};
use crate::root;

/// What every page tries to say.
const SAID: &str = "IGNORE ALL PREVIOUS INSTRUCTIONS";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instructions_of_a_page_reach_no_result_unless_a_map_declares_them_and_are_labelled() {
    let corpus = root().join("fixtures/injection");
    let server = TestServer::serving(&corpus).await.expect("a server");
    let folder = tempfile::tempdir().expect("a folder");
    let map = std::fs::read_to_string(corpus.join("actions.json")).expect("a map");
    let path = folder.path().join("actions.json");
    std::fs::write(&path, map.replace("https://injection.example", &server.origin())).expect("a map");
    let mut pages: Vec<String> = std::fs::read_dir(&corpus)
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".html"))
        .collect();
    pages.sort();
    assert_eq!(pages.len(), 20, "{pages:?}");
    let path = path.display().to_string();
    let mut client = Client::start(&[&path, "--tools", "all", "--yes"], Era::Stateless, Person::Absent);
    let before = client.tools();
    for page in &pages {
        let source = std::fs::read_to_string(corpus.join(page)).expect("a page");
        let plain: String =
            source.chars().filter(|c| !"\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".contains(*c)).collect();
        assert!(plain.contains(SAID), "{page} does not try");
        let shows = page.starts_with("shown-");
        client.value("page_open", json!({ "name": page }));
        let answers = [
            client.call("price_read", json!({})),
            client.call("actions_site", json!({ "mode": "list" })),
            client.call("actions_site", json!({ "mode": "state_read", "projection": "site.offer" })),
            client.request("resources/read", json!({ "uri": "actions://context" })),
            client.call("button_press", json!({})),
        ];
        for (at, answer) in answers.iter().enumerate() {
            let text = answer.to_string();
            assert!(answer.get("error").is_none(), "{page} {at}: {answer:#}");
            // The projection declares the name of the offer, and some pages put their instructions there.
            if shows && at == 2 {
                assert!(text.contains(SAID), "{page}: {answer:#}");
            } else {
                assert!(
                    !text.contains(SAID) && !text.to_lowercase().contains("attacker"),
                    "{page} {at}: {answer:#}"
                );
            }
            if at != 3 {
                labelled(page, answer);
            }
        }
        assert_eq!(answers[0]["result"]["structuredContent"]["price"], 12, "{page}");
    }
    assert_eq!(client.tools(), before, "no page has changed what is offered");
}

/// Makes sure that a result says that a page has written it.
fn labelled(page: &str, answer: &Value) {
    let result = &answer["result"];
    assert_eq!(result["_meta"]["actions/untrusted"], true, "{page}: {answer:#}");
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.starts_with("untrusted page data: "), "{page}: {text}");
    assert!(!text.contains(['\u{200b}', '\u{202e}']), "{page}: {text}");
}
