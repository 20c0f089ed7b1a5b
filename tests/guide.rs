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

#[test]
fn the_readme_has_at_most_ten_kilobytes() {
    let size = std::fs::metadata(root().join("README.md")).expect("the README").len();
    assert!(size <= 10_000, "{size} bytes: move something to docs/");
}
