//! `cargo xtask setup`: installs what is missing, touches nothing that is there, and needs no network then.

use std::env;

use crate::{
    command_line::CommandLine,
    failure::Failure,
    workspace::{has_program, root},
};

/// One thing the tests need on the machine.
struct Need {
    what: &'static str,
    /// Whether anything in the workspace needs it.
    wanted: fn() -> bool,
    present: fn() -> bool,
    install: fn() -> Result<(), Failure>,
}

const CHROMIUM: &str = "Chromium with its headless shell";
/// The Debian packages; each brings a program of the same name.
const CHROMIUM_PACKAGES: &[&str] = &["chromium", "chromium-headless-shell"];

/// Of the package `bsdutils`, which every Debian has.
const SCRIPT: &str = "script";

const NEEDS: &[Need] = &[
    Need {
        what: "rustfmt",
        wanted: || true,
        present: || CommandLine::cargo(["fmt", "--version"]).succeeds(),
        install: || component("rustfmt"),
    },
    Need {
        what: "clippy",
        wanted: || true,
        present: || CommandLine::cargo(["clippy", "--version"]).succeeds(),
        install: || component("clippy"),
    },
    // The tests run on both: the headless shell is what we launch first, the full browser is what people have.
    Need {
        what: CHROMIUM,
        wanted: || root().join("crates/browser").is_dir(),
        present: || {
            env::var_os("ACTIONS_BROWSER").is_some() || CHROMIUM_PACKAGES.iter().all(|name| has_program(name))
        },
        install: || {
            let otherwise = "\nor set ACTIONS_BROWSER to the path of a Chromium you have";
            packages(CHROMIUM, CHROMIUM_PACKAGES, otherwise)
        },
    },
    // It makes a terminal, to see what a person at one is shown.
    Need {
        what: SCRIPT,
        wanted: || true,
        present: || has_program(SCRIPT),
        install: || packages(SCRIPT, &["bsdutils"], ""),
    },
];

/// Installs every need that is not met.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "`setup` takes none".to_owned()));
    }
    for need in NEEDS.iter().filter(|need| (need.wanted)()) {
        if (need.present)() {
            println!("    {} is there", need.what);
            continue;
        }
        println!("    {} is missing", need.what);
        (need.install)()?;
        if !(need.present)() {
            return Err(Failure::StillMissing { what: need.what });
        }
    }
    Ok(())
}

fn component(name: &'static str) -> Result<(), Failure> {
    let install = CommandLine::new("rustup", ["component", "add", name]);
    if !has_program("rustup") {
        return Err(Failure::Missing { what: name, remedy: install.to_string() });
    }
    install.run()
}

/// Installs Debian packages if that needs no password; otherwise says how to, or what else to do.
fn packages(what: &'static str, names: &[&str], otherwise: &str) -> Result<(), Failure> {
    let remedy = format!("sudo apt-get install --yes {}{otherwise}", names.join(" "));
    let missing = Failure::Missing { what, remedy };
    if !has_program("apt-get") {
        return Err(missing);
    }
    let Some(root) = Root::find() else { return Err(missing) };
    root.command(["apt-get", "update"]).run()?;
    let install = ["apt-get", "install", "--yes", "--no-install-recommends"].iter().chain(names);
    root.command(install.copied()).run()
}

/// How a command can be run as root without a prompt.
enum Root {
    Already,
    Sudo,
}

impl Root {
    fn find() -> Option<Self> {
        let id = CommandLine::new("id", ["-u"]).output().ok()?;
        if id.trim_ascii() == b"0" {
            return Some(Self::Already);
        }
        CommandLine::new("sudo", ["-n", "true"]).succeeds().then_some(Self::Sudo)
    }

    fn command<'a>(&self, words: impl IntoIterator<Item = &'a str>) -> CommandLine {
        let words = ["DEBIAN_FRONTEND=noninteractive"].into_iter().chain(words);
        match self {
            Self::Already => CommandLine::new("env", words),
            Self::Sudo => CommandLine::new("sudo", ["-n", "env"].into_iter().chain(words)),
        }
    }
}
