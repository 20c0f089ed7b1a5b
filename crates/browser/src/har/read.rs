//! Reads a recording from a file or from memory.

use std::path::Path;

use super::Har;

/// Why a recording cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HarError {
    /// The file cannot be read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// The text is not JSON, or not a recording.
    #[error("{file}:{line}:{column}: {}{reason}", place(.at))]
    Malformed {
        /// The file.
        file: String,
        /// The line, starting at 1.
        line: usize,
        /// The column, starting at 1.
        column: usize,
        /// The path to the member, such as `log.entries[3].response.status`.
        at: String,
        /// What is wrong there.
        reason: String,
    },
    /// An entry cannot be replayed.
    #[error("{file}: {at}: {reason}")]
    BadEntry {
        /// The file.
        file: String,
        /// The path to the member.
        at: String,
        /// What is wrong there.
        reason: String,
    },
}

impl HarError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            HarError::Unreadable { .. } => "give the path of a HAR file; `actions record` creates one",
            HarError::Malformed { .. } => {
                "a recording is HAR 1.2: {\"log\": {\"entries\": [{\"request\": …, \"response\": …}]}}; `actions record` creates one"
            }
            HarError::BadEntry { .. } => "record it again, or remove the entry",
        }
    }
}

fn place(at: &str) -> String {
    if matches!(at, "" | "." | "?") { String::new() } else { format!("{at}: ") }
}

impl Har {
    /// Reads a recording from a file.
    pub fn read(file: &Path) -> Result<Self, HarError> {
        let name = file.display().to_string();
        let bytes = std::fs::read(file)
            .map_err(|error| HarError::Unreadable { file: name.clone(), reason: error.to_string() })?;
        Self::parse(&name, &bytes)
    }

    /// Reads a recording from memory. Errors refer to it as `file`.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, HarError> {
        // Some recorders write a byte order mark.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut text = serde_json::Deserializer::from_slice(bytes);
        let malformed = |at: String, error: serde_json::Error| {
            let (line, column) = (error.line(), error.column());
            // The error has separate fields for the position, so remove it from the message.
            let reason = error.to_string();
            let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
            HarError::Malformed { file: file.to_owned(), line, column, at, reason: reason.to_owned() }
        };
        let har = serde_path_to_error::deserialize(&mut text).map_err(|error| {
            let at = error.path().to_string();
            malformed(at, error.into_inner())
        })?;
        text.end().map_err(|error| malformed(String::new(), error))?;
        Ok(har)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        Har::parse("a.har", text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn errors_in_a_recording_name_their_position() {
        assert_eq!(refused("{"), "a.har:1:1: EOF while parsing an object");
        assert_eq!(refused("{}"), "a.har:1:2: missing field `log`");
        assert_eq!(refused(r#"{"log": {}}"#), "a.har:1:10: log: missing field `entries`");
        let entry = r#"{"log": {"entries": [
          {"request": {"method": "GET", "url": "http://a/"}, "response": {"status": 200}},
          {"request": {"method": "GET", "url": "http://a/"}, "response": {"status": "OK"}}]}}"#;
        assert_eq!(
            refused(entry),
            "a.har:3:88: log.entries[1].response.status: invalid type: string \"OK\", expected i64"
        );
        assert_eq!(refused(r#"{"log": {"entries": []}} x"#), "a.har:1:26: trailing characters");
    }

    #[test]
    fn missing_and_additional_fields_are_accepted() {
        let text = "\u{feff}{\"log\": {\"pages\": [{}], \"entries\": [
          {\"_initiator\": {}, \"request\": {\"method\": \"GET\", \"url\": \"http://a/\"}, \"response\": {\"status\": 200}}]}}";
        let har = Har::parse("a.har", text.as_bytes()).unwrap();
        assert_eq!(har.log.entries[0].response.body_size, -1);
    }
}
