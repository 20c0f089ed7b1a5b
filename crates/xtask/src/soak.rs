//! `cargo xtask soak`: browsers, engines and commands killed many times over, and how long the rest took to notice.
//!
//! The tests themselves are part of every run, with few rounds and generous bounds, because machines are busy. Here they
//! have their full numbers, and what they measured is judged.

use std::time::Duration;

use crate::failure::Failure;
use crate::rounds::{self, Round, samples};

const ROUNDS: &[Round] = &[
    Round {
        binary: "processes",
        test: "launching_and_closing_leaves_no_process_folder_or_descriptor",
        variable: "ACTIONS_LAUNCHES",
        rounds: "200",
    },
    Round {
        binary: "processes",
        test: "killing_the_browser_reports_browser_lost_and_leaves_no_process_or_folder",
        variable: "ACTIONS_BROWSER_KILLS",
        rounds: "50",
    },
    Round {
        binary: "processes",
        test: "killing_the_engine_leaves_no_process_and_no_folder",
        variable: "ACTIONS_ENGINE_KILLS",
        rounds: "50",
    },
    Round {
        binary: "kills",
        test: "killing_chromium_between_any_two_steps_is_reported_and_leaves_nothing_behind",
        variable: "ACTIONS_STEP_KILLS",
        rounds: "50",
    },
    Round {
        binary: "e2e",
        test: "run::a_killed_browser_reports_browser_lost_and_leaves_nothing_behind",
        variable: "ACTIONS_COMMAND_LOSSES",
        rounds: "50",
    },
    Round {
        binary: "e2e",
        test: "run::killing_the_command_leaves_no_browser",
        variable: "ACTIONS_COMMAND_KILLS",
        rounds: "50",
    },
    Round {
        binary: "e2e",
        test: "check::a_check_that_is_killed_leaves_the_old_or_the_new_files",
        variable: "ACTIONS_CHECK_KILLS",
        rounds: "100",
    },
    Round {
        binary: "e2e",
        test: "test::a_case_plays_identically_every_time",
        variable: "ACTIONS_CASE_REPEATS",
        rounds: "100",
    },
    Round {
        binary: "e2e",
        test: "session::ends::sessions_leave_nothing_behind_however_they_end",
        variable: "ACTIONS_SESSIONS",
        rounds: "100",
    },
    Round {
        binary: "bridge",
        test: "fuzz::a_damaged_item_is_answered_or_ends_its_connection_and_no_other",
        variable: "ACTIONS_ITEMS",
        rounds: "100000",
    },
    Round {
        binary: "bridge",
        test: "frames::clients_that_send_tiny_frames_without_end_are_closed_or_limited_and_no_other_notices",
        variable: "ACTIONS_FRAMES",
        rounds: "1000000",
    },
    Round {
        binary: "bridge",
        test: "load::every_call_of_many_is_answered_once_and_in_order",
        variable: "ACTIONS_RUNTIMES",
        rounds: "50",
    },
];

/// What is expected of something that is measured.
struct Goal {
    /// What the line of the test is about.
    what: &'static str,
    median: Duration,
    most: Duration,
}

const GOALS: &[Goal] = &[
    Goal { what: "close", median: Duration::from_secs(2), most: Duration::from_secs(10) },
    Goal {
        what: "browser killed, noticed",
        median: Duration::from_millis(100),
        most: Duration::from_secs(2),
    },
    Goal { what: "engine killed, outlived", median: Duration::from_secs(5), most: Duration::from_secs(5) },
    Goal {
        what: "browser killed between steps, reported",
        median: Duration::from_secs(2),
        most: Duration::from_secs(10),
    },
    Goal {
        what: "browser killed under the command, ended",
        median: Duration::from_secs(2),
        most: Duration::from_secs(10),
    },
    Goal { what: "command killed, outlived", median: Duration::from_secs(5), most: Duration::from_secs(5) },
    Goal { what: "session ended, gone", median: Duration::from_secs(2), most: Duration::from_secs(10) },
];

/// Runs the tests at their full numbers, and judges what they measured.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "it has none".to_owned()));
    }
    let output = rounds::run(ROUNDS)?;
    let mut missed = Vec::new();
    println!("\n{:<42} {:>6} {:>10} {:>10}  goal", "", "times", "median", "most");
    for goal in GOALS {
        let samples = samples(&output, "soak", goal.what).ok_or(Failure::NotMeasured(goal.what))?;
        let (median, most) = (samples[samples.len() / 2], samples[samples.len() - 1]);
        let kept = median <= goal.median && most <= goal.most;
        println!(
            "{:<42} {:>6} {:>7} ms {:>7} ms  {:?}, {:?}{}",
            goal.what,
            samples.len(),
            median.as_millis(),
            most.as_millis(),
            goal.median,
            goal.most,
            if kept { "" } else { "  MISSED" },
        );
        if !kept {
            missed.push(goal.what);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(Failure::GoalsMissed { goals: missed }) }
}
