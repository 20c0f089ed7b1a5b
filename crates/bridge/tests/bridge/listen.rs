//! WebSocket clients: who may connect, what they may send, and that none disturbs another.

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::peer::{Peer, is_answer, request};
use crate::stage::{Stage, TOKEN};

const PAGE: &str = "s0-1";

/// Makes sure that a client is served.
async fn is_served(peer: &mut Peer, call_id: &str) {
    peer.call(call_id, PAGE, "log.read", json!({})).await;
    let answer = peer.answer(call_id).await;
    assert_eq!(answer["type"], "action_call_output", "{answer:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_hears_of_the_pages_and_calls_their_tools() {
    let stage = Stage::new(1).await;
    let mut peer = stage.peer("").await;
    let ready = peer.next().await.unwrap();
    assert_eq!((&ready["type"], &ready["runtime_id"]), (&json!("runtime_ready"), &json!(PAGE)));
    assert_eq!(ready["title"], "Log");
    peer.call("1", PAGE, "log.append", json!({ "line": "one" })).await;
    assert_eq!(peer.answer("1").await["output"], "one");
    peer.call("2", PAGE, "browser.open_tab", json!({ "url": stage.server.url("/") })).await;
    let opened = peer.until(|item| item["type"] == "runtime_ready" && item["runtime_id"] == "s0-2").await;
    assert_eq!(opened["tab"]["tab_id"], 2);
    assert_eq!(peer.answer("2").await["type"], "action_call_output");
    peer.call("3", "s0-2", "browser.close_tab", json!({})).await;
    peer.until(|item| item["type"] == "runtime_removed" && item["runtime_id"] == "s0-2").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_without_the_token_from_a_foreign_page_or_for_another_host_is_refused() {
    let stage = Stage::new(1).await;
    let mut good = stage.peer("").await;
    let token = format!("Bearer {TOKEN}");
    let token = ("authorization", token.as_str());
    let address = stage.address;
    type Headers<'h> = &'h [(&'static str, &'h str)];
    let table: [(Headers<'_>, &str, u16); 7] = [
        (&[], "", 401),
        (&[("authorization", "Bearer wrong-token-0123456789")], "", 401),
        (&[("sec-websocket-protocol", "actions-bridge")], "", 401),
        (&[token, ("origin", "https://evil.example")], "", 403),
        (&[token, ("origin", "null")], "", 403),
        (&[token, ("host", "rebound.example")], "", 403),
        (&[token], "?client=../../etc", 400),
    ];
    for (headers, query, expected) in table {
        let refused = Peer::try_connect(address, request(address, query, headers)).await.err();
        let Some(Error::Http(response)) = refused else { panic!("{headers:?}: {refused:?}") };
        assert_eq!(response.status().as_u16(), expected, "{headers:?}");
    }
    let reported = stage.reported.lock().unwrap().clone();
    assert_eq!(reported.len(), 6, "each request that the gate refused is reported: {reported:?}");
    assert!(reported.iter().all(|line| !line.contains("token-") && !line.contains("evil")), "{reported:?}");
    let protocols = format!("actions-bridge, token.{TOKEN}");
    let browser = request(address, "", &[("sec-websocket-protocol", &protocols)]);
    is_served(&mut Peer::try_connect(address, browser).await.unwrap(), "browser").await;
    is_served(&mut good, "good").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enormous_frame_and_a_flood_of_tiny_ones_end_their_connection_and_no_other() {
    let stage = Stage::new(1).await;
    let mut good = stage.peer("").await;

    let mut large = stage.peer("").await;
    // The head of a masked text frame of 100 MB, and the beginning of its content.
    let mut frame = vec![0x81, 0x80 | 127];
    frame.extend(100_000_000_u64.to_be_bytes());
    frame.extend([0; 4]);
    large.socket.get_mut().write_all(&frame).await.unwrap();
    assert_eq!(large.end().await.map(|end| end.code), Some(CloseCode::Size));
    is_served(&mut good, "after the frame").await;

    let mut flood = stage.peer("").await;
    for _ in 0..1_000 {
        if flood.socket.send(Message::text("x")).await.is_err() {
            break;
        }
    }
    let mut errors = 0;
    let end = loop {
        match flood.next().await {
            Ok(item) => errors += usize::from(item["error"]["code"] == "invalid_input"),
            Err(end) => break end,
        }
    };
    assert!(end.is_none_or(|end| end.code == CloseCode::Policy) && errors <= 101, "{errors} errors");
    let mut binary = stage.peer("").await;
    binary.socket.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(binary.end().await.map(|end| end.code), Some(CloseCode::Unsupported));
    is_served(&mut good, "after the flood").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_calls_without_end_and_does_not_read_does_not_hold_up_another() {
    let stage = Stage::new(1).await;
    let mut slow = stage.peer("").await;
    let mut good = stage.peer("").await;
    // Far more than may wait for a page; nothing reads the answers.
    for number in 0..2_500 {
        let call_id = format!("call-{number}");
        let call = json!({ "type": "action_call", "call_id": call_id, "name": "log.about", "arguments": {} });
        if slow.socket.feed(Message::text(call.to_string())).await.is_err() {
            break;
        }
        if number % 100 == 0 && slow.socket.flush().await.is_err() {
            break;
        }
    }
    drop(slow.socket.flush().await);
    is_served(&mut good, "beside a slow one").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_named_client_that_comes_back_gets_what_it_missed_once() {
    let stage = Stage::new(1).await;
    let mut first = stage.peer("?client=agent").await;
    first.call("1", PAGE, "log.append", json!({ "line": "one" })).await;
    first.call("2", PAGE, "log.append", json!({ "line": "two" })).await;
    first.until(|item| item["type"] == "action_progress" && item["call_id"] == "1").await;
    drop(first);

    let mut second = stage.peer("?client=agent").await;
    let mut answers: Vec<Value> = Vec::new();
    while answers.len() < 2 {
        let item = second.next().await.unwrap();
        answers.extend(Some(item).filter(is_answer));
    }
    answers.sort_by_key(|answer| answer["call_id"].as_str().map(str::to_owned));
    assert_eq!(
        (&answers[0]["output"], &answers[1]["output"]),
        (&json!("one"), &json!("two")),
        "{answers:#?}"
    );
    second.call("1", PAGE, "log.append", json!({ "line": "one" })).await;
    assert_eq!(second.answer("1").await, answers[0], "answered from memory");
    second.call("3", PAGE, "log.read", json!({})).await;
    assert_eq!(second.answer("3").await["output"], "one;two;");

    // A second connection of the same client replaces the first.
    let mut third = stage.peer("?client=agent").await;
    assert_eq!(second.end().await.map(|end| end.code), Some(CloseCode::Library(4000)));
    is_served(&mut third, "4").await;
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_has_begun_ends_without_its_client_and_one_that_waits_does_not_begin() {
    let stage = Stage::new(1).await;
    let mut leaving = stage.peer("").await;
    let mut staying = stage.peer("").await;
    leaving.call("1", PAGE, "log.append", json!({ "line": "begun" })).await;
    leaving.call("2", PAGE, "log.append", json!({ "line": "waiting" })).await;
    leaving.until(|item| item["type"] == "action_progress" && item["call_id"] == "1").await;
    drop(leaving);
    // The page is asked after both calls, in the order of their arrival.
    staying.call("3", PAGE, "log.read", json!({})).await;
    let log = staying.answer("3").await["output"].clone();
    assert!(log == "begun;" || log == "begun;waiting;", "{log}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn progress_never_carries_a_secret() {
    let stage = Stage::new(1).await;
    let mut peer = stage.peer("").await;
    peer.call("1", PAGE, "log.secret", json!({ "line": "correct-horse-battery" })).await;
    let mut steps = 0;
    loop {
        let item = peer.next().await.unwrap();
        assert!(!item.to_string().contains("correct-horse"), "{item:#}");
        steps += usize::from(item["type"] == "action_progress");
        if is_answer(&item) {
            break;
        }
    }
    assert_eq!(steps, 4, "two steps, each at its beginning and its end");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_request_is_told_to_connect_with_a_websocket() {
    let stage = Stage::new(1).await;
    let mut stream = tokio::net::TcpStream::connect(stage.address).await.unwrap();
    let head =
        format!("GET /bridge HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n", stage.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 426"), "{answer}");
    stage.end().await;
}
