//! Guards: they look at a value on its way to something that the engine does not interrupt.

use std::rc::Rc;

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::{JValue, with_stack};

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime, javascript};
use crate::engine::meter::Stop;

/// The longest picture of a date, and the most digits of a width in it.
const MAX_PICTURE: usize = 1_000;
const MAX_PICTURE_DIGITS: usize = 3;

/// The last moment that JavaScript's dates know, in milliseconds.
const MAX_MILLIS: f64 = 8.64e15;
/// The largest offset of a time zone, as hours and minutes in four digits.
const MAX_OFFSET: f64 = 9999.0;

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

/// Pays for the items that a step of a path adds for each item before it. Further arguments name the fields that the
/// path takes next, which add their items too.
pub(super) fn step(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    pay_for_step(runtime, value, &arguments.values[1..])?;
    Ok(value.clone())
}

fn pay_for_step(runtime: &Runtime, value: &JValue, fields: &[JValue]) -> Result<(), EvaluatorError> {
    with_stack(|| match value {
        JValue::Array(items) => {
            runtime.meter.charge_items(items.len())?;
            if fields.is_empty() {
                return Ok(());
            }
            items.iter().try_for_each(|item| pay_for_step(runtime, item, fields))
        }
        JValue::Object(members) => {
            let next =
                fields.split_first().and_then(|(name, rest)| Some((members.get(name.as_str()?)?, rest)));
            next.map_or(Ok(()), |(member, rest)| pay_for_step(runtime, member, rest))
        }
        _ => Ok(()),
    })
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
pub(super) fn picture(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    match value {
        JValue::String(picture) if !is_harmless_picture(picture) => Err(runtime.meter.stop(Stop::Memory)),
        _ => Ok(value.clone()),
    }
}

pub(in crate::engine) fn is_harmless_picture(picture: &str) -> bool {
    let widest = picture.split(|char: char| !char.is_ascii_digit()).map(str::len).max();
    picture.len() <= MAX_PICTURE && widest.unwrap_or(0) <= MAX_PICTURE_DIGITS + 1
}

/// Makes a single value an array of one item. The engine takes null for no items, and gives no sequence for others.
pub(super) fn listed(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    Ok(match arguments.get(0) {
        value @ (JValue::Undefined | JValue::Array(_)) => value.clone(),
        single => JValue::array(vec![single.clone()]),
    })
}

/// Pays for a value that becomes part of a text, in which NaN is written as JSON writes it: null. Alone it is no text.
pub(super) fn written(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    match build(runtime, arguments)? {
        JValue::Number(number) if !number.is_finite() => {
            Err(failed("D3001: Attempting to invoke string function on Infinity or NaN"))
        }
        value => without_nan(&value),
    }
}

fn without_nan(value: &JValue) -> Outcome {
    with_stack(|| match value {
        JValue::Number(number) if number.is_nan() => Ok(JValue::Null),
        JValue::Number(number) if number.is_infinite() => Err(failed("D1001: Number out of range")),
        JValue::Array(items) => Ok(JValue::array(items.iter().map(without_nan).collect::<Result<_, _>>()?)),
        JValue::Object(members) => {
            let members = members.iter().map(|(key, member)| Ok((key.clone(), without_nan(member)?)));
            Ok(JValue::Object(Rc::new(members.collect::<Result<_, EvaluatorError>>()?)))
        }
        other => Ok(other.clone()),
    })
}

/// Refuses NaN as the left operand of arithmetic. The engine would calculate with it.
pub(super) fn left(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    operand(arguments, "T2001: The left side of the operator must evaluate to a number")
}

/// Refuses NaN as the right operand of arithmetic.
pub(super) fn right(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    operand(arguments, "T2002: The right side of the operator must evaluate to a number")
}

/// Refuses NaN as the operand of a minus sign.
pub(super) fn negated(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    if matches!(arguments.get(0), JValue::Number(number) if number.is_infinite()) {
        return Err(failed("D1001: Number out of range"));
    }
    operand(arguments, "D1002: Cannot negate a non-numeric value")
}

fn operand(arguments: Arguments<'_>, message: &str) -> Outcome {
    match arguments.get(0) {
        JValue::Number(number) if number.is_nan() => Err(failed(message)),
        value => Ok(value.clone()),
    }
}

/// Makes NaN false, which the engine takes for true.
pub(super) fn truth(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    Ok(match arguments.get(0) {
        JValue::Number(number) if number.is_nan() => JValue::Bool(false),
        value => value.clone(),
    })
}

/// Makes a moment whole milliseconds, and refuses one that no calendar has.
pub(super) fn millis(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    match arguments.get(0) {
        JValue::Number(millis) if millis.is_nan() || millis.abs() > MAX_MILLIS => {
            Err(failed("D3110: the number of milliseconds is beyond every calendar"))
        }
        JValue::Number(millis) => Ok(JValue::Number(millis.trunc())),
        value => Ok(value.clone()),
    }
}

/// Refuses a time zone that is not an offset such as `-0500`.
pub(super) fn timezone(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    match arguments.get(0) {
        JValue::String(offset) => {
            let number = javascript::parse_int(offset);
            if number.is_nan() || number.abs() > MAX_OFFSET {
                return Err(failed("D3134: the time zone is not an offset such as -0500"));
            }
            Ok(JValue::String(offset.clone()))
        }
        value => Ok(value.clone()),
    }
}
