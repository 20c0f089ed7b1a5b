//! Signals at random moments: to the command, to its browser, and to the helpers of the browser.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::attempt::{Attempt, Ground, millis};
use super::random::Random;
use super::rounds;

/// Who gets a signal.
#[derive(Clone, Copy, Debug)]
enum Receiver {
    Command,
    Browser,
    Helper,
}

const SIGNALS: &[(Receiver, Signal)] = &[
    (Receiver::Browser, Signal::STOP),
    (Receiver::Helper, Signal::STOP),
    (Receiver::Browser, Signal::KILL),
    (Receiver::Helper, Signal::KILL),
    (Receiver::Browser, Signal::SEGV),
    (Receiver::Browser, Signal::TERM),
    (Receiver::Command, Signal::INT),
    (Receiver::Command, Signal::TERM),
    (Receiver::Command, Signal::HUP),
];

/// The process that gets the signal, if there is one by now.
fn receiver(attempt: &Attempt<'_>, receiver: Receiver, random: &mut Random) -> Option<Pid> {
    let processes = attempt.ground().processes();
    let is_helper = |line: &str| line.contains("--type=");
    let among: Vec<Pid> = match receiver {
        Receiver::Command => vec![attempt.pid()],
        Receiver::Browser => {
            processes.iter().filter(|(_, line)| !is_helper(line)).map(|(pid, _)| *pid).collect()
        }
        Receiver::Helper => {
            processes.iter().filter(|(_, line)| is_helper(line)).map(|(pid, _)| *pid).collect()
        }
    };
    (!among.is_empty()).then(|| *random.one_of(&among))
}

#[test]
fn a_signal_at_any_moment_ends_the_command_in_time_and_leaves_nothing() {
    let ground = Ground::new();
    let mut late = Vec::new();
    for round in 0..rounds(SIGNALS.len() as u64) {
        let mut random = Random::of(round);
        let (to, signal) = SIGNALS[round as usize % SIGNALS.len()];
        let tool = *random.one_of(&["button.press", "page.wait"]);
        let moment = Duration::from_millis(50 + random.below(1_400));
        let attempt = ground.start(tool, &[], &[]);
        std::thread::sleep(moment);
        if let Some(pid) = receiver(&attempt, to, &mut random) {
            // It may have ended by itself.
            let _ = kill_process(pid, signal);
        }
        let attack = format!("round {round}: {signal:?} to {to:?} after {moment:?} of {tool}");
        late.push(attempt.end(&attack, &json!("Pressed")).late);
        ground.is_clean(&attack);
    }
    println!("hold: late after a signal: {:?}", millis(&late));
}

#[test]
fn killing_the_command_leaves_neither_a_browser_nor_its_folder() {
    let ground = Ground::new();
    for round in 0..rounds(3) {
        let mut random = Random::of(1_000 + round);
        let moment = Duration::from_millis(random.below(1_500));
        let attempt = ground.start("page.wait", &[], &[]);
        std::thread::sleep(moment);
        kill_process(attempt.pid(), Signal::KILL).expect("it runs");
        attempt.killed();
        ground.is_clean(&format!("round {round}: killed after {moment:?}"));
    }
}

#[test]
fn an_interrupt_ends_a_command_whose_browser_is_stopped() {
    let ground = Ground::new();
    let attempt = ground.start("page.wait", &["--timeout", "60s"], &[]);
    let mut random = Random::of(0);
    let browser = loop {
        match receiver(&attempt, Receiver::Browser, &mut random) {
            Some(browser) => break browser,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    std::thread::sleep(Duration::from_millis(500));
    kill_process(browser, Signal::STOP).expect("it runs");
    kill_process(attempt.pid(), Signal::INT).expect("it runs");
    let ended = attempt.end("an interrupt with a stopped browser", &Value::Null);
    let item: Value = serde_json::from_slice(&ended.output.stdout).expect("an item");
    assert_eq!(item["error"]["code"], "cancelled", "{item}");
    ground.is_clean("an interrupt");
}
