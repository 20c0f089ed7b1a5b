//! Converts bodies of requests and responses between bytes and the text of a recording.

use std::borrow::Cow;

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::{Content, PostData};

/// The bytes of a recorded request's body.
pub(super) fn request_bytes(data: &PostData) -> Result<Vec<u8>, String> {
    decode(&data.text, data.encoding.as_deref())
}

/// The bytes of a recorded response's body; `None` if the recorder did not keep it.
pub(super) fn answer_bytes(content: &Content) -> Result<Option<Vec<u8>>, String> {
    content.text.as_deref().map(|text| decode(text, content.encoding.as_deref())).transpose()
}

fn decode(text: &str, encoding: Option<&str>) -> Result<Vec<u8>, String> {
    match encoding {
        None | Some("") => Ok(text.as_bytes().to_vec()),
        Some("base64") => {
            let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            BASE64.decode(&packed).map_err(|error| format!("not base64: {error}"))
        }
        Some(other) => Err(format!("the encoding `{other}` is unknown")),
    }
}

/// Encodes a body for a recording: as text if `is_text` and it is UTF-8, otherwise as base64.
pub(super) fn encode(bytes: &[u8], is_text: bool) -> (String, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text => (text.to_owned(), None),
        _ => (BASE64.encode(bytes), Some("base64".to_owned())),
    }
}

/// The body of a request for comparison. Browsers choose a new random boundary for every multipart form, so it is
/// replaced by a fixed one.
pub(super) fn comparable<'b>(body: &'b [u8], content_type: Option<&str>) -> Cow<'b, [u8]> {
    let Some(boundary) = content_type.and_then(boundary).filter(|boundary| !boundary.is_empty()) else {
        return Cow::Borrowed(body);
    };
    let boundary = boundary.as_bytes();
    let mut whole = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = find(rest, boundary) {
        whole.extend_from_slice(&rest[..at]);
        whole.extend_from_slice(b"boundary");
        rest = &rest[at + boundary.len()..];
    }
    whole.extend_from_slice(rest);
    Cow::Owned(whole)
}

/// The position of the first occurrence of `part`.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let Some(first) = part.first() else { return Some(0) };
    let mut from = 0;
    while let Some(at) = text[from..].iter().position(|byte| byte == first) {
        if text[from + at..].starts_with(part) {
            return Some(from + at);
        }
        from += at + 1;
    }
    None
}

pub(super) fn boundary(content_type: &str) -> Option<&str> {
    let mut parts = content_type.split(';');
    parts.next()?.trim().to_ascii_lowercase().starts_with("multipart/").then_some(())?;
    parts.find_map(|part| {
        let (name, value) = part.trim().split_once('=')?;
        name.trim().eq_ignore_ascii_case("boundary").then(|| value.trim().trim_matches('"'))
    })
}

/// A description of a body for messages: its length and the beginning of its SHA-256.
pub(super) fn digest(body: &[u8]) -> String {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(body)[..6]);
    format!("{} bytes, sha256 {hash}…", body.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_bodies_are_kept_as_base64() {
        let bytes = [0xff, 0x00, 0x41];
        let (text, encoding) = encode(&bytes, true);
        assert_eq!(encoding.as_deref(), Some("base64"));
        let content = Content { text: Some(text), encoding, ..Content::default() };
        assert_eq!(answer_bytes(&content).unwrap().unwrap(), bytes);
        assert_eq!(encode("ä".as_bytes(), true), ("ä".to_owned(), None));
    }

    #[test]
    fn the_boundary_of_a_form_is_ignored() {
        let one = b"--XyZ\r\na\r\n--XyZ--";
        let two = b"--Other\r\na\r\n--Other--";
        let first = comparable(one, Some("multipart/form-data; boundary=XyZ"));
        let second = comparable(two, Some("Multipart/form-data; boundary=\"Other\""));
        assert_eq!(first, second);
        assert_eq!(comparable(one, Some("text/plain")), one.as_slice());
    }

    #[test]
    fn a_digest_shows_length_and_hash() {
        assert_eq!(digest(b"abc"), "3 bytes, sha256 ba7816bf8f01…");
    }
}
