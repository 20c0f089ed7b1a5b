//! The names of tools as commands: the protocol knows no dots.

use std::collections::BTreeMap;

/// Two tools that would become one command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tools `{first}` and `{second}` would both be the command `{name}`")]
pub struct NameCollision {
    /// The tool that came first.
    pub first: String,
    /// The tool that came later.
    pub second: String,
    /// The name of the command.
    pub name: String,
}

/// The name of a tool as a command: letters, digits, `-` and `_`, beginning with a letter.
pub(crate) fn wire_name(tool: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = tool.chars().map(safe).collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("a_{name}"),
    }
}

/// The names of tools as commands, if they differ.
pub(crate) fn wire_names<'t>(
    tools: impl IntoIterator<Item = &'t str>,
) -> Result<BTreeMap<String, String>, NameCollision> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for tool in tools {
        let name = wire_name(tool);
        match names.get(&name).filter(|first| *first != tool) {
            Some(first) => return Err(NameCollision { first: first.clone(), second: tool.to_owned(), name }),
            None => drop(names.insert(name, tool.to_owned())),
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dotted_name_becomes_one_that_the_protocol_knows() {
        assert_eq!(wire_name("search.submit"), "search_submit");
        assert_eq!(wire_name("2nd"), "a_2nd");
    }

    #[test]
    fn two_tools_that_would_be_one_command_are_refused() {
        let collision = wire_names(["search.submit", "search_submit"]).unwrap_err();
        assert_eq!((collision.first.as_str(), collision.second.as_str()), ("search.submit", "search_submit"));
        assert_eq!(wire_names(["a.b", "a.b"]).unwrap().len(), 1);
    }
}
