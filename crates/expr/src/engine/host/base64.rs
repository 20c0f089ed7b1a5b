//! `$base64encode` and `$base64decode`: bytes as characters up to U+00FF, as in a browser.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let Some(text) = arguments.string(0)? else {
        return Ok(JValue::Undefined);
    };
    runtime.meter.charge(text.len() * 2)?;
    let bytes: Option<Vec<u8>> = text.chars().map(|char| u8::try_from(char).ok()).collect();
    let bytes = bytes.ok_or_else(|| {
        failed("$base64encode takes characters up to U+00FF; encode others first, with $encodeUrlComponent")
    })?;
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let sextet = (group >> (18 - 6 * place)) & 63;
            encoded.push(if place <= chunk.len() { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    Ok(JValue::string(encoded))
}

/// Leaves out what is no digit, as browsers leave out white space, and stops at the padding.
pub(super) fn decode(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let Some(text) = arguments.string(0)? else {
        return Ok(JValue::Undefined);
    };
    runtime.meter.charge(text.len() * 2)?;
    let mut decoded = String::with_capacity(text.len());
    let (mut group, mut bits) = (0_u32, 0);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let Some(sextet) = sextet(byte) else {
            continue;
        };
        group = (group << 6 | sextet) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            decoded.push(char::from((group >> bits & 0xff) as u8));
        }
    }
    Ok(JValue::string(decoded))
}

fn sextet(digit: u8) -> Option<u32> {
    let digit = match digit {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    };
    ALPHABET.iter().position(|known| *known == digit).and_then(|at| u32::try_from(at).ok())
}
