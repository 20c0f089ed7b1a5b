//! Finds the credentials in recorded traffic: what was recorded must not sign anybody in.
//!
//! A password is what a field of that name sends. A token is what a cookie, a header or a field with such a name carries,
//! wherever else it stands: a page gets it in one response and sends it with the next request.

use std::borrow::Cow;
use std::ops::Range;

use super::fields::{self, decoded};
use super::recorder::{Exchange, RecordedBody};
use super::{Header, archive};

/// Request headers that are credentials as a whole.
const AUTHORIZATION: &[&str] = &["cookie", "authorization", "proxy-authorization"];

/// Parts of the names of fields that hold a password.
const PASSWORDS: &[&str] = &["passw", "passphrase", "passcode", "pwd"];

/// Whole names of such fields.
const SHORT_PASSWORDS: &[&str] = &["pass", "pin", "otp", "cvc", "cvv"];

/// Parts of the names of cookies, headers and fields that hold a token.
const TOKENS: &[&str] =
    &["token", "csrf", "xsrf", "secret", "apikey", "session", "jwt", "credential", "auth", "authoriz"];

/// How many tokens are taken from response bodies by the names of their fields. A page could invent any number.
const MAX_BODY_TOKENS: usize = 256;

/// A value with fewer characters cannot be distinguished from other text.
const MIN_TOKEN: usize = 6;

/// The credentials of a recording.
#[derive(Debug, Default)]
pub(super) struct Credentials {
    pub(super) passwords: Vec<String>,
    /// In the order in which they were found.
    pub(super) tokens: Vec<String>,
}

impl Credentials {
    /// Finds the credentials of the exchanges and of the headers that only the browser's network stack knows.
    pub(super) fn of<'e>(exchanges: impl Iterator<Item = &'e Exchange>, sent: &[Header]) -> Self {
        let mut found = Self::default();
        let mut in_bodies = 0;
        for exchange in exchanges {
            let type_of =
                |headers: &[Header]| archive::header(headers, "content-type").unwrap_or_default().to_owned();
            found.add_headers(&exchange.request_headers);
            let request = exchange.request_body.as_deref().unwrap_or_default();
            let sent = fields::in_body(request, &type_of(&exchange.request_headers));
            for field in sent.into_iter().chain(fields::in_address(&exchange.url)) {
                match names_password(&field.name) {
                    true if !is_plain(&field.value) => found.passwords.push(field.value),
                    true => {}
                    false => found.add_named(&field.name, &field.value),
                }
            }
            found.add_headers(&exchange.headers);
            for field in
                archive::header(&exchange.headers, "location").map(fields::in_address).unwrap_or_default()
            {
                found.add_named(&field.name, &field.value);
            }
            let RecordedBody::Known(body) = &exchange.body else { continue };
            for field in fields::in_body(body, &type_of(&exchange.headers)) {
                if in_bodies < MAX_BODY_TOKENS && names_token(&field.name) && !is_plain(&field.value) {
                    in_bodies += 1;
                    found.add(&field.value);
                }
            }
        }
        found.add_headers(sent);
        found
    }

    fn add_headers(&mut self, headers: &[Header]) {
        for Header { name, value } in headers {
            match name.to_ascii_lowercase().as_str() {
                "set-cookie" => value.split('\n').filter_map(Cookie::set).for_each(|cookie| {
                    if cookie.is_secret() {
                        self.add(cookie.value);
                    }
                }),
                "cookie" => {
                    for (name, value) in value.split(';').filter_map(|pair| pair.trim().split_once('=')) {
                        self.add_named(name, value);
                        if !is_plain(value) {
                            self.add(value);
                        }
                    }
                }
                "authorization" | "proxy-authorization" => {
                    let token = value.split_once(' ').map_or(value.as_str(), |(_, token)| token);
                    if !is_plain(token) {
                        self.add(token);
                    }
                }
                name => self.add_named(name, value),
            }
        }
    }

    fn add_named(&mut self, name: &str, value: &str) {
        if names_token(name) && !is_plain(value) {
            self.add(value);
        }
    }

    fn add(&mut self, value: &str) {
        let value = value.trim().trim_matches('"');
        if !value.is_empty() && !self.tokens.iter().any(|known| known == value) {
            self.tokens.push(value.to_owned());
        }
    }
}

/// The cookie of a `Set-Cookie` header.
pub(super) struct Cookie<'h> {
    name: &'h str,
    pub(super) value: &'h str,
    /// Where the value stands in the header.
    pub(super) at: Range<usize>,
    http_only: bool,
}

