//! Masks secrets in a recording.

use std::borrow::Cow;

use actions_trace::{Finder, Sought, sought};
use data_encoding::BASE64URL_NOPAD;

use super::body::find;
use super::credentials::{Cookie, Credentials, is_plain};
use super::fields::decoded;
use crate::origin_of;

/// The text that replaces a secret of the call, or a password.
pub(super) const MASK: &str = "[secret]";

/// The beginning of the text that replaces a token. Its number follows, so that each token keeps a text of its own, which
/// a page can send back. No encoding changes it.
const PLACEHOLDER: &str = "actions-secret-";

/// The digits of the number in a placeholder.
const DIGITS: usize = 4;

/// A token shorter than this is masked only where it is a whole word, because it may be a part of other text.
const SHORT_TOKEN: usize = 12;

/// Masks secrets in every form, and tokens in every encoding.
#[derive(Debug, Default)]
pub(super) struct Concealed {
    finder: Finder,
    /// The tokens with what replaces them; a cookie may hold one that is too plain to be replaced elsewhere.
    tokens: Vec<(String, String)>,
}

impl Concealed {
    pub(super) fn new(secrets: &[String]) -> Self {
        Self { finder: Finder::of(sought_secrets(secrets)), tokens: Vec::new() }
    }

    /// Also masks the credentials of the recorded traffic.
    pub(super) fn with(secrets: &[String], credentials: Credentials) -> Self {
        let secrets: Vec<String> = secrets.iter().cloned().chain(credentials.passwords).collect();
        let mut all = sought_secrets(&secrets);
        let mut tokens = Vec::new();
        for (number, token) in credentials.tokens.into_iter().enumerate() {
            let by = replacement(&token, number + 1);
            let unquoted = decoded(token.as_bytes());
            for text in [&token, &unquoted].into_iter().filter(|text| !is_plain(text)) {
                let whole = text.chars().count() < SHORT_TOKEN;
                // What a page sends back must be the same as what it got, so only encodings are followed.
                all.push(Sought { text: text.clone(), by: by.clone(), whole, changed: false });
            }
            tokens.push((token, by));
        }
        Self { finder: Finder::of(all), tokens }
    }

    pub(super) fn in_text(&self, text: &str) -> String {
        self.finder.in_text(text).into_owned()
    }

    /// Masks secrets in bytes. Binary data may contain text: a page in Latin-1, a form with an image.
    pub(super) fn in_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        self.finder.in_bytes(bytes)
    }

    /// Masks the value of a `Set-Cookie` header; its name and attributes stay.
    pub(super) fn in_cookie(&self, header: &str) -> String {
        let Some(cookie) = Cookie::set(header).filter(Cookie::is_secret) else { return self.in_text(header) };
        let known = self.tokens.iter().find(|(token, _)| token == cookie.value);
        let by = known.map_or(MASK, |(_, by)| by.as_str());
        format!("{}{by}{}", &header[..cookie.at.start], self.in_text(&header[cookie.at.end..]))
    }
}

/// The secrets to look for. A URL that contains another secret stays a URL with that part masked. Only other URLs are
/// masked as a whole.
fn sought_secrets(secrets: &[String]) -> Vec<Sought> {
    let (addresses, others): (Vec<_>, Vec<_>) =
        secrets.iter().cloned().partition(|secret| origin_of(secret).is_some());
    let others: Vec<Sought> = others.into_iter().map(sought).collect();
    let finder = Finder::of(others.iter().cloned());
    let unknown = addresses.into_iter().filter(|address| finder.in_text(address) == *address);
    let unknown: Vec<Sought> = unknown.map(sought).collect();
    others.into_iter().chain(unknown).collect()
}

/// What replaces a token. Scripts of the page may read the claims of a JSON Web Token, and they open nothing without its
/// signature, so only that is replaced.
fn replacement(token: &str, number: usize) -> String {
    let placeholder = format!("{PLACEHOLDER}{number:0DIGITS$}");
    let parts: Vec<&str> = token.split('.').collect();
    let is_header = |part: &str| {
        let bytes = BASE64URL_NOPAD.decode(part.as_bytes()).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&bytes).is_ok_and(|header| header.get("alg").is_some())
    };
    match parts[..] {
        [header, claims, signature] if !signature.is_empty() && is_header(header) => {
            format!("{header}.{claims}.{placeholder}")
        }
        _ => placeholder,
    }
}

/// Whether a text matches a recorded text, in which each mask matches anything, and each placeholder anything but another
/// placeholder: that is another token of the recording.
pub(super) fn is_met(recorded: &[u8], text: &[u8]) -> bool {
    let Some(mut mask) = next_mask(recorded) else { return recorded == text };
    let Some(mut rest) = text.strip_prefix(&recorded[..mask.at]) else { return false };
    let mut recorded = &recorded[mask.at + mask.text.len()..];
    while let Some(next) = next_mask(recorded) {
        let Some(found) = find(rest, &recorded[..next.at]).filter(|end| mask.matches(&rest[..*end])) else {
            return false;
        };
        rest = &rest[found + next.at..];
        recorded = &recorded[next.at + next.text.len()..];
        mask = next;
    }
    rest.strip_suffix(recorded).is_some_and(|hidden| mask.matches(hidden))
}

/// A mask or a placeholder in a recorded text.
struct Mask<'t> {
    at: usize,
    text: &'t [u8],
}

impl Mask<'_> {
    fn matches(&self, hidden: &[u8]) -> bool {
        self.text == MASK.as_bytes() || self.text == hidden || find(hidden, PLACEHOLDER.as_bytes()).is_none()
    }
}

fn next_mask(text: &[u8]) -> Option<Mask<'_>> {
    let found = |mark: &str, digits: usize| {
        let at = find(text, mark.as_bytes())?;
        Some(Mask { at, text: text.get(at..at + mark.len() + digits)? })
    };
    found(MASK, 0).into_iter().chain(found(PLACEHOLDER, DIGITS)).min_by_key(|mask| mask.at)
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
        let token = "/a?t=actions-secret-0001&c=[secret]";
        assert!(
            met(token, "/a?t=anything&c=x")
                && met(token, "/a?t=actions-secret-0001&c=x")
                && !met(token, "/a?t=actions-secret-0002&c=x")
        );
    }

    #[test]
    fn a_token_keeps_one_placeholder_wherever_it_stands() {
        let tokens = vec!["s:k3jf8sd/f9".to_owned(), "dark".to_owned()];
        let concealed = Concealed::with(&[], Credentials { passwords: Vec::new(), tokens });
        assert_eq!(
            concealed.in_text(r#"{"t":"s:k3jf8sd/f9"} /?t=s%3Ak3jf8sd%2Ff9 dark"#),
            r#"{"t":"actions-secret-0001"} /?t=actions-secret-0001 dark"#
        );
        assert_eq!(concealed.in_cookie("sid=dark; HttpOnly"), "sid=actions-secret-0002; HttpOnly");
        assert_eq!(concealed.in_cookie("theme=dark"), "theme=dark");
    }

    #[test]
    fn a_json_web_token_keeps_its_claims_and_loses_its_signature() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
        assert_eq!(replacement(token, 7), "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.actions-secret-0007");
        assert_eq!(replacement("a.b.c", 7), "actions-secret-0007");
    }
}
