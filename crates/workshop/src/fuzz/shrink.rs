//! Makes a text smaller while the same thing is wrong with it.

use serde_json::Value;

/// How often a smaller text may be tried.
const ATTEMPTS: usize = 4000;

/// The smallest text found for which `still_wrong` holds, by taking out members and elements, then bytes.
pub fn shrink(text: &[u8], still_wrong: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut attempts = ATTEMPTS;
    let mut best = text.to_vec();
    if let Ok(value) = serde_json::from_slice::<Value>(text) {
        let compact = value.to_string().into_bytes();
        if still_wrong(&compact) {
            best = shrink_value(value, still_wrong, &mut attempts).to_string().into_bytes();
        }
    }
    // Taking single bytes out of what is JSON would mostly end in what is not.
    shrink_bytes(best, still_wrong, &mut attempts)
}

fn shrink_value(mut value: Value, still_wrong: &dyn Fn(&[u8]) -> bool, attempts: &mut usize) -> Value {
    loop {
        let mut smaller = false;
        let mut number = 0;
        while let Some(candidate) = smaller_by(&value, number) {
            if *attempts == 0 {
                return value;
            }
            *attempts -= 1;
            if still_wrong(candidate.to_string().as_bytes()) {
                value = candidate;
                smaller = true;
            } else {
                number += 1;
            }
        }
        if !smaller {
            return value;
        }
    }
}

/// The value made smaller in the way of this number; absent when there are no more ways.
fn smaller_by(value: &Value, number: usize) -> Option<Value> {
    let mut value = value.clone();
    let mut left = number;
    reduce(&mut value, &mut left).then_some(value)
}

/// Makes the change that is `left` away; returns whether it was made.
fn reduce(value: &mut Value, left: &mut usize) -> bool {
    match value {
        Value::Object(members) => {
            if *left < members.len() {
                let key = members.keys().nth(*left).cloned().unwrap_or_default();
                members.shift_remove(&key);
                return true;
            }
            *left -= members.len();
            members.values_mut().any(|member| reduce(member, left))
        }
        Value::Array(elements) => {
            if *left < elements.len() {
                elements.remove(*left);
                return true;
            }
            *left -= elements.len();
            elements.iter_mut().any(|element| reduce(element, left))
        }
        Value::String(text) if text.len() > 1 => {
            // A half, then single characters at both ends.
            let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
            let last = text.char_indices().next_back().map_or(0, |(at, _)| at);
            let first = text.chars().next().map_or(0, char::len_utf8);
            let ways = [&text[..half], &text[half..], &text[..last], &text[first..]].map(str::to_owned);
            match ways.into_iter().nth(*left) {
                Some(shorter) => {
                    *text = shorter;
                    true
                }
                None => {
                    *left -= 4;
                    false
                }
            }
        }
        _ => false,
    }
}

fn shrink_bytes(mut text: Vec<u8>, still_wrong: &dyn Fn(&[u8]) -> bool, attempts: &mut usize) -> Vec<u8> {
    let mut piece = text.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < text.len() && *attempts > 0 {
            *attempts -= 1;
            let end = (at + piece).min(text.len());
            let candidate = [&text[..at], &text[end..]].concat();
            if still_wrong(&candidate) { text = candidate } else { at += piece }
        }
        piece /= 2;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_is_taken_out() {
        let text = br#"{"a": [1, 2, {"bad": "xxneedlexx"}], "b": {"c": {}}}"#;
        let wrong = |text: &[u8]| {
            serde_json::from_slice::<Value>(text).is_ok() && String::from_utf8_lossy(text).contains("needle")
        };
        assert_eq!(String::from_utf8(shrink(text, &wrong)).unwrap(), r#"{"":[{"":"needle"}]}"#);
        let wrong = |text: &[u8]| text.contains(&b'@');
        assert_eq!(shrink(b"{ not json @ at all", &wrong), b"@");
    }
}
