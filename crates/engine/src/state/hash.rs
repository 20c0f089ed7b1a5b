//! One short text for a whole state.

use std::fmt::Write;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The hash of a state: `sha256:` and the first 128 bits, in hexadecimal, of the SHA-256 of its canonical JSON.
///
/// Canonical JSON is compact, and the members of its objects are in the order of their names by code point, so that
/// two states are equal exactly when their hashes are. A page chooses what stands in its state, so a hash for which
/// two states are easily made alike would let it pass a change off as none.
pub(super) fn state_hash(state: &Value) -> String {
    let mut canonical = Vec::new();
    write_canonical(state, &mut canonical);
    let digest = Sha256::digest(&canonical);
    let mut text = String::from("sha256:");
    for byte in &digest[..16] {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn write_canonical(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_canonical(item, out);
            }
            out.push(b']');
        }
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            out.push(b'{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_scalar(name, out);
                out.push(b':');
                write_canonical(member, out);
            }
            out.push(b'}');
        }
        scalar => write_scalar(scalar, out),
    }
}

fn write_scalar(value: &impl serde::Serialize, out: &mut Vec<u8>) {
    // Writing to memory cannot fail, and scalars always serialise.
    let _ = serde_json::to_writer(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_states_have_equal_hashes_whatever_the_order_of_their_members() {
        let (one, other) = (json!({ "a": [1, "é"], "b": null }), json!({ "b": null, "a": [1, "é"] }));
        assert_eq!(state_hash(&one), state_hash(&other));
        assert_ne!(state_hash(&one), state_hash(&json!({ "a": ["é", 1], "b": null })));
    }

    #[test]
    fn the_hash_is_that_of_the_canonical_text() {
        // printf '{"a":[1,"x"],"b":null}' | sha256sum
        assert_eq!(
            state_hash(&json!({ "b": null, "a": [1, "x"] })),
            "sha256:854ef06dc57f5dfed10206344ab2d02e"
        );
    }
}
