//! `cargo xtask hold`: attacks on pages, browsers and commands, many times over, and how well they are held.
//!
//! The tests themselves are part of every run, with few rounds and generous bounds, because machines are busy. Here they
//! have their full numbers, and what they measured is judged. Every attack is drawn from a seed.

use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::rounds::{self, Round, samples};

const fn leak(test: &'static str, rounds: &'static str) -> Round {
    Round { binary: "chromium", test, variable: "ACTIONS_LEAK_ROUNDS", rounds }
}

const fn attack(test: &'static str, rounds: &'static str) -> Round {
    Round { binary: "e2e", test, variable: "ACTIONS_HOLD_ROUNDS", rounds }
}

const ROUNDS: &[Round] = &[
    attack(
        "hold::faults::a_spoiled_message_of_the_browser_ends_the_command_in_time_and_never_as_a_defect",
        "130",
    ),
    attack("hold::signals::a_signal_at_any_moment_ends_the_command_in_time_and_leaves_nothing", "63"),
    attack("hold::signals::killing_the_command_leaves_neither_a_browser_nor_its_folder", "25"),
    attack("hold::signals::an_interrupt_ends_a_command_whose_browser_is_stopped", "1"),
    attack("hold::silence::", "1"),
    attack("hold::namespace::", "1"),
    attack("hold::uploads::", "4"),
    leak("leaks::four_ways_out_of_a_running_browser_send_nothing_that_was_refused", "40"),
    leak("leaks::closing_a_context_of_a_headless_shell_sends_nothing_that_was_refused", "6"),
    leak("leaks::closing_a_context_of_a_running_headless_shell_sends_nothing_that_was_refused", "6"),
    leak("leaks::closing_a_context_of_chromium_sends_nothing_that_was_refused", "3"),
    leak("leaks::closing_a_context_of_a_running_chromium_sends_nothing_that_was_refused", "3"),
    Round { binary: "chromium", test: "confinement::", variable: "ACTIONS_LEAK_ROUNDS", rounds: "1" },
];

/// How long after the end of its time a command may end.
const LATE: Duration = Duration::from_millis(250);
/// The lines whose figures are milliseconds after the end of the time.
const LATENESS: [&str; 2] = ["late after a fault", "late after a signal"];

/// Runs the tests at their full numbers, and judges what they measured.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "it has none".to_owned()));
    }
    let begun = Instant::now();
    let output = rounds::run(ROUNDS)?;
    println!("\nall attacks were held, in {} s", begun.elapsed().as_secs());
    for line in output.lines().filter_map(|line| line.split_once("hold: ")).map(|(_, figure)| figure) {
        if !LATENESS.iter().any(|what| line.starts_with(what)) {
            println!("    {line}");
        }
    }
    let mut missed = Vec::new();
    for what in LATENESS {
        let samples = samples(&output, "hold", what).ok_or(Failure::NotMeasured(what))?;
        let most = samples[samples.len() - 1];
        let held = most <= LATE;
        println!(
            "    {what}: {} runs, median {} ms, most {} ms{}",
            samples.len(),
            samples[samples.len() / 2].as_millis(),
            most.as_millis(),
            if held { "" } else { "  MISSED" },
        );
        if !held {
            missed.push(what);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(Failure::GoalsMissed { goals: missed }) }
}
