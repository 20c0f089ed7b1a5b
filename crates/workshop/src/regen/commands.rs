//! The help text of every command.

use super::document::PartError;
use super::shell::Shell;

/// One section per command.
pub(super) fn text(shell: &Shell) -> Result<String, PartError> {
    help(shell, "actions")
}

/// The help of a command, followed by that of the commands it lists.
fn help(shell: &Shell, command: &str) -> Result<String, PartError> {
    let help = shell.run(&format!("{command} --help"))?;
    let mut text = format!("## `{command}`\n\n```text\n{}\n```\n\n", help.trim_end());
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    for name in listed.filter(|name| *name != "help") {
        text += &self::help(shell, &format!("{command} {name}"))?;
    }
    Ok(text)
}
