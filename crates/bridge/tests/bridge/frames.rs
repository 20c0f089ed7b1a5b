//! Clients that send tiny frames without end: each loses its connection or is read at a limited rate, and no other client
//! notices.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::{Sink, SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

use crate::peer::{Peer, is_answer, next_item};
use crate::stage::Stage;

const PAGE: &str = "s0-1";

/// How many clients share the frames that are read at a limited rate.
const CROWD: usize = 4;

/// How many messages of a client are read at once, and how many a second after that.
const BURST: usize = 4_000;
const RATE: usize = 1_000;

/// Longer than a call of another client takes meanwhile on a busy machine.
const UNDISTURBED: Duration = Duration::from_secs(15);

/// How many frames are sent in each way: few in every run, a million in `cargo xtask soak`.
fn frames() -> usize {
    std::env::var("ACTIONS_FRAMES").ok().and_then(|frames| frames.parse().ok()).unwrap_or(20_000)
}

/// A part of a text.
fn part(text: &'static str, is_first: bool, is_last: bool) -> Message {
    let kind = if is_first { Data::Text } else { Data::Continue };
    Message::Frame(Frame::message(text, OpCode::Data(kind), is_last))
}

/// Sends the same messages again and again, so many in all. Returns whether the server took all of them.
async fn pour(sink: &mut (impl Sink<Message> + Unpin), messages: &[Message], count: usize) -> bool {
    for message in messages.iter().cycle().take(count) {
        if sink.feed(message.clone()).await.is_err() {
            return false;
        }
    }
    sink.flush().await.is_ok()
}

/// Messages that are no items: each is answered, until there were too many and the connection is closed.
async fn no_items(peer: Peer, count: usize) {
    let (mut sink, mut stream) = peer.socket.split();
    let reading = async {
        let mut errors = 0;
        loop {
            match next_item(&mut stream).await {
                Ok(item) => errors += usize::from(item["error"]["code"] == "invalid_input"),
                Err(end) => return (errors, end),
            }
        }
    };
    let message = [Message::text("x")];
    let (_, (errors, end)) = tokio::join!(pour(&mut sink, &message, count), reading);
    assert!(end.is_none_or(|end| end.code == CloseCode::Policy) && errors <= 101, "{errors} errors");
}

/// One message in very many empty parts: it is one message, and counts as one.
async fn parts(mut peer: Peer, count: usize) {
    peer.socket.feed(part("", true, false)).await.unwrap();
    assert!(
        pour(&mut peer.socket, &[part("", false, false)], count).await,
        "the parts of a message are taken"
    );
    peer.socket.send(part("x", false, true)).await.unwrap();
    let error = peer.until(|item| item["type"] == "action_error").await;
    assert_eq!(error["error"]["code"], "invalid_input", "{error:#}");
    is_served(&mut peer, "after the parts").await;
}

/// Items and pings that ask for nothing: they are read at a limited rate, and the call behind them is answered.
async fn nothing_asked(peer: Peer, count: usize) {
    let (mut sink, mut stream) = peer.socket.split();
    let begun = Instant::now();
    let cancel = json!({ "type": "action_cancel", "call_id": "x" }).to_string();
    let call = json!({ "type": "action_call", "call_id": "last", "name": "log.about", "arguments": {}, "runtime_id": PAGE });
    let messages = [Message::text(cancel), Message::Ping(Vec::new().into())];
    let writing = async {
        assert!(pour(&mut sink, &messages, count).await, "items are taken");
        sink.send(Message::text(call.to_string())).await.unwrap();
    };
    let reading = async {
        loop {
            let item = next_item(&mut stream).await;
            let item = item.unwrap_or_else(|end| panic!("the connection ended: {end:?}"));
            if is_answer(&item) {
                return item;
            }
        }
    };
    let ((), answer) = tokio::join!(writing, reading);
    assert_eq!(answer["type"], "action_call_output", "{answer:#}");
    let least = Duration::from_millis((count.saturating_sub(BURST) * 1_000 / RATE) as u64);
    assert!(begun.elapsed() >= least, "{count} messages were read within {:?}", begun.elapsed());
}

async fn is_served(peer: &mut Peer, call_id: &str) {
    peer.call(call_id, PAGE, "log.read", json!({})).await;
    let answer: Value = peer.answer(call_id).await;
    assert_eq!(answer["type"], "action_call_output", "{answer:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_send_tiny_frames_without_end_are_closed_or_limited_and_no_other_notices() {
    let stage = Stage::new(1).await;
    let mut other = stage.peer("").await;
    let count = frames();
    let over = AtomicBool::new(false);
    let attacks = async {
        no_items(stage.peer("").await, count).await;
        parts(stage.peer("").await, count).await;
        let crowd = (0..CROWD).map(async |_| nothing_asked(stage.peer("").await, count / CROWD).await);
        futures_util::future::join_all(crowd).await;
        over.store(true, Ordering::Relaxed);
    };
    let beside = async {
        let mut slowest = Duration::ZERO;
        for number in 0.. {
            if over.load(Ordering::Relaxed) {
                break;
            }
            let begun = Instant::now();
            is_served(&mut other, &format!("beside-{number}")).await;
            slowest = slowest.max(begun.elapsed());
        }
        slowest
    };
    let ((), slowest) = tokio::join!(attacks, beside);
    assert!(slowest < UNDISTURBED, "a call of another client took {slowest:?}");
    let reported = stage.reported.lock().unwrap().clone();
    let times = |words: &str| reported.iter().filter(|line| line.contains(words)).count();
    assert_eq!(times("too many messages are no items"), 1, "{reported:?}");
    assert_eq!(times("limited rate"), CROWD, "once per client: {reported:?}");
    stage.end().await;
}
