//! A recording with an index of its requests.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::body::{digest, request_bytes};
use super::request::AskedFor;
use super::{Answer, Har, HarError, Header, Tolerance};

/// An immutable recording with an index of its requests. A [`Replay`](super::Replay) is one pass through it.
#[derive(Debug)]
pub struct Archive {
    answers: HashMap<AskedFor, Vec<Arc<Answer>>>,
    /// The distinct requests, in the order of the recording.
    order: Vec<AskedFor>,
}

impl Archive {
    /// Reads a recording from a file.
    pub fn read(file: &Path) -> Result<Self, HarError> {
        Self::of(&Har::read(file)?, &file.display().to_string())
    }

    /// Indexes a recording. Errors refer to it as `file`.
    pub fn of(har: &Har, file: &str) -> Result<Self, HarError> {
        let mut archive = Self { answers: HashMap::new(), order: Vec::new() };
        for (number, entry) in har.log.entries.iter().enumerate() {
            let bad = |member: &str, reason: String| HarError::BadEntry {
                file: file.to_owned(),
                at: format!("log.entries[{number}].{member}"),
                reason,
            };
            let request = &entry.request;
            let content_type = request.post_data.as_ref().map(|data| data.mime_type.as_str());
            let content_type = header(&request.headers, "content-type").or(content_type);
            let body = request.post_data.as_ref().map(request_bytes).transpose();
            let body = body.map_err(|reason| bad("request.postData.text", reason))?.unwrap_or_default();
            let asked = AskedFor::new(&request.method, &request.url, &body, content_type);
            let answer = Answer::of(&entry.response, &asked.method)
                .map_err(|reason| bad("response.content.text", reason))?;
            let known = archive.answers.entry(asked.clone()).or_default();
            if known.is_empty() {
                archive.order.push(asked);
            }
            known.push(Arc::new(answer));
        }
        for answers in archive.answers.values_mut() {
            // If a request failed and later succeeded, keep only its successes.
            if answers.iter().any(|answer| answer.is_whole()) {
                answers.retain(|answer| answer.is_whole());
            }
        }
        Ok(archive)
    }

    /// The same recording, in which requests are the same that differ only in what is left out of the comparison.
    pub(super) fn tolerating(&self, tolerance: &Tolerance) -> Self {
        let mut merged = Self { answers: HashMap::new(), order: Vec::new() };
        for known in &self.order {
            let answers = self.answers.get(known).into_iter().flatten().cloned();
            let asked = tolerance.applied(known.clone());
            let entry = merged.answers.entry(asked.clone()).or_default();
            if entry.is_empty() {
                merged.order.push(asked);
            }
            entry.extend(answers);
        }
        merged
    }

    /// The number of distinct requests.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether it has no requests.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The responses to a request, in the order of the recording.
    pub(super) fn answers(&self, asked: &AskedFor) -> Option<&[Arc<Answer>]> {
        // The recording masks values that were derived from secrets; the replay does not know them, so match the masks.
        let concealed = || self.order.iter().find(|known| known.is_met_by(asked));
        let answers = self.answers.get(asked).or_else(|| self.answers.get(concealed()?));
        answers.map(Vec::as_slice)
    }

    /// The most similar recorded request, and how it differs.
    pub(super) fn nearest(&self, asked: &AskedFor) -> Option<String> {
        let mut best: Option<(usize, &AskedFor, &str)> = None;
        for known in &self.order {
            let (score, differs) = likeness(asked, known);
            if score > best.map_or(0, |(score, ..)| score) {
                best = Some((score, known, differs));
            }
        }
        let (_, known, differs) = best?;
        let body = if known.body.is_empty() { String::new() } else { format!(" ({})", digest(&known.body)) };
        Some(format!("{} {}{body}, which differs in {differs}", known.method, known.url))
    }
}

/// The similarity of a recorded request to another, 0 for none, and how it differs.
fn likeness(asked: &AskedFor, known: &AskedFor) -> (usize, &'static str) {
    const SAME: usize = 1 << 20;
    let same_method = usize::from(asked.method == known.method);
    if asked.url == known.url {
        return match (same_method, asked.body == known.body) {
            (1, false) => (4 * SAME, "the body"),
            (0, true) => (3 * SAME + 1, "the method"),
            _ => (3 * SAME, "the method and the body"),
        };
    }
    let common = asked.url.bytes().zip(known.url.bytes()).take_while(|(one, other)| one == other).count();
    if asked.path() == known.path() {
        return (2 * SAME + 2 * common + same_method, "the query");
    }
    // Another path of the same server. Requests to different servers are not similar.
    let server = asked.url.match_indices('/').nth(2).map_or(asked.url.len(), |(at, _)| at + 1);
    (if common >= server { 2 * common + same_method } else { 0 }, "the path")
}

pub(super) fn header<'h>(headers: &'h [Header], name: &str) -> Option<&'h str> {
    headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value.as_str())
}
