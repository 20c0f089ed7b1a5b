//! Every command has a help text with examples, and every example works when pasted.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use actions_testserver::LocalSite;

use super::{actions, root, seen, stdout};

/// Returns every command with its help text.
fn helps(command: &[String]) -> Vec<(String, String)> {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let help = stdout(&actions(&arguments));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let below =
        listed.filter(|name| *name != "help").flat_map(|name| helps(&[command, &[name.to_owned()]].concat()));
    let below: Vec<_> = below.collect();
    [(command.join(" "), help)].into_iter().chain(below).collect()
}

/// Returns the examples of a help text.
fn examples(help: &str) -> Option<&str> {
    let (_, rest) = help.split_once("\nExample")?;
    rest.split_once('\n').map(|(_, examples)| examples)
}

/// Runs examples in a shell, in a folder that looks like the root of the repository.
fn paste(examples: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_actions")).parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-euc", examples])
        .current_dir(folder)
        .env("PATH", format!("{program}:{path}"))
        .env("HOME", folder)
        .output()
        .expect("a shell")
}

#[test]
fn every_help_example_works_when_pasted() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
    let commands = helps(&[]);
    assert!(commands.iter().any(|(command, _)| command == "state diff"), "{commands:?}");
    for (command, help) in commands.iter().filter(|(command, _)| !command.is_empty()) {
        let examples = examples(help).unwrap_or_else(|| panic!("{command} has no example:\n{help}"));
        assert!(examples.contains(&format!("actions {command}")), "{command}: {examples}");
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = |name: &str| folder.path().join(name);
        symlink(root().join("sites").canonicalize().expect("a folder"), path("sites")).expect("a link");
        std::fs::copy(site.map(""), path("actions.json")).expect("a map of one's own");
        std::fs::copy(root().join("fixtures/a2wf/valid/shop.json"), path("siteai.json"))
            .expect("a policy of one's own");
        std::fs::create_dir_all(path(".local/share/bash-completion/completions")).expect("a folder");
        let here = format!("--try {}", site.server().url("/"));
        let examples = examples.replace("--try https://example.com", &here);
        let examples = examples.replace("https://example.com", &site.server().origin());
        let output = paste(&examples, folder.path());
        assert_eq!(output.status.code(), Some(0), "{command}: {examples}\n{}", seen(&output));
    }
}
