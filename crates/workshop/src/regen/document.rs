//! A document with generated parts.

/// A document as it should be.
pub(super) struct Document {
    pub(super) name: &'static str,
    pub(super) text: String,
}

const BEGIN: &str = "<!-- generated: ";
const BEGIN_CLOSE: &str = " -->";
const END: &str = "<!-- end of generated -->";

/// Why a document cannot be regenerated.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MarkerError {
    #[error("line {line}: nothing generates `{name}`")]
    UnknownGenerator { line: usize, name: String },
    #[error("line {line}: the generated part `{name}` is not closed by `{END}`")]
    NotClosed { line: usize, name: String },
}

/// Puts fresh text between every pair of marks and leaves everything else as it is.
pub(super) fn regenerate(
    text: &str,
    generate: impl Fn(&str) -> Option<String>,
) -> Result<String, MarkerError> {
    let mut fresh = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((index, line)) = lines.next() {
        fresh += line;
        let Some(name) = line.trim().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(BEGIN_CLOSE))
        else {
            continue;
        };
        let line = index + 1;
        let Some(part) = generate(name) else {
            return Err(MarkerError::UnknownGenerator { line, name: name.to_owned() });
        };
        let Some((_, end)) = lines.find(|(_, line)| line.trim() == END) else {
            return Err(MarkerError::NotClosed { line, name: name.to_owned() });
        };
        // Markdown ends an HTML comment at a blank line; a table directly below it would not be a table.
        fresh += &format!("\n{}\n\n{end}", part.trim_end());
    }
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> Option<String> {
        (name == "one").then(|| "| 1 |\n".to_owned())
    }

    #[test]
    fn a_generated_part_is_replaced_and_the_rest_is_kept() {
        let text = "# A\n<!-- generated: one -->\nold\n<!-- end of generated -->\nB";
        let fresh = regenerate(text, one).unwrap();
        assert_eq!(fresh, "# A\n<!-- generated: one -->\n\n| 1 |\n\n<!-- end of generated -->\nB");
        assert_eq!(regenerate(&fresh, one).unwrap(), fresh);
    }

    #[test]
    fn a_mark_nobody_generates_is_refused_with_its_line() {
        let error = regenerate("\n<!-- generated: two -->\n<!-- end of generated -->\n", one).unwrap_err();
        assert_eq!(error, MarkerError::UnknownGenerator { line: 2, name: "two".to_owned() });
    }

    #[test]
    fn a_part_without_an_end_is_refused_rather_than_swallowing_the_document() {
        let error = regenerate("<!-- generated: one -->\nold\n", one).unwrap_err();
        assert_eq!(error, MarkerError::NotClosed { line: 1, name: "one".to_owned() });
    }
}
