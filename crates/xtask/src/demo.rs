//! `cargo xtask demo`: the best of what exists, as a few commands anyone can type after it.

use crate::{command_line::CommandLine, failure::Failure, setup};

/// One thing to show.
struct Scene {
    says: &'static str,
    command: fn() -> CommandLine,
    /// How the command must end; a demonstration that shows something else is a defect.
    exit: i32,
}

const SCENES: &[Scene] = &[
    Scene {
        says: "A broken map: every mistake is reported at once, each with its place, its code and what to do.",
        command: || actions(["validate", "fixtures/demo/broken.json"]),
        exit: 3,
    },
    Scene {
        says: "The map of the example site has none.",
        command: || actions(["validate", "sites/example.com/actions.json"]),
        exit: 0,
    },
    Scene {
        says: "What it offers to an agent:",
        command: || actions(["list", "sites/example.com/actions.json"]),
        exit: 0,
    },
    Scene {
        says: "One of its tools in headless Chromium. The network is a recording: nothing leaves this machine.",
        command: || {
            let recording = "sites/example.com/recordings/search.har";
            let mut run = vec!["run", "sites/example.com/actions.json", "search.submit"];
            run.extend(["--input", r#"{"query":"maps"}"#, "--replay", recording]);
            run.extend(["--verbose", "--screenshot", "target/demo-search.png"]);
            actions(run)
        },
        exit: 0,
    },
    Scene {
        says: "A tool that turns pages until there are no more:",
        command: || {
            let recording = "sites/example.com/recordings/pages.har";
            let mut run = vec!["run", "sites/example.com/actions.json", "results.collect_all", "--verbose"];
            run.extend(["--url", "https://example.com/search/?q=maps", "--replay", recording]);
            actions(run)
        },
        exit: 0,
    },
    Scene {
        says: "What the recording does not hold is not made up:",
        command: || {
            let recording = "sites/example.com/recordings/search.har";
            let mut run = vec!["run", "sites/example.com/actions.json", "search.submit"];
            run.extend(["--input", r#"{"query":"harbour"}"#, "--replay", recording]);
            actions(run)
        },
        exit: 6,
    },
    Scene {
        says: "Every rule and every error code explains itself.",
        command: || actions(["explain", "A003"]),
        exit: 0,
    },
];

fn actions<'a>(arguments: impl IntoIterator<Item = &'a str>) -> CommandLine {
    let run = ["run", "--quiet", "--package", "actions-cli", "--"];
    CommandLine::cargo(run.into_iter().chain(arguments))
}

/// Shows every scene and fails if one does not go as it should.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "`demo` takes none".to_owned()));
    }
    setup::run(&[])?;
    for scene in SCENES {
        println!("\n{}", scene.says);
        (scene.command)().run_to(scene.exit)?;
    }
    Ok(())
}
