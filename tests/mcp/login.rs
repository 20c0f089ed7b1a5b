//! A login that was lost: with a window, the person at the client is asked to sign in there, and the call is made again.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actions_testserver::{Response, TestServer};
use serde_json::json;

use super::ERAS;
use super::client::{Client, Person};

/// A site that shows its login page once. Then it behaves as after a person has signed in.
struct Account {
    _server: TestServer,
    folder: tempfile::TempDir,
}

impl Account {
    async fn serve() -> Self {
        let server = TestServer::start().await.expect("a server");
        let visits = Arc::new(AtomicUsize::new(0));
        server.page("/", "<title>Start</title><p>Start</p>");
        server.route("/account", move |_| match visits.fetch_add(1, Ordering::SeqCst) {
            0 => Response::html("<title>Login</title><form id=login><input name=user></form>"),
            _ => Response::html("<title>Account</title><p id=account>Ann</p>"),
        });
        let state = |name: &str, selector: &str| {
            json!({ "name": name, "description": "A state.",
            "diagnostics": [{ "target": { "selector": selector } }] })
        };
        let steps = json!([
            { "id": "open", "primitive": "browser.navigate", "args": { "url": format!("{}/account", server.origin()) } },
            { "id": "read", "primitive": "locator.text_content",
              "args": { "locator": { "selector": "#account" } } },
        ]);
        let map = json!({
            "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "name": "Account" },
            "tools": [{
                "name": "account.read", "description": "Reads the name.", "input_schema": { "type": "object" },
                "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps,
                    "output": "{% { 'name': steps.read.output.text } %}" },
            }],
            "states": [state("signed_in", "#account"), state("signed_out", "#login")],
            "x_actions": { "auth_check": "signed_in", "login_state": "signed_out" },
        });
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("actions.json"), map.to_string()).expect("a map");
        Self { _server: server, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The server with a browser that has a window, though no one can look at it here.
    fn with_window(&self) -> Option<Command> {
        let named = std::env::var_os("ACTIONS_BROWSER").map(PathBuf::from);
        let places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
        let browser = named.or_else(|| places.iter().map(PathBuf::from).find(|path| Path::exists(path)))?;
        let script = self.path("browser");
        std::fs::write(&script, format!("#!/bin/sh\nexec '{}' --headless=new \"$@\"\n", browser.display()))
            .ok()?;
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).ok()?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command.arg("mcp").arg(self.path("actions.json")).arg("--headed").env("ACTIONS_BROWSER", script);
        Some(command)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_is_asked_to_sign_in_and_the_call_is_made_again_in_every_era() {
    for era in ERAS {
        for person in [Person::Agrees, Person::Refuses, Person::Absent] {
            let account = Account::serve().await;
            let command = account.with_window().expect("Chromium is installed");
            let mut client = Client::of(command, era, person);
            if person == Person::Agrees {
                assert_eq!(client.value("account_read", json!({}))["name"], "Ann", "{era:?}");
                continue;
            }
            let failed = client.failure("account_read", json!({}));
            let code = failed["code"].as_str().unwrap_or_default();
            assert!(["auth_lost", "permission_denied"].contains(&code), "{era:?} {person:?}: {failed:#}");
            assert_eq!(
                client.value("account_read", json!({}))["name"],
                "Ann",
                "it was not called again by itself"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_window_no_one_is_asked_to_sign_in() {
    let account = Account::serve().await;
    let map = account.path("actions.json").display().to_string();
    let mut client = Client::start(&[&map], ERAS[1], Person::Agrees);
    assert_eq!(client.failure("account_read", json!({}))["code"], "auth_lost");
    assert!(
        client.heard.iter().all(|message| message["method"] != "elicitation/create"),
        "{:#?}",
        client.heard
    );
}
