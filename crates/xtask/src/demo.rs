//! `cargo xtask demo`: a tour in a few commands that a reader can type again.

use crate::{failure::Failure, program::Program, setup};

/// One thing to show.
struct Scene {
    says: &'static str,
    /// The arguments of `actions`.
    arguments: &'static [&'static str],
    /// How the command must end; anything else is a defect.
    exit: i32,
}

const SCENES: &[Scene] = &[
    Scene {
        says: "A broken map: every mistake is reported at once, each with its place, its code and what to do.",
        arguments: &["validate", "fixtures/demo/broken.json"],
        exit: 3,
    },
    Scene {
        says: "The map of the example site has none.",
        arguments: &["validate", "sites/example.com/actions.json"],
        exit: 0,
    },
    Scene {
        says: "What it offers to an agent:",
        arguments: &["list", "sites/example.com/actions.json"],
        exit: 0,
    },
    Scene {
        says: "One of its tools in headless Chromium. The network is a recording: nothing leaves this machine.",
        arguments: &[
            "run",
            "sites/example.com/actions.json",
            "search.submit",
            "--input",
            r#"{"query":"maps"}"#,
            "--replay",
            "sites/example.com/recordings/search.har",
            "--verbose",
            "--screenshot",
            "target/demo-search.png",
        ],
        exit: 0,
    },
    Scene {
        says: "A tool that turns pages until there are no more:",
        arguments: &[
            "run",
            "sites/example.com/actions.json",
            "results.collect_all",
            "--verbose",
            "--url",
            "https://example.com/search/?q=maps",
            "--replay",
            "sites/example.com/recordings/pages.har",
        ],
        exit: 0,
    },
    Scene {
        says: "A request that is not in the recording fails:",
        arguments: &[
            "run",
            "sites/example.com/actions.json",
            "search.submit",
            "--input",
            r#"{"query":"harbour"}"#,
            "--replay",
            "sites/example.com/recordings/search.har",
        ],
        exit: 6,
    },
    Scene {
        says: "Every rule and every error code explains itself.",
        arguments: &["explain", "A003"],
        exit: 0,
    },
];

/// Runs every scene and fails if one does not end as expected.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "`demo` takes none".to_owned()));
    }
    setup::run(&[])?;
    let actions = Program::build("actions")?;
    for scene in SCENES {
        println!("\n{}", scene.says);
        actions.command(scene.arguments.iter().copied()).run_to(scene.exit)?;
    }
    Ok(())
}
