//! A file that is exchanged for a link to a secret while it is uploaded.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};

use super::random::Random;
use super::rounds;
use crate::{actions, seen};

/// The page sends every file that it is given.
const PAGE: &str = "<link rel=icon href='data:,'><input type=file onchange=\"fetch('/sent', { method: 'POST', body: this.files[0] })
    .catch(() => {}).then(() => done.textContent++)\"><p id=done>0</p>";

/// How many commands are run at most until one has sent a file.
const MOST_ROUNDS: u64 = 20;

/// How many uploads one command makes.
const UPLOADS: usize = 25;

#[test]
fn a_file_that_is_exchanged_for_a_link_is_never_sent() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(TestServer::start()).expect("a server");
    site.page("/", PAGE);
    site.route("/sent", |_| Response::status(204));
    let folder = tempfile::tempdir().expect("a folder");
    let (allowed, secret) = (folder.path().join("allowed"), folder.path().join("secret"));
    std::fs::create_dir(&allowed).expect("a folder");
    std::fs::write(&secret, "secret").expect("a file");
    let file = allowed.join("a.txt");
    std::fs::write(&file, "mine").expect("a file");
    let upload = |number: usize| {
        json!({ "id": format!("upload{number}"), "primitive": "form.upload", "on_error": "continue",
                "settle_after": { "delay_ms": 20 },
                "args": { "locator": { "selector": "input" }, "files": [file] } })
    };
    let steps: Vec<Value> = (0..UPLOADS).map(upload).collect();
    let tool = json!({ "name": "t", "description": "Uploads.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": "{% 1 %}" } });
    let map = json!({ "protocol": "actions.json", "version": 1, "tools": [tool],
                      "surface": { "origin": site.origin(), "url": site.url("/") } });
    let map_file = folder.path().join("actions.json");
    std::fs::write(&map_file, map.to_string()).expect("a map");
    let over = AtomicBool::new(false);
    let (mut sent, mut last) = (0, String::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let draft = allowed.join("draft");
            let mut random = Random::of(0);
            while !over.load(Ordering::Relaxed) {
                // The exchange itself is atomic, so there is always a file.
                symlink(&secret, &draft).expect("a link");
                std::fs::rename(&draft, &file).expect("an exchange");
                std::thread::sleep(random.moment());
                std::fs::write(&draft, "mine").expect("a file");
                std::fs::rename(&draft, &file).expect("an exchange");
                std::thread::sleep(random.moment());
            }
        });
        // The file may be a link whenever a command looks at it, so a command may send nothing.
        let mut round = 0;
        while round < rounds(1) || (sent == 0 && round < MOST_ROUNDS) {
            round += 1;
            let (map, allowed) = (map_file.display().to_string(), allowed.display().to_string());
            let output = actions(&["run", &map, "t", "-v", "--allow-debug", "--upload-from", &allowed]);
            let bodies = site.served().into_iter().filter(|served| served.request.path == "/sent");
            let bodies: Vec<String> =
                bodies.map(|served| String::from_utf8_lossy(&served.request.body).into_owned()).collect();
            if output.status.code() != Some(0) || bodies.iter().any(|body| body != "mine") {
                over.store(true, Ordering::Relaxed);
                panic!("{bodies:?} {}", seen(&output));
            }
            sent = bodies.len();
            last = seen(&output);
        }
        over.store(true, Ordering::Relaxed);
    });
    assert!(sent > 0, "no file was sent at all: {last}");
    println!("hold: uploads of a file that is exchanged: {sent}");
}
