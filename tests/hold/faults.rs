//! A browser one of whose messages is spoiled: the command ends in time, blames the browser, and never lies.

use serde_json::{Value, json};

use super::attempt::{Ground, millis};
use super::proxy::{FAULT, KINDS, script};
use super::random::Random;
use super::rounds;

/// A session of this size exchanges about this many messages.
const MESSAGES: u64 = 140;

#[test]
fn a_spoiled_message_of_the_browser_ends_the_command_in_time_and_never_as_a_defect() {
    let ground = Ground::new();
    let browser = script(&ground);
    let (mut late, mut succeeded) = (Vec::new(), 0);
    for round in 0..rounds(KINDS.len() as u64) {
        let kind = KINDS[round as usize % KINDS.len()];
        let number = Random::of(round).below(MESSAGES);
        let fault = format!("{number} {kind}");
        let attempt = ground.start("button.press", &["--browser", &browser], &[(FAULT, fault.clone())]);
        let attack = format!("round {round}: {fault}");
        let ended = attempt.end(&attack, &json!("Pressed"));
        let item: Value = serde_json::from_slice(&ended.output.stdout).expect("an item");
        succeeded += u64::from(item["error"].is_null());
        late.push(ended.late);
        // The flags are the only file that the script leaves.
        let _ = std::fs::remove_file(ground.file("tmp").join("flags"));
        ground.is_clean(&attack);
    }
    println!("hold: late after a fault: {:?}", millis(&late));
    println!("hold: succeeded in spite of a fault: [{succeeded}]");
}
