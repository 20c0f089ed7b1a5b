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
        says: "One of its tools in headless Chromium, on the example site served from this machine:",
        command: || {
            CommandLine::cargo(["run", "--quiet", "--package", "actions-engine", "--example", "one_call"])
        },
        exit: 0,
    },
    Scene {
        says: "Every rule and every error code explains itself.",
        command: || actions(["explain", "A003"]),
        exit: 0,
    },
];

fn actions<const N: usize>(arguments: [&str; N]) -> CommandLine {
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
