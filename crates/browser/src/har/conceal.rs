//! Masks secrets in a recording.

use std::borrow::Cow;

use actions_protocol::limits;

use super::body::find;
use crate::origin_of;

/// The text that replaces a secret.
const MASK: &str = "[secret]";

/// Secrets in every encoding in which a request may contain them: plain, in a URL, in a form (UTF-8 or Latin-1), in
/// JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Concealed(Vec<String>);

impl Concealed {
    pub(super) fn new(secrets: &[String]) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for secret in secrets.iter().filter(|secret| !secret.trim().is_empty()) {
            let json = serde_json::to_string(secret).unwrap_or_default();
            let json = json.trim_matches('"').to_owned();
            let address = percent(secret.as_bytes(), b"-_.~", false);
            let component = percent(secret.as_bytes(), b"-_.!~*'()", false);
            let form = percent(secret.as_bytes(), b"-_.*", true);
            forms.extend(latin(secret).map(|bytes| percent(&bytes, b"-_.*", true)));
            forms.extend([secret.clone(), json, address, component, form]);
        }
        // A URL that contains another secret stays a URL with that part masked. Only other URLs are masked as a whole.
        let (addresses, forms): (Vec<_>, Vec<_>) =
            forms.into_iter().partition(|form| origin_of(form).is_some());
        let mut parts = Self::sorted(forms);
        let unknown = addresses.into_iter().filter(|address| parts.in_text(address) == *address);
        let unknown: Vec<String> = unknown.collect();
        parts.0.extend(unknown);
        Self::sorted(parts.0)
    }

    /// Sorts longer forms first, because they may contain shorter ones.
    fn sorted(mut forms: Vec<String>) -> Self {
        forms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        forms.dedup();
        Self(forms)
    }

    pub(super) fn in_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, form| match text.contains(form.as_str()) {
            false => text,
            true if form.chars().count() < limits::SHORT_SECRET => in_words(&text, form),
            true => text.replace(form.as_str(), MASK),
        })
    }

    /// Masks secrets in bytes. Binary data may contain text: a page in Latin-1, a form with an image.
    pub(super) fn in_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return match self.0.iter().any(|form| text.contains(form.as_str())) {
                true => Cow::Owned(self.in_text(text).into_bytes()),
                false => Cow::Borrowed(bytes),
            };
        }
        self.0.iter().fold(Cow::Borrowed(bytes), |bytes, form| {
            let is_short = form.chars().count() < limits::SHORT_SECRET;
            let bytes = replaced(bytes, form.as_bytes(), is_short);
            match latin(form) {
                Some(form) => replaced(bytes, &form, is_short),
                None => bytes,
            }
        })
    }
}

/// Replaces a form by the mask; a short one only where it is a whole word in a line of text.
fn replaced<'b>(bytes: Cow<'b, [u8]>, form: &[u8], is_short: bool) -> Cow<'b, [u8]> {
    let mut concealed = Vec::new();
    let (mut end, mut from) = (0, 0);
    while let Some(at) = find(&bytes[from..], form).map(|at| from + at) {
        from = at + form.len();
        if !is_short || is_word_in_text(&bytes, at, from) {
            concealed.extend_from_slice(&bytes[end..at]);
            concealed.extend_from_slice(MASK.as_bytes());
            end = from;
        }
    }
    if end == 0 {
        return bytes;
    }
    concealed.extend_from_slice(&bytes[end..]);
    Cow::Owned(concealed)
}

/// Whether a range is a whole word in a line of text. Short byte sequences occur by chance in images, which must not be
/// altered.
fn is_word_in_text(bytes: &[u8], at: usize, end: usize) -> bool {
    let is_part =
        |beside: Option<&u8>| beside.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte > 0x7f);
    let is_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r');
    let (before, after) = (&bytes[..at], &bytes[end..]);
    !is_part(before.last())
        && !is_part(after.first())
        && before.iter().rev().take_while(|byte| **byte != b'\n').all(is_text)
        && after.iter().take_while(|byte| **byte != b'\n').all(is_text)
}

/// The text in Latin-1, if that differs from UTF-8.
fn latin(text: &str) -> Option<Vec<u8>> {
    let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
    bytes.ok().filter(|_| !text.is_ascii())
}

