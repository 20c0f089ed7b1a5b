//! A recording from text.

use std::path::Path;

use super::Har;

/// Why a file is no recording.
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
    /// The text is not JSON, or not in the form of a recording.
    #[error("{file}:{line}:{column}: {}{reason}", place(.at))]
    Malformed {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The path to the member, such as `log.entries[3].response.status`.
        at: String,
        /// What is wrong there.
        reason: String,
    },
    /// An entry cannot be served.
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
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            HarError::Unreadable { .. } => "give the path of a HAR file; `actions record` makes one",
            HarError::Malformed { .. } => {
                "a recording is HAR 1.2: {\"log\": {\"entries\": [{\"request\": …, \"response\": …}]}}; `actions record` makes one"
            }
            HarError::BadEntry { .. } => "record it again, or take the entry out",
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

    /// Reads a recording from memory; `file` is what errors call it.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Self, HarError> {
        // Some recorders begin with a byte order mark.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut text = serde_json::Deserializer::from_slice(bytes);
        let malformed = |at: String, error: serde_json::Error| {
            let (line, column) = (error.line(), error.column());
            // The position is told apart from the sentence.
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
    fn what_is_wrong_with_a_recording_is_told_with_its_place() {
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
    fn what_recorders_leave_out_or_add_is_no_reason_to_refuse() {
        let text = "\u{feff}{\"log\": {\"pages\": [{}], \"entries\": [
          {\"_initiator\": {}, \"request\": {\"method\": \"GET\", \"url\": \"http://a/\"}, \"response\": {\"status\": 200}}]}}";
        let har = Har::parse("a.har", text.as_bytes()).unwrap();
        assert_eq!(har.log.entries[0].response.body_size, -1);
    }
}
