//! Damaged items: none ends the bridge or goes unanswered, and other clients do not notice.

use std::path::Path;
use std::sync::Arc;

use actions_bridge::connect::Connecting;
use actions_engine::{CancellationToken, Engine};
use serde_json::{Value, json};

use crate::reference::Reference;
use crate::stage::Stage;

const PAGE: &str = "s0-1";

/// What is put into texts: the words of the protocol, and what parsers stumble over.
const TOKENS: &[&str] = &[
    "\"type\"",
    "\"action_call\"",
    "\"action_cancel\"",
    "\"call_id\"",
    "\"runtime_id\"",
    "\"arguments\"",
    "null",
    "{}",
    "[]",
    "\"\"",
    "1e999",
    "-0",
    "18446744073709551616",
    "\"\\ud800\"",
    "\\u0000",
    "\u{0}",
    "\u{202e}",
    "[[[[[[[[[[",
    "{\"a\":",
    ",",
    ":",
    "}",
    "]",
    "\"",
    "\\",
    "true",
    "\"actions.site\"",
    "\"mode\"",
    "\"state_read\"",
    "\"timeout_ms\"",
    "-1",
    "0.5",
    "\"target\"",
    "\"s0-1\"",
    "\"runtime_probe\"",
    "\"site_action_call\"",
    "\"map\"",
    "\"credential_hydration\"",
];

/// Random numbers that a seed repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// A text with a few damages.
fn damaged(random: &mut Random, seeds: &[String]) -> String {
    let mut text: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        match random.below(6) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..(at + random.below(12)).min(text.len()))),
            2 => text.splice(at..at, TOKENS[random.below(TOKENS.len())].chars()).for_each(drop),
            3 => {
                let end = (at + random.below(40)).min(text.len());
                let part: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, part).for_each(drop);
            }
            4 if at < text.len() => text[at] = char::from_u32(random.below(0x2_0000) as u32).unwrap_or('?'),
            _ => {
                let other: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
                let cut = random.below(other.len() + 1);
                text.truncate(at);
                text.extend(&other[cut..]);
            }
        }
    }
    text.into_iter().collect()
}

/// The messages of the fixtures, right and wrong.
fn seeds() -> Vec<String> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/protocol");
    let mut seeds: Vec<String> = Vec::new();
    for folder in ["golden", "rejected", "tolerated"] {
        for entry in std::fs::read_dir(fixtures.join(folder)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            seeds.push(String::from_utf8_lossy(&bytes).trim().to_owned());
        }
    }
    seeds.sort();
    // Calls that no map has are answered without the page, so that many of them take little time.
    for name in ["no.such.tool", "actions.site"] {
        seeds.push(
            json!({ "type": "action_call", "call_id": "1", "name": name, "arguments": { "mode": "no" } })
                .to_string(),
        );
    }
    seeds
}

fn executions(usual: usize) -> usize {
    std::env::var("ACTIONS_ITEMS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_item_is_answered_or_ends_its_connection_and_no_other() {
    let stage = Stage::new(1).await;
    let mut good = stage.peer("").await;
    let (seeds, mut random) = (seeds(), Random(0x5eed_2026));
    let mut connection = stage.bridge.connect(None);
    let (mut answered, mut dismissed, executions) = (0_usize, 0_usize, executions(3_000));
    for number in 0..executions {
        let text = damaged(&mut random, &seeds);
        connection.receive(&text);
        // Whatever it was, what is left to say is said, and then there is silence or an end.
        loop {
            let next = tokio::time::timeout(std::time::Duration::ZERO, connection.next()).await;
            match next {
                Ok(Ok(item)) => {
                    let item: Value = serde_json::from_str(&item).unwrap();
                    let is_error = item["type"] == "action_error";
                    assert!(!is_error || item["error"]["code"].is_string(), "{item:#}");
                    answered += usize::from(is_error);
                    connection.written();
                }
                Ok(Err(_)) => {
                    dismissed += 1;
                    connection = stage.bridge.connect(None);
                    break;
                }
                Err(_) => break,
            }
        }
        if number.is_multiple_of(1_000) {
            good.call(&format!("good-{number}"), PAGE, "log.read", json!({})).await;
            let answer = good.answer(&format!("good-{number}")).await;
            assert_eq!(answer["type"], "action_call_output", "{answer:#}");
        }
    }
    println!("{executions} items, {answered} errors, {dismissed} connections ended");
    assert!(answered * 2 > executions, "most damaged items are answered with an error: {answered}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_messages_of_a_bridge_that_was_dialled_are_survived() {
    let (stage, bridge) = (Stage::new(1).await, Reference::start().await);
    let connecting = Connecting::to(&bridge.url(), Arc::new(Engine::new)).unwrap();
    let stop = CancellationToken::new();
    let serving = tokio::spawn({
        let (bridge, stop) = (stage.bridge.clone(), stop.clone());
        async move { connecting.serve(&bridge, &stop).await }
    });
    bridge.until("the page is announced", |bridge| bridge.runtimes().len() == 1).await;
    let mut seeds = seeds();
    for message in [
        json!({ "type": "site_action_call", "call_id": "c", "runtime_id": PAGE, "action": "a", "arguments": {},
            "map_path": "m", "map": { "protocol": "actions.json", "version": 1, "tools": [] } }),
        json!({ "type": "state_projection_call", "call_id": "d", "runtime_id": PAGE, "mode": "state_read",
            "projection_name": "p", "summary_name": null, "max_bytes": 9, "map_path": "m", "projection": {} }),
        json!({ "type": "runtime_probe", "probe_id": "p", "runtime_id": PAGE }),
        json!({ "type": "credential_hydration", "provider": "openai", "credential": { "api_key": "sk-1" } }),
    ] {
        seeds.push(message.to_string());
    }
    let mut random = Random(0x5eed_2027);
    for _ in 0..executions(3_000) {
        bridge.say(&damaged(&mut random, &seeds));
    }
    bridge.always_probe();
    let item = json!({ "type": "action_call", "name": "log.read", "arguments": {} });
    let answer = bridge.call(PAGE, item, 60_000).await.unwrap();
    assert_eq!(answer["output"]["value"], "", "{answer}");
    stop.cancel();
    serving.await.unwrap();
    stage.end().await;
}
