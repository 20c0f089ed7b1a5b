//! `$number`, which takes no white space around the digits.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};

pub(super) fn number(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    match arguments.get(0) {
        value @ (JValue::Undefined | JValue::Number(_)) => Ok(value.clone()),
        JValue::Bool(truth) => Ok(JValue::Number(f64::from(u8::from(*truth)))),
        JValue::String(text) => match parse(text) {
            Some(number) => Ok(JValue::Number(number)),
            None => Err(failed(format!("D3030: Unable to cast value to a number: \"{}\"", shortened(text)))),
        },
        _ => Err(arguments.mismatch(0)),
    }
}

fn parse(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if digits.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(prefix)) {
            return whole(&text[2..], radix).filter(|_| digits.len() == text.len());
        }
    }
    is_decimal(digits).then(|| text.parse().ok()).flatten().filter(|number: &f64| number.is_finite())
}

fn whole(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    digits
        .chars()
        .try_fold(0.0, |number, digit| Some(number * f64::from(radix) + f64::from(digit.to_digit(radix)?)))
}

/// Digits, then perhaps a fraction and an exponent; every part that is there has digits.
fn is_decimal(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    is_digits(integer)
        && fraction.is_none_or(is_digits)
        && exponent.is_none_or(|exponent| is_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

/// The start of a text, which may be long, for a message.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
