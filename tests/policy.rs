//! Tests of `actions policy`, and of policies that commands on live pages obey.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::discover::Site;
use super::{actions, root, seen, stderr, stdout};

#[test]
fn a_policy_is_shown_with_its_state_and_its_permissions() {
    let site = Site::start();
    site.policy("shop");
    let output = actions(&["policy", "show", &site.origin()]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let text = stdout(&output);
    assert!(text.starts_with(&format!("{}: valid\n", site.origin())), "{text}");
    assert!(
        text.lines().any(|line| line.contains("action.createAccount") && line.contains("denied")),
        "{text}"
    );
    assert!(text.contains("at most 30 requests a minute"), "{text}");
    let json = actions(&["policy", "show", &site.origin(), "--format", "json"]);
    let shown: Value = serde_json::from_str(&stdout(&json)).expect("JSON");
    assert_eq!(shown["permissions"]["action.submitReview"]["site_text"]["untrusted"], true);
}

#[test]
fn a_question_is_answered_by_the_exit_code_and_the_reason() {
    let site = Site::start();
    site.policy("shop");
    let code = |what: &str| actions(&["policy", "check", &site.origin(), what]).status.code();
    assert_eq!(code("action.search"), Some(0));
    assert_eq!(code("shop.add_to_cart"), Some(0));
    assert_eq!(code("data.paymentInfo"), Some(5));
    assert_eq!(code("action.checkout"), Some(5), "a person must verify it");
    let output = actions(&["policy", "check", &site.origin(), "account.sign_up", "--explain"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(
        stdout(&output).contains("action.createAccount (by a synonym): the policy denies it"),
        "{}",
        seen(&output)
    );
    assert!(stderr(&output).contains("error[policy_denied]"), "{}", seen(&output));
    assert!(stderr(&output).contains("/siteai.json"), "{}", seen(&output));
}

#[test]
fn validating_a_policy_is_validating_a_document_as_one() {
    let broken = "fixtures/a2wf/broken/A2WF006_access_word.json";
    let policy = actions(&["policy", "validate", broken]);
    let document = actions(&["validate", "--as", "a2wf", broken]);
    assert_eq!(policy.status.code(), Some(3), "{}", seen(&policy));
    assert_eq!(stderr(&policy), stderr(&document));
    let valid = actions(&["validate", "--as", "a2wf", "fixtures/a2wf/valid/shop.json"]);
    assert_eq!(seen(&valid), "exit: 0\n--- stdout\n--- stderr\n1 document valid\n");
    let json = actions(&["validate", "--as", "a2wf", "--format", "json", "-q", broken]);
    let findings: Value = serde_json::from_str(&stdout(&json)).expect("JSON");
    assert_eq!(findings[0]["code"], "A2WF006");
    assert_eq!(findings[0]["pointer"], "/defaults/agentAccess");
    let unknown = actions(&["validate", "--as", "soap", broken]);
    assert_eq!(unknown.status.code(), Some(2), "{}", seen(&unknown));
}

/// A map of a site, with a tool of this name that submits the form of its page.
fn map(site: &Site, tool: &str) -> (tempfile::TempDir, String) {
    site.server
        .page("/", "<!doctype html><title>Shop</title><form action='/done'><button>Go</button></form>");
    site.server.page("/done", "<!doctype html><title>Done</title>");
    let step =
        json!({ "id": "submit", "primitive": "form.submit", "args": { "locator": { "selector": "form" } } });
    let map = json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": site.origin(), "name": "Shop" },
        "tools": [{
            "name": tool, "description": "Submits the form.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [step], "output": "done" },
        }],
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("actions.json");
    std::fs::write(&path, map.to_string()).expect("a map");
    let path = path.display().to_string();
    (folder, path)
}

fn was_submitted(site: &Site) -> bool {
    site.server.served().iter().any(|served| served.request.path == "/done")
}

#[test]
fn a_denied_tool_never_reaches_the_page() {
    let site = Site::start();
    site.policy("shop");
    let (_folder, map) = map(&site, "account.sign_up");
    let output = actions(&["run", &map, "account.sign_up", "--site-policy", "everywhere"]);
    assert_eq!(output.status.code(), Some(5), "{}", seen(&output));
    assert!(stderr(&output).contains("denies `action.createAccount`"), "{}", seen(&output));
    assert!(!was_submitted(&site));
}

#[test]
fn what_a_person_must_verify_runs_when_one_has_named_it() {
    let site = Site::start();
    site.policy("government");
    let (_folder, map) = map(&site, "forms.contact");
    let obeying = ["run", &map, "forms.contact", "--site-policy", "everywhere"];
    let output = actions(&obeying);
    assert_eq!(output.status.code(), Some(5), "{}", seen(&output));
    assert!(stderr(&output).contains("human_verification_required"), "{}", seen(&output));
    assert!(!was_submitted(&site));
    let confirmed: Vec<&str> = obeying.iter().copied().chain(["--confirm", "forms.contact"]).collect();
    let output = actions(&confirmed);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert!(was_submitted(&site));
}

#[test]
fn a_site_on_this_machine_is_not_asked_by_default() {
    let site = Site::start();
    site.policy("shop");
    let (_folder, map) = map(&site, "account.sign_up");
    let output = actions(&["run", &map, "account.sign_up"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let asked = site.server.served().iter().any(|served| served.request.path == "/siteai.json");
    assert!(!asked, "the policy was not fetched");
}

#[test]
fn the_operator_is_named_to_sites() {
    let site = Site::start();
    let (_folder, map) = map(&site, "form.send");
    let output = actions(&[
        "run",
        &map,
        "form.send",
        "--agent-operator",
        "Example Ltd",
        "--agent-contact",
        "https://example.com/a",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let page = site.server.served().into_iter().find(|served| served.request.path == "/").expect("the page");
    let agent = page.request.header("user-agent").unwrap_or_default().to_owned();
    assert!(agent.ends_with("(+https://example.com/a; operator=Example Ltd)"), "{agent}");
    assert!(agent.contains("HeadlessChrome") && agent.contains(" actions/"), "{agent}");
}

#[test]
fn our_own_policy_is_applied_to_clients() {
    let site = Site::start();
    let (folder, map) = map(&site, "account.sign_up");
    let policy = folder.path().join("siteai.json");
    let text =
        std::fs::read_to_string(root().join("fixtures/a2wf/valid/restaurant.json")).expect("a fixture");
    let mut own: Value = serde_json::from_str(&text.replace("https://SITE", &site.origin())).expect("JSON");
    own["permissions"]["action"]["createAccount"] = json!({ "allowed": false });
    std::fs::write(&policy, own.to_string()).expect("a policy");
    let mut serving = Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(["serve", &map, "--stdio", "-q", "--enforce-policy"])
        .arg(&policy)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut input = serving.stdin.take().expect("a pipe");
    writeln!(input, r#"{{"type":"action_call","call_id":"c1","name":"account.sign_up","arguments":{{}}}}"#)
        .expect("sent");
    let answer = std::io::BufRead::lines(std::io::BufReader::new(serving.stdout.take().expect("a pipe")))
        .map_while(Result::ok)
        .find(|line| line.contains("\"c1\"") && line.contains("action_error"));
    drop(input);
    serving.wait().expect("it ends");
    let answer: Value = serde_json::from_str(&answer.expect("an answer")).expect("JSON");
    assert_eq!(answer["error"]["code"], "policy_denied", "{answer}");
    assert!(!was_submitted(&site));
}
