//! What a secret looks like within base64 and hexadecimal text.

use data_encoding::{BASE64_NOPAD, HEXLOWER};

/// A secret of fewer bytes is recognised in base64 only when it stands there alone.
const SHORT: usize = 6;

/// The parts of base64 text that say nothing but this secret, whatever stands before and after it: `user:password` as
/// well as the password alone. In the standard alphabet.
pub(super) fn base64(secret: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for bytes in encodings(secret).filter(|bytes| bytes.len() >= SHORT) {
        for before in 0..3_usize {
            let text = BASE64_NOPAD.encode(&[vec![0; before], bytes.clone()].concat());
            // A character at either end also has bits of what stands beside the secret.
            let first = (before * 8).div_ceil(6);
            let last = (before + bytes.len()) * 8 / 6;
            parts.push(text[first..last].to_owned());
        }
    }
    parts
}

/// A short secret alone, in base64 of the standard alphabet without padding.
pub(super) fn base64_alone(secret: &str) -> Vec<String> {
    let short = encodings(secret).filter(|bytes| (2..SHORT).contains(&bytes.len()));
    short.map(|bytes| BASE64_NOPAD.encode(&bytes)).collect()
}

/// A secret in hexadecimal, in lower case. A short one would be found in any number.
pub(super) fn hexadecimal(secret: &str) -> Vec<String> {
    encodings(secret).filter(|bytes| bytes.len() >= SHORT).map(|bytes| HEXLOWER.encode(&bytes)).collect()
}

/// The bytes of a secret in UTF-8 and, if they differ, in Latin-1.
fn encodings(secret: &str) -> impl Iterator<Item = Vec<u8>> {
    let latin: Option<Vec<u8>> = secret.chars().map(|c| u8::try_from(c).ok()).collect();
    let latin = latin.filter(|_| !secret.is_ascii());
    std::iter::once(secret.as_bytes().to_vec()).chain(latin)
}

/// A character of base64 in the standard alphabet, whichever alphabet it is of.
pub(super) fn standard(c: char) -> Option<u8> {
    match c {
        '-' => Some(b'+'),
        '_' => Some(b'/'),
        '+' | '/' => Some(c as u8),
        c if c.is_ascii_alphanumeric() => Some(c as u8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::BASE64;

    #[test]
    fn a_secret_is_recognised_in_base64_whatever_stands_around_it() {
        let parts = base64("hunter22");
        for around in [("", ""), ("a:", ""), ("ada:", "\n"), ("lovelace:", "xyz"), ("x", "y")] {
            let text = BASE64.encode(format!("{}hunter22{}", around.0, around.1).as_bytes());
            assert!(parts.iter().any(|part| text.contains(part.as_str())), "{text} {parts:?}");
        }
        assert!(base64("pin").is_empty());
        assert_eq!(base64_alone("pin"), ["cGlu"]);
        assert_eq!(hexadecimal("hunter"), ["68756e746572"]);
    }
}
