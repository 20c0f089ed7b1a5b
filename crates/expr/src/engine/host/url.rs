//! `$encodeUrl`, `$encodeUrlComponent` and their opposites, as in ECMA-262.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};

/// What a component keeps, beside letters and digits.
const UNRESERVED: &[u8] = b"-_.!~*'()";
/// What has a meaning in an address: encoding an address keeps it, and decoding one keeps it encoded.
const RESERVED: &[u8] = b";/?:@&=+$,#";

pub(super) fn encode_url(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    encode(runtime, arguments, RESERVED)
}

pub(super) fn encode_url_component(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    encode(runtime, arguments, b"")
}

pub(super) fn decode_url(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    decode(runtime, arguments, RESERVED)
}

pub(super) fn decode_url_component(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    decode(runtime, arguments, b"")
}

fn encode(runtime: &Runtime, arguments: Arguments<'_>, kept: &[u8]) -> Outcome {
    let Some(text) = arguments.string(0)? else {
        return Ok(JValue::Undefined);
    };
    runtime.meter.charge(text.len() * 3)?;
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || UNRESERVED.contains(&byte) || kept.contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    Ok(JValue::string(encoded))
}

fn decode(runtime: &Runtime, arguments: Arguments<'_>, kept: &[u8]) -> Outcome {
    let Some(text) = arguments.string(0)? else {
        return Ok(JValue::Undefined);
    };
    runtime.meter.charge(text.len())?;
    let malformed = || {
        let function = arguments.function;
        failed(format!("D3140: Malformed URL passed to ${function}(): an escape is not valid UTF-8"))
    };
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if *first != b'%' {
            decoded.push(*first);
            rest = tail;
            continue;
        }
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).ok_or_else(malformed)?;
        if kept.contains(&byte) {
            decoded.extend_from_slice(&rest[..3]);
        } else {
            decoded.push(byte);
        }
        rest = &rest[3..];
    }
    String::from_utf8(decoded).map(JValue::string).map_err(|_| malformed())
}
