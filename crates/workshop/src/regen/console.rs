//! Blocks of commands with their output: the document holds the commands, this module runs them again.

use super::document::PartError;
use super::shell::Shell;

/// Runs the commands of a block and returns the block with their present output.
///
/// Times differ from run to run. A block that differs in nothing else stays as it is.
pub(super) fn text(shell: &Shell, old: &str) -> Result<String, PartError> {
    let commands = commands(old);
    if commands.is_empty() {
        return Err(PartError::NoCommand);
    }
    let mut block = "```console\n".to_owned();
    for command in commands {
        block += &format!("$ {command}\n{}", shell.run(&command)?);
        if !block.ends_with('\n') {
            block.push('\n');
        }
    }
    block += "```";
    Ok(if without_times(&block) == without_times(old.trim()) { old.to_owned() } else { block })
}

/// The commands of a block: lines that begin with `$ `, with the lines they continue on.
fn commands(block: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut continues = false;
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (_, Some(last)) if continues => *last += &format!("\n{line}"),
            (Some(command), _) => commands.push(command.to_owned()),
            _ => continue,
        }
        continues = line.ends_with('\\');
    }
    commands
}

/// Replaces durations, moments and ids of processes, which are never the same twice.
fn without_times(text: &str) -> Vec<String> {
    text.lines().map(line_without_times).collect()
}

fn line_without_times(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let is_moment = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.len() == 24 && word.as_bytes()[10] == b'T' && word.ends_with('Z')
    };
    let words = words.iter().enumerate().map(|(index, word)| match words.get(index + 1) {
        Some(next) if is_number(word) && next.starts_with("ms") => "N",
        _ if is_moment(word) => "MOMENT",
        _ if index > 0 && words[index - 1] == "process" => "PID",
        _ => word,
    });
    let indent = line.len() - line.trim_start().len();
    format!("{}{}", &line[..indent], words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_continue_on_further_lines() {
        let block = "```console\n$ actions run a \\\n    --arg b=c\n{\"$\": 1}\n$ echo\n```";
        assert_eq!(commands(block), ["actions run a \\\n    --arg b=c", "echo"]);
    }

    #[test]
    fn only_times_may_differ() {
        let first = "  ✓ read   page.info      7 ms\nsince 2026-11-16T05:45:10.120Z\n";
        let later = "  ✓ read   page.info   1,234 ms\n";
        assert_eq!(without_times(first), ["  ✓ read page.info N ms", "since MOMENT"]);
        assert_ne!(without_times(first), without_times(later));
    }
}
