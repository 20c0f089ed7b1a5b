//! Slots that take a member of the input of a tool.

/// The expression of a member of the input.
fn member(name: &str) -> String {
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    match begins && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => format!("input.{name}"),
        false => format!("$lookup(input, {})", serde_json::Value::from(name)),
    }
}

/// A slot that holds a member of the input, and is absent without it.
pub(crate) fn slot(name: &str) -> String {
    format!("{{% {} %}}", member(name))
}

/// The condition that a member of the input is given.
pub(crate) fn given(name: &str) -> String {
    format!("$exists({})", member(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_taken_whatever_its_name() {
        assert_eq!(slot("query"), "{% input.query %}");
        assert_eq!(slot("a \"b\"`"), "{% $lookup(input, \"a \\\"b\\\"`\") %}");
        assert_eq!(given("in-stock"), "$exists($lookup(input, \"in-stock\"))");
    }
}
