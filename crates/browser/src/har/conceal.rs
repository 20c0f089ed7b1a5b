//! Secrets that must not stand in a recording.

use std::borrow::Cow;

/// What stands where a secret stood.
const MASK: &str = "[secret]";

/// A secret shorter than this would be found everywhere.
const SHORT: usize = 4;

/// Secrets in every form in which a request may carry them: as they are, in an address, in a form, in JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Concealed(Vec<String>);

impl Concealed {
    pub(super) fn new(secrets: &[String]) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for secret in secrets.iter().filter(|secret| secret.len() >= SHORT) {
            let json = serde_json::to_string(secret).unwrap_or_default();
            let json = json.trim_matches('"').to_owned();
            let address = percent(secret, b"-_.~", false);
            let component = percent(secret, b"-_.!~*'()", false);
            let form = percent(secret, b"-_.*", true);
            forms.extend([secret.clone(), json, address, component, form]);
        }
        // The longer first: a shorter one may be a part of it.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self(forms)
    }

    pub(super) fn in_text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), MASK))
    }

    /// Bytes that are no text are left alone: no secret of ours is in them as such.
    pub(super) fn in_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match std::str::from_utf8(bytes) {
            Ok(text) if self.0.iter().any(|form| text.contains(form.as_str())) => {
                Cow::Owned(self.in_text(text).into_bytes())
            }
            _ => Cow::Borrowed(bytes),
        }
    }
}

/// Percent-encodes everything but letters, digits and `plain`.
fn percent(text: &str, plain: &[u8], plus_for_space: bool) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
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
    fn a_secret_is_found_in_every_form_a_request_may_give_it() {
        let concealed = Concealed::new(&["pä ss\"word".to_owned(), "abc".to_owned()]);
        for text in ["pä ss\"word", "p%C3%A4%20ss%22word", "p%C3%A4+ss%22word", "pä ss\\\"word"] {
            assert_eq!(concealed.in_text(&format!("a={text}&b=abc")), "a=[secret]&b=abc");
        }
        assert_eq!(concealed.in_bytes(&[0xff]), [0xff].as_slice());
    }
}