/// Masks a short form where it is a whole word.
fn in_words(text: &str, form: &str) -> String {
    let mut concealed = String::with_capacity(text.len());
    let mut end = 0;
    for (at, found) in text.match_indices(form) {
        let after = &text[at + found.len()..];
        let is_part = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
        if !is_part(text[..at].chars().next_back()) && !is_part(after.chars().next()) {
            concealed.push_str(&text[end..at]);
            concealed.push_str(MASK);
            end = at + found.len();
        }
    }
    concealed.push_str(&text[end..]);
    concealed
}

/// Whether a text matches a recorded text, in which each mask matches anything.
pub(super) fn is_met(recorded: &[u8], text: &[u8]) -> bool {
    let mask = MASK.as_bytes();
    let Some(at) = find(recorded, mask) else { return recorded == text };
    let Some(mut rest) = text.strip_prefix(&recorded[..at]) else { return false };
    let mut recorded = &recorded[at + mask.len()..];
    while let Some(at) = find(recorded, mask) {
        let Some(found) = find(rest, &recorded[..at]) else { return false };
        rest = &rest[found + at..];
        recorded = &recorded[at + mask.len()..];
    }
    rest.ends_with(recorded)
}

/// Percent-encodes everything but letters, digits and `plain`.
fn percent(text: &[u8], plain: &[u8], plus_for_space: bool) -> String {
    let mut encoded = String::new();
    for &byte in text {
        match byte {
            b' ' if plus_for_space => encoded.push('+'),
            byte if byte.is_ascii_alphanumeric() || plain.contains(&byte) => encoded.push(char::from(byte)),
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_every_encoding() {
        let concealed = Concealed::new(&["pä ss\"word".to_owned()]);
        for text in
            ["pä ss\"word", "p%C3%A4%20ss%22word", "p%C3%A4+ss%22word", "p%E4+ss%22word", "pä ss\\\"word"]
        {
            assert_eq!(concealed.in_text(&format!("a={text}&b=abc")), "a=[secret]&b=abc");
        }
    }

    #[test]
    fn a_secret_is_masked_in_binary_data() {
        let concealed = Concealed::new(&["pässword".to_owned(), "42".to_owned()]);
        let found = |bytes: &[u8]| concealed.in_bytes(bytes).into_owned();
        assert_eq!(found(b"\xff p\xc3\xa4ssword \xff p%C3%A4ssword"), b"\xff [secret] \xff [secret]");
        assert_eq!(found(b"<p>p\xe4ssword\xe4</p>"), b"<p>[secret]\xe4</p>");
        assert_eq!(found(b"pin\r\n42\r\n\xff"), b"pin\r\n[secret]\r\n\xff");
        for picture in [b"\xff\x01 42 ".as_slice(), b"\xff 42\x02", b"\xff 142", b"\xff42"] {
            assert_eq!(found(picture), picture);
        }
    }

    #[test]
    fn a_short_secret_is_masked_only_as_a_whole_word() {
        let concealed = Concealed::new(&["42".to_owned(), " ".to_owned()]);
        assert_eq!(concealed.in_text("/pin/42?pin=42&room=142"), "/pin/[secret]?pin=[secret]&room=142");
        assert_eq!(concealed.in_text("42 421 4242 42"), "[secret] 421 4242 [secret]");
    }

    #[test]
    fn a_url_with_a_known_secret_keeps_its_other_parts() {
        let address = "https://a.example/?word=SESAME".to_owned();
        let known = Concealed::new(&[address.clone(), "SESAME".to_owned()]);
        assert_eq!(known.in_text(&address), "https://a.example/?word=[secret]");
        assert_eq!(Concealed::new(std::slice::from_ref(&address)).in_text(&address), "[secret]");
    }

    #[test]
    fn a_mask_in_a_recorded_text_matches_any_text() {
        let met = |recorded: &str, text: &str| is_met(recorded.as_bytes(), text.as_bytes());
        assert!(met("/a?b=[secret]&c=[secret]", "/a?b=x&c=y") && met("[secret]", "x") && met("/a", "/a"));
        assert!(!met("/a?b=[secret]&c=1", "/a?b=x&c=2") && !met("/a", "/b") && !met("[secret]aba", "ab"));
    }
}
