//! The page for people, in a real browser of its own.

use std::time::Duration;

use actions_bridge::People;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::person::{DARK, Person, url};
use crate::stage::{LOG, Stage, TOKEN, map};

/// Chooses a tool, fills its form and submits it, as a keyboard does.
fn form(tool: &str, line: &str) -> String {
    let (tool, line) = (json!(tool), json!(line));
    format!(
        "(() => {{ const tool = document.querySelector('#tool'); tool.value = {tool}; tool.dispatchEvent(new Event('change'));
           const input = document.querySelector('#fields input'); if (input) input.value = {line};
           document.querySelector('#form').requestSubmit(); return true }})()"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_sees_what_runs_and_calls_a_tool_by_its_form() {
    let stage = Stage::new(1).await;
    let person = Person::at(&url(&stage), 1280, &[]).await;
    person.until("document.querySelector('#connection').textContent === 'connected'").await;
    assert_eq!(person.evaluate("location.hash").await, "", "the token is not left in the address");
    person.until("document.querySelector('#tool').options.length === 5").await;
    assert_eq!(person.evaluate("document.querySelector('#title').textContent").await, "Log");
    person.evaluate(&form("log.append", "from the form")).await;
    person.until("document.querySelector('#result').textContent === '\"from the form\"'").await;
    person.until("document.querySelector('#calls > li strong').textContent.startsWith('✓ log.append')").await;
    assert_eq!(person.evaluate("document.querySelectorAll('#calls > li:first-child ol li').length").await, 2);
    person
        .until("document.querySelector('#image').naturalWidth > 0 && !document.querySelector('#mark').hidden")
        .await;
    person.evaluate("[...document.querySelectorAll('#projections button')][0].click(); 0").await;
    person.until("document.querySelector('#result').textContent.includes('from the form;')").await;

    // A call of another client is shown too, and a button stops it.
    let mut peer = stage.peer("").await;
    peer.call("other", "s0-1", "log.wait", json!({})).await;
    person.until("document.querySelector('#calls > li strong').textContent.includes('log.wait')").await;
    person.evaluate("document.querySelector('#calls > li:first-child .stop').click(); 0").await;
    assert_eq!(peer.answer("other").await["error"]["code"], "cancelled");
    person.keep_picture("people-light").await;
    person.end().await;

    for (name, width, flags) in [("people-narrow", 400, &[][..]), ("people-dark", 1280, DARK)] {
        let person = Person::at(&url(&stage), width, flags).await;
        person.until("document.querySelector('#image').naturalWidth > 0").await;
        let overflow = person.evaluate("document.documentElement.scrollWidth - innerWidth").await;
        assert!(overflow.as_i64() <= Some(0), "{name}: {overflow}");
        person.keep_picture(name).await;
        person.end().await;
    }
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_changes_the_site_waits_for_a_person() {
    let people = People::default();
    let asked = people.clone();
    let with_people = move |origin: &str| map(origin).on_confirm(asked.clone());
    let stage = Stage::with_people(&[("/", LOG)], 1, with_people, people).await;
    let person = Person::at(&url(&stage), 1280, &[]).await;
    person.until("document.querySelector('#connection').textContent === 'connected'").await;
    let mut peer = stage.peer("").await;
    for (call_id, button, kind) in [("yes", 0, "action_call_output"), ("no", 1, "action_error")] {
        peer.call(call_id, "s0-1", "log.append", json!({ "line": "<img src=x onerror=alert(1)>" })).await;
        person.until("document.querySelector('.question')").await;
        assert!(
            person
                .evaluate("document.querySelector('.question').textContent")
                .await
                .to_string()
                .contains("onerror")
        );
        assert_eq!(person.evaluate("document.querySelectorAll('img').length").await, 1, "text stays text");
        person.keep_picture("people-question").await;
        person.evaluate(&format!("document.querySelectorAll('.question button')[{button}].click(); 0")).await;
        assert_eq!(peer.answer(call_id).await["type"], kind);
        person.until("!document.querySelector('.question')").await;
    }
    person.end().await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_holds_nothing_and_everything_it_shows_needs_the_token() {
    let stage = Stage::new(1).await;
    let get = async |path: &str, host: &str, token: &str| {
        let mut stream = tokio::net::TcpStream::connect(stage.address).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{token}Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 64 * 1024];
        let read =
            tokio::time::timeout(Duration::from_secs(20), stream.read(&mut answer)).await.unwrap().unwrap();
        String::from_utf8_lossy(&answer[..read]).into_owned()
    };
    let here = stage.address.to_string();
    let bearer = format!("Authorization: Bearer {TOKEN}\r\n");
    for (path, host, token, expected) in [
        ("/", here.as_str(), "", "200"),
        ("/ui.js", &here, "", "200"),
        ("/", "rebound.example", "", "403"),
        ("/events", &here, "", "401"),
        ("/picture/s0-1", &here, "", "401"),
        ("/picture/s0-1", &here, "Authorization: Bearer wrong-token-0123456789\r\n", "401"),
        ("/picture/s0-1", &here, &bearer, "200"),
        ("/picture/elsewhere-1", &here, &bearer, "404"),
        ("/picture/..%2f..%2fetc", &here, &bearer, "40"),
        ("/events", &here, &bearer, "200"),
        ("/nothing", &here, &bearer, "404"),
    ] {
        let answer = get(path, host, token).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{path}: {answer}");
        assert!(!answer.contains(TOKEN), "{path}");
    }
    let index = get("/", &here, "").await.to_ascii_lowercase();
    assert!(index.contains("content-security-policy: default-src 'none'"), "{index}");
    stage.end().await;
}