impl<'h> Cookie<'h> {
    pub(super) fn set(header: &'h str) -> Option<Self> {
        let pair = header.split(';').next().unwrap_or_default();
        let sign = pair.find('=')?;
        let (name, value) = (pair[..sign].trim(), pair[sign + 1..].trim().trim_matches('"'));
        let at = sign + 1 + pair[sign + 1..].find(value)?;
        let mut attributes = header[pair.len()..].split(';');
        let http_only = attributes.any(|attribute| attribute.trim().eq_ignore_ascii_case("httponly"));
        Some(Self { name, value, at: at..at + value.len(), http_only })
    }

    /// Whether its value may open a session. A word such as `dark`, which scripts of the page read, stays.
    pub(super) fn is_secret(&self) -> bool {
        !self.value.is_empty() && (self.http_only || names_token(self.name) || !is_plain(self.value))
    }
}

/// Whether a request header is a credential as a whole.
pub(super) fn is_authorization(name: &str) -> bool {
    AUTHORIZATION.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Masks the passwords of a request body in place, whatever they are.
pub(super) fn without_passwords<'b>(body: &'b [u8], content_type: &str, mask: &str) -> Cow<'b, [u8]> {
    masked(body, fields::in_body(body, content_type), mask)
}

/// Masks the passwords in the query of an address in place.
pub(super) fn address_without_passwords(address: &str, mask: &str) -> String {
    let masked = masked(address.as_bytes(), fields::in_address(address), mask);
    String::from_utf8_lossy(&masked).into_owned()
}

fn masked<'b>(bytes: &'b [u8], fields: Vec<fields::Field>, mask: &str) -> Cow<'b, [u8]> {
    let mut fields =
        fields.into_iter().filter(|field| names_password(&field.name) && !field.at.is_empty()).peekable();
    if fields.peek().is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut whole = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for field in fields {
        whole.extend_from_slice(&bytes[from..field.at.start]);
        whole.extend_from_slice(mask.as_bytes());
        from = field.at.end;
    }
    whole.extend_from_slice(&bytes[from..]);
    Cow::Owned(whole)
}

fn names_password(name: &str) -> bool {
    let name = plain_name(name);
    SHORT_PASSWORDS.contains(&name.as_str()) || PASSWORDS.iter().any(|part| name.contains(part))
}

fn names_token(name: &str) -> bool {
    let name = plain_name(name);
    // An author is a person.
    let rest = name.replace("author", "");
    name.ends_with("sid")
        || TOKENS.iter().any(|part| if *part == "auth" { &rest } else { &name }.contains(part))
}

/// A name without case and without what joins its words.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a value is a word, a locale or a small number: it opens nothing, and it would be found everywhere.
pub(super) fn is_plain(value: &str) -> bool {
    let is_word =
        |value: &str| value.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '_' | '/' | '.'));
    let length = value.chars().count();
    length < MIN_TOKEN || length < 20 && is_word(&decoded(value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_that_may_open_a_session_is_secret() {
        let is_secret = |header: &str| Cookie::set(header).is_some_and(|cookie| cookie.is_secret());
        for header in [
            "sessionid=1; Path=/",
            "a=b; HttpOnly",
            "a=\"k3jf8sdf\"; Path=/",
            "csrftoken=abc",
            "id=0123456789ab",
        ] {
            assert!(is_secret(header), "{header}");
        }
        for header in [
            "theme=dark; Path=/",
            "lang=en-GB",
            "sidebar=open",
            "author=Ada",
            "tz=Europe%2FBerlin",
            "seen=1",
            "session=; Max-Age=0",
        ] {
            assert!(!is_secret(header), "{header}");
        }
        let quoted = "a = \"value\"; Path=/";
        assert_eq!(&quoted[Cookie::set(quoted).expect("a cookie").at], "value");
    }

    #[test]
    fn passwords_are_masked_in_place() {
        let form = "application/x-www-form-urlencoded";
        let masked = without_passwords(b"user=ada&newPassword=dog&pin=1&x=2", form, "[secret]");
        assert_eq!(String::from_utf8_lossy(&masked), "user=ada&newPassword=[secret]&pin=[secret]&x=2");
        assert_eq!(address_without_passwords("/login?pwd=dog#a", "*"), "/login?pwd=*#a");
        assert_eq!(address_without_passwords("/pwd=dog", "*"), "/pwd=dog");
    }
}
