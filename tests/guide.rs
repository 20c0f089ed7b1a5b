//! What the documents promise: a short README, and a first map that runs.

use super::{actions, root, seen, stdout};

const MAP: &str = "docs/examples/search/actions.json";

#[test]
fn the_first_map_of_the_guide_has_twenty_lines_and_runs_from_a_recording() {
    let map = std::fs::read_to_string(root().join(MAP)).expect("the map");
    assert!(map.lines().count() <= 20, "the guide promises 20 lines");
    let validated = actions(&["validate", "--deny-warnings", MAP]);
    assert_eq!(validated.status.code(), Some(0), "{}", seen(&validated));
    let recording = "sites/example.com/recordings/search.har";
    let output = actions(&["run", MAP, "library.search", "--arg", "query=maps", "--replay", recording]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(stdout(&output), "{\"status\":\"1–6 of 17 works\"}\n");
}

/// Everything between `actions check` and the end of the command, in any of the examples of schedules.
fn scheduled() -> Vec<(String, Vec<String>)> {
    let folder = root().join("docs/examples/schedule");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("an example");
        let text = text.replace("\n                - ", " ").replace("\n          --", " --");
        for line in text.lines().filter(|line| line.contains("check ") && line.contains("--confirm")) {
            let words = line.split_whitespace().skip_while(|word| *word != "check");
            let words = words.take_while(|word| *word != ">" && *word != "env:").map(str::to_owned).collect();
            found.push((path.display().to_string(), words));
        }
    }
    found
}

#[test]
fn the_commands_of_the_schedules_are_understood() {
    let scheduled = scheduled();
    assert_eq!(scheduled.len(), 4, "crontab, service, workflow and CronJob: {scheduled:?}");
    for (file, words) in scheduled {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--help");
        let output = actions(&words);
        assert_eq!(output.status.code(), Some(0), "{file}: {words:?}: {}", seen(&output));
    }
}

#[test]
fn the_timer_and_the_service_are_valid_units() {
    let verifier = std::process::Command::new("systemd-analyze").arg("--version").output();
    if !verifier.is_ok_and(|output| output.status.success()) {
        println!("systemd-analyze is not installed: not tried");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let examples = root().join("docs/examples/schedule");
    for unit in ["actions-check.service", "actions-check.timer"] {
        let text = std::fs::read_to_string(examples.join(unit)).expect("a unit");
        // It must be there to be verified.
        let text = text.replace("/usr/local/bin/actions", env!("CARGO_BIN_EXE_actions"));
        std::fs::write(folder.path().join(unit), text).expect("a unit");
    }
    let units = ["actions-check.service", "actions-check.timer"].map(|unit| folder.path().join(unit));
    let output =
        std::process::Command::new("systemd-analyze").arg("verify").args(units).output().expect("it runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_readme_has_at_most_ten_kilobytes() {
    let size = std::fs::metadata(root().join("README.md")).expect("the README").len();
    assert!(size <= 10_000, "{size} bytes: move something to docs/");
}
