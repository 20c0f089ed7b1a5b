//! Tests that a long suite runs at their full numbers, and what they measured.

use std::time::Duration;

use crate::{command_line::CommandLine, failure::Failure};

/// Tests of one binary, and how many rounds they make.
pub(crate) struct Round {
    pub(crate) binary: &'static str,
    /// A name that ends with colons stands for all tests of a module.
    pub(crate) test: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) rounds: &'static str,
}

impl Round {
    /// Runs the tests, one after the other, and returns what they printed.
    fn run(&self) -> Result<String, Failure> {
        let exact = (!self.test.ends_with("::")).then_some("--exact");
        // The whole workspace, as in every other run: what is built already need not be built again.
        let binary = ["test", "--workspace", "--all-features", "--test", self.binary, "--"];
        let test: Vec<&str> =
            exact.into_iter().chain([self.test, "--nocapture", "--test-threads", "1"]).collect();
        let command = CommandLine::cargo([&binary[..], &test].concat());
        let command = command.with_variable(self.variable, self.rounds);
        println!("    $ {command}");
        let output = String::from_utf8_lossy(&command.output()?).into_owned();
        if passed(&output) == 0 { Err(Failure::NoSuchTest(self.test)) } else { Ok(output) }
    }
}

/// Runs the tests of all rounds, and returns what they printed.
pub(crate) fn run(rounds: &[Round]) -> Result<String, Failure> {
    rounds.iter().map(Round::run).collect()
}

/// How many tests passed, by the closing lines of the harness.
fn passed(output: &str) -> u64 {
    let counts =
        output.lines().filter_map(|line| line.strip_prefix("test result: ok. ")?.split_once(" passed"));
    counts.filter_map(|(count, _)| count.parse::<u64>().ok()).sum()
}

/// What a test of a suite measured, the shortest first: a line such as `soak: close: [12, 7]`, in milliseconds.
pub(crate) fn samples(output: &str, suite: &str, what: &str) -> Option<Vec<Duration>> {
    // The harness writes its own words before the first line of a test.
    let line = output.lines().find_map(|line| line.split_once(&format!("{suite}: {what}: ")))?.1;
    let numbers = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut samples = Vec::new();
    for number in numbers.split(", ") {
        samples.push(Duration::from_millis(number.parse().ok()?));
    }
    samples.sort();
    Some(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_measured_is_read_from_its_line() {
        let output = "test a ... soak: close: [12, 7]\nok\ntest b ... soak: command killed, outlived: []\n";
        let millis = |numbers: &[u64]| numbers.iter().copied().map(Duration::from_millis).collect::<Vec<_>>();
        assert_eq!(samples(output, "soak", "close"), Some(millis(&[7, 12])));
        assert_eq!(samples(output, "soak", "command killed, outlived"), None);
        assert_eq!(samples(output, "soak", "nothing"), None);
        assert_eq!(samples(output, "hold", "close"), None);
    }

    #[test]
    fn a_run_without_a_test_counts_none() {
        let none =
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n";
        assert_eq!(passed(none), 0);
        assert_eq!(passed(&format!("{none}{}", none.replace("0 passed", "2 passed"))), 2);
    }
}
