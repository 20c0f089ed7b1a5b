//! Guards: they look at a value on its way to something that the engine does not interrupt.

use jsonata_core::value::JValue;

use super::arguments::Arguments;
use super::{Outcome, Runtime};
use crate::engine::meter::{TOO_BIG, stopped};

/// The longest picture of a number or date, and the most digits of a width in it.
const MAX_PICTURE: usize = 1_000;
const MAX_PICTURE_DIGITS: usize = 3;

/// The largest number that is written as a numeral: Roman ones grow with the number.
const MAX_NUMERAL: f64 = 1e9;

/// Pays for a value that becomes part of a text.
pub(super) fn build(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    runtime.meter.charge(runtime.meter.measure(value)?)?;
    Ok(value.clone())
}

/// Refuses a value that is larger than all the memory there is. What it shares counts as often as it is seen, because
/// most functions see it that often.
pub(super) fn keep(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    runtime.meter.measure(value)?;
    Ok(value.clone())
}

/// Pays for the items that a step of a path adds for each item before it.
pub(super) fn step(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    if let JValue::Array(items) = value {
        runtime.meter.charge_items(items.len())?;
    }
    Ok(value.clone())
}

/// Pays for a text that is padded to a width.
pub(super) fn width(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    if let JValue::Number(width) = value {
        // A character may have four bytes. The cast saturates, which is what is wanted.
        runtime.meter.charge((width.abs() * 4.0) as usize)?;
    }
    Ok(value.clone())
}

/// Refuses a picture that would make the engine write or read without bounds.
pub(super) fn picture(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    match value {
        JValue::String(picture) if !is_harmless_picture(picture) => Err(stopped(TOO_BIG)),
        _ => Ok(value.clone()),
    }
}

pub(in crate::engine) fn is_harmless_picture(picture: &str) -> bool {
    let widest = picture.split(|char: char| !char.is_ascii_digit()).map(str::len).max();
    picture.len() <= MAX_PICTURE && widest.unwrap_or(0) <= MAX_PICTURE_DIGITS + 1
}

/// Refuses a number that would be too long as a numeral.
pub(super) fn numeral(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    match value {
        JValue::Number(number) if number.abs() > MAX_NUMERAL => Err(stopped(TOO_BIG)),
        _ => Ok(value.clone()),
    }
}
