//! The forms in which a page or an address may repeat a secret.

use std::fmt::Write;

/// A text and what it becomes in an address, in a form, in markup, in JSON, and with its white space collapsed.
pub(super) fn guises(text: &str) -> Vec<String> {
    let trimmed = text.trim();
    let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut guises = vec![text.to_owned(), trimmed.to_owned(), collapsed];
    for plain in [text, trimmed] {
        guises.push(percent(plain, |byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)));
        guises.push(percent(plain, |byte| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte)));
        guises.push(percent(plain, |byte| byte.is_ascii_graphic() && !b"\"<>`#?{}%".contains(&byte)));
        guises.push(
            percent(plain, |byte| byte == b' ' || byte.is_ascii_alphanumeric() || b"-_.*".contains(&byte))
                .replace(' ', "+"),
        );
        guises.push(markup(plain));
        guises.push(serde_json::Value::from(plain).to_string().trim_matches('"').to_owned());
        guises.push(data_encoding::BASE64.encode(plain.as_bytes()));
    }
    guises.retain(|guise| !guise.is_empty());
    guises
}

fn percent(text: &str, plain: fn(u8) -> bool) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if plain(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_known_in_addresses_forms_markup_and_json() {
        let guises = guises(" a b&\"ü");
        for known in ["a b&\"ü", "a%20b%26%22%C3%BC", "a+b%26%22%C3%BC", "a b&amp;&quot;ü", "a b&\\\"ü"] {
            assert!(guises.iter().any(|guise| guise == known), "{known} in {guises:?}");
        }
    }
}
