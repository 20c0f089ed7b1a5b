//! Prints what a client needs in its configuration to start this server.

use std::path::Path;

use actions_engine::CallError;
use clap::ValueEnum;
use serde_json::json;

use crate::hosting::Hosting;
use crate::output::{note, result};

/// The option that prints.
const OPTION: &str = "--print-config";

/// The clients whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ClientName {
    /// Claude Code: .mcp.json of a project
    ClaudeCode,
    /// Claude Desktop: claude_desktop_config.json
    ClaudeDesktop,
    /// Cursor: .cursor/mcp.json
    Cursor,
    /// VS Code: .vscode/mcp.json
    Vscode,
    /// Windsurf: mcp_config.json
    Windsurf,
    /// Codex: config.toml
    Codex,
    /// Gemini CLI: settings.json
    Gemini,
    /// Any client with a block of `command` and `args`
    Other,
}

/// How a client writes its servers down.
struct Form {
    /// The file that the block belongs in.
    file: &'static str,
    /// The key above the servers; a table of TOML without one.
    key: Option<&'static str>,
    /// Whether the entry says that it is a program.
    has_type: bool,
}

impl ClientName {
    fn form(self) -> Form {
        let form = |file, key, has_type| Form { file, key, has_type };
        match self {
            Self::ClaudeCode => form(".mcp.json in the project", Some("mcpServers"), true),
            Self::ClaudeDesktop => form("claude_desktop_config.json", Some("mcpServers"), false),
            Self::Cursor => form(".cursor/mcp.json", Some("mcpServers"), false),
            Self::Vscode => form(".vscode/mcp.json", Some("servers"), true),
            Self::Windsurf => form("~/.codeium/windsurf/mcp_config.json", Some("mcpServers"), false),
            Self::Codex => form("~/.codex/config.toml", None, false),
            Self::Gemini => form("~/.gemini/settings.json", Some("mcpServers"), false),
            Self::Other => form("the configuration of the client", Some("mcpServers"), false),
        }
    }
}

/// Prints the configuration of a client. The paths in it are absolute, because clients start servers anywhere.
pub(super) fn print(client: ClientName, hosting: &Hosting) -> Result<(), CallError> {
    // The maps must load, or the client would only say that the server does not start.
    hosting.maps(|engine| engine)?;
    let args = arguments(std::env::args().skip(1));
    let command =
        std::env::current_exe().map_or_else(|_| "actions".to_owned(), |path| path.display().to_string());
    let form = client.form();
    note(format_args!("put this into {}:", form.file));
    let Some(key) = form.key else {
        // The strings of TOML are those of JSON.
        result(format!("[mcp_servers.actions]\ncommand = {}\nargs = {}", json!(command), json!(args)));
        return Ok(());
    };
    let mut server = json!({});
    if form.has_type {
        server["type"] = json!("stdio");
    }
    server["command"] = json!(command);
    server["args"] = json!(args);
    let block = json!({ key: { "actions": server } });
    result(format!("{block:#}"));
    Ok(())
}

/// The arguments of this command without the option that prints them, with every path absolute.
fn arguments(given: impl Iterator<Item = String>) -> Vec<String> {
    let absolute = |text: String| match Path::new(&text).exists() && !text.starts_with('-') {
        true => std::path::absolute(&text).map_or(text, |path| path.display().to_string()),
        false => text,
    };
    let mut kept = Vec::new();
    let mut given = given.peekable();
    while let Some(argument) = given.next() {
        match argument.as_str() {
            OPTION => drop(given.next()),
            other if other.starts_with(OPTION) => {}
            // The first word is the command, whatever files there are.
            _ if kept.is_empty() => kept.push(argument),
            _ => kept.push(absolute(argument)),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_arguments_are_those_given_with_absolute_paths() {
        let given = ["mcp", "src/main.rs", "--print-config", "cursor", "--yes", "--print-config=vscode"];
        let kept = arguments(given.iter().map(|text| (*text).to_owned()));
        assert_eq!((kept[0].as_str(), kept[2].as_str(), kept.len()), ("mcp", "--yes", 3), "{kept:?}");
        assert!(Path::new(&kept[1]).is_absolute());
    }
}
