//! A document with generated parts.

use std::io;

/// A document as it should be.
pub(super) struct Document {
    pub(super) name: String,
    pub(super) text: String,
}

const BEGIN: &str = "<!-- generated: ";
const BEGIN_CLOSE: &str = " -->";
const END: &str = "<!-- end of generated -->";

/// Why a document cannot be regenerated.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub(super) struct MarkerError {
    line: usize,
    error: PartError,
}

/// Why one generated part cannot be made.
#[derive(Debug, thiserror::Error)]
pub(super) enum PartError {
    #[error("nothing generates `{0}`")]
    UnknownGenerator(String),
    #[error("the generated part `{0}` is not closed by `{END}`")]
    NotClosed(String),
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    #[error("`{command}` could not be started: {source}")]
    NotStarted { command: String, source: io::Error },
    #[error("there is no command in the block; write `$ actions …` between the fences")]
    NoCommand,
}

/// Replaces the text between every pair of marks and leaves everything else as it is.
///
/// `generate` gets the name and the present text of a part, and returns the new text.
pub(super) fn regenerate(
    text: &str,
    mut generate: impl FnMut(&str, &str) -> Result<String, PartError>,
) -> Result<String, MarkerError> {
    let mut fresh = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((index, line)) = lines.next() {
        fresh += line;
        let Some(name) = line.trim_end().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(BEGIN_CLOSE))
        else {
            continue;
        };
        let failed = |error| MarkerError { line: index + 1, error };
        let mut old = String::new();
        let end = loop {
            match lines.next() {
                Some((_, line)) if line.trim_end() == END => break line,
                Some((_, line)) => old += line,
                None => return Err(failed(PartError::NotClosed(name.to_owned()))),
            }
        };
        let part = generate(name, &old).map_err(failed)?;
        // Markdown ends an HTML comment at a blank line; a table directly below it would not be a table.
        fresh += &format!("\n{}\n\n{end}", part.trim());
    }
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str, old: &str) -> Result<String, PartError> {
        match name {
            "one" => Ok("| 1 |\n".to_owned()),
            "same" => Ok(old.to_owned()),
            _ => Err(PartError::UnknownGenerator(name.to_owned())),
        }
    }

    #[test]
    fn a_generated_part_is_replaced_and_the_rest_is_kept() {
        let text = "# A\n<!-- generated: one -->\nold\n<!-- end of generated -->\nB";
        let fresh = regenerate(text, one).unwrap();
        assert_eq!(fresh, "# A\n<!-- generated: one -->\n\n| 1 |\n\n<!-- end of generated -->\nB");
        assert_eq!(regenerate(&fresh, one).unwrap(), fresh);
    }

    #[test]
    fn a_generator_may_keep_the_present_text() {
        let text = "<!-- generated: same -->\n\nold\n\n<!-- end of generated -->\n";
        assert_eq!(regenerate(text, one).unwrap(), text);
    }

    #[test]
    fn an_indented_mark_is_an_example_and_stays() {
        let text = "    <!-- generated: two -->\n    <!-- end of generated -->\n";
        assert_eq!(regenerate(text, one).unwrap(), text);
    }

    #[test]
    fn an_unknown_generator_is_reported_with_its_line() {
        let error = regenerate("\n<!-- generated: two -->\n<!-- end of generated -->\n", one).unwrap_err();
        assert_eq!(error.to_string(), "line 2: nothing generates `two`");
    }

    #[test]
    fn a_part_without_an_end_is_an_error() {
        let error = regenerate("<!-- generated: one -->\nold\n", one).unwrap_err();
        assert!(error.to_string().starts_with("line 1: the generated part `one` is not closed"), "{error}");
    }
}
