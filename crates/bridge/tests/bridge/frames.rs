//! Clients that send tiny frames without end: each loses its connection or is read at a limited rate, and no other client
//! notices.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::peer::{Peer, is_answer, request};
use crate::stage::{Stage, TOKEN};

const PAGE: &str = "s0-1";

/// How many clients share the frames that are read at a limited rate.
const CROWD: usize = 4;

/// How many messages of a client are read at once, and how many a second after that.
const BURST: usize = 4_000;
const RATE: usize = 1_000;

/// Longer than a call of another client takes meanwhile on a busy machine.
const UNDISTURBED: Duration = Duration::from_secs(15);

/// The first byte of a frame: a whole text, the first part of one, a middle part, the last part, a ping.
const TEXT: u8 = 0x81;
const FIRST: u8 = 0x01;
const MIDDLE: u8 = 0x00;
const LAST: u8 = 0x80;
const PING: u8 = 0x89;

/// How many frames are sent in each way: few in every run, a million in `cargo xtask soak`.
fn frames() -> usize {
    std::env::var("ACTIONS_FRAMES").ok().and_then(|frames| frames.parse().ok()).unwrap_or(20_000)
}

/// A short frame of a client, under a mask of zeros.
fn frame(first: u8, payload: &str) -> Vec<u8> {
    let length = u8::try_from(payload.len()).ok().filter(|length| *length < 126).expect("a short frame");
    let mut frame = vec![first, 0x80 | length, 0, 0, 0, 0];
    frame.extend(payload.as_bytes());
    frame
}

/// A client that reads as others do, and the same connection for writing bytes as they are.
async fn raw(address: SocketAddr) -> (Peer, TcpStream) {
    let stream = std::net::TcpStream::connect(address).unwrap();
    stream.set_nonblocking(true).unwrap();
    let bytes = TcpStream::from_std(stream.try_clone().unwrap()).unwrap();
    let token = format!("Bearer {TOKEN}");
    let request = request(address, "", &[("authorization", &token)]);
    let opened = tokio_tungstenite::client_async(request, TcpStream::from_std(stream).unwrap()).await;
    (Peer { socket: opened.unwrap().0 }, bytes)
}

/// Writes the same frames again and again, so many in all. Returns whether the server took all of them.
async fn pour(bytes: &mut TcpStream, frames: &[Vec<u8>], count: usize) -> bool {
    let round = 500;
    let chunk = frames.concat().repeat(round);
    for _ in 0..count.div_ceil(round * frames.len()) {
        if bytes.write_all(&chunk).await.is_err() {
            return false;
        }
    }
    true
}

/// Messages that are no items: each is answered, until there were too many and the connection is closed.
async fn no_items(address: SocketAddr, count: usize) {
    let (mut peer, mut bytes) = raw(address).await;
    let reading = async {
        let mut errors = 0;
        loop {
            match peer.next().await {
                Ok(item) => errors += usize::from(item["error"]["code"] == "invalid_input"),
                Err(end) => return (errors, end),
            }
        }
    };
    let frames = [frame(TEXT, "x")];
    let (_, (errors, end)) = tokio::join!(pour(&mut bytes, &frames, count), reading);
    assert!(end.is_none_or(|end| end.code == CloseCode::Policy) && errors <= 101, "{errors} errors");
}

/// One message in very many empty parts: it is one message, and counts as one.
async fn parts(address: SocketAddr, count: usize) {
    let (mut peer, mut bytes) = raw(address).await;
    bytes.write_all(&frame(FIRST, "")).await.unwrap();
    assert!(pour(&mut bytes, &[frame(MIDDLE, "")], count).await, "the parts of a message are taken");
    bytes.write_all(&frame(LAST, "x")).await.unwrap();
    let error = peer.until(|item| item["type"] == "action_error").await;
    assert_eq!(error["error"]["code"], "invalid_input", "{error:#}");
    is_served(&mut peer, "after the parts").await;
}

/// Items and pings that ask for nothing: they are read at a limited rate, and the call behind them is answered.
async fn nothing_asked(address: SocketAddr, count: usize) {
    let (mut peer, mut bytes) = raw(address).await;
    let begun = Instant::now();
    let cancel = json!({ "type": "action_cancel", "call_id": "x" }).to_string();
    let call = json!({ "type": "action_call", "call_id": "last", "name": "log.about", "arguments": {}, "runtime_id": PAGE });
    let call = call.to_string();
    let writing = async {
        assert!(pour(&mut bytes, &[frame(TEXT, &cancel), frame(PING, "")], count).await, "items are taken");
        bytes.write_all(&frame(TEXT, &call)).await.unwrap();
    };
    let reading = async {
        loop {
            let item = peer.next().await.unwrap_or_else(|end| panic!("the connection ended: {end:?}"));
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
    let (address, count) = (stage.address, frames());
    let over = AtomicBool::new(false);
    let attacks = async {
        no_items(address, count).await;
        parts(address, count).await;
        let crowd = (0..CROWD).map(|_| nothing_asked(address, count / CROWD));
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
