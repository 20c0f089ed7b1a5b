//! `$trim`, `$substring`, `$join`, `$reverse` and `$clone`.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};

/// Joins runs of spaces, tabs and line ends into one space and takes it off both ends. Other white space stays.
pub(super) fn trim(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let Some(text) = arguments.string(0)? else {
        return Ok(JValue::Undefined);
    };
    let words = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let mut trimmed = String::with_capacity(text.len());
    for word in words {
        if !trimmed.is_empty() {
            trimmed.push(' ');
        }
        trimmed.push_str(word);
    }
    Ok(JValue::string(trimmed))
}

/// Takes characters from `start` on, which counts from the end if it is negative. Fractions are dropped as late as
/// JavaScript's `slice` drops them.
pub(super) fn substring(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (text, start, length) = (arguments.string(0)?, arguments.number(1)?, arguments.number(2)?);
    let Some(text) = text else {
        return Ok(JValue::Undefined);
    };
    runtime.meter.charge(text.len())?;
    let count = text.chars().count() as f64;
    let start = start.unwrap_or(f64::NAN);
    let start = if count + start < 0.0 { 0.0 } else { start };
    let end = match length {
        None => count,
        Some(length) if length <= 0.0 => 0.0,
        Some(length) if start >= 0.0 => start + length,
        Some(length) => count + start + length,
    };
    let (start, end) = (slice_end(start, count), slice_end(end, count));
    Ok(JValue::string(text.chars().skip(start).take(end.saturating_sub(start)).collect::<String>()))
}

/// An end of a slice: NaN is the start, and negative numbers count from the end.
fn slice_end(end: f64, count: f64) -> usize {
    let end = end.trunc();
    let end = if end < 0.0 { (count + end).max(0.0) } else { end };
    // The cast makes NaN zero.
    end as usize
}

pub(super) fn join(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    arguments.require(1)?;
    let separator = match arguments.get(1) {
        // A function hands an index on as the second argument.
        JValue::Undefined => "",
        JValue::String(separator) => separator,
        _ => return Err(arguments.mismatch(1)),
    };
    let items = match arguments.get(0) {
        JValue::Undefined => return Ok(JValue::Undefined),
        JValue::Array(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    let mut joined = String::new();
    for (index, item) in items.iter().enumerate() {
        let JValue::String(text) = item else {
            return Err(failed("T0412: Argument 1 of function \"join\" must be an array of strings"));
        };
        runtime.meter.charge(separator.len() + text.len())?;
        if index > 0 {
            joined.push_str(separator);
        }
        joined.push_str(text);
    }
    Ok(JValue::string(joined))
}

/// Turns the order of items around. What has no order stays as it is.
pub(super) fn reverse(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    arguments.require(1)?;
    let items = match arguments.get(0) {
        JValue::Array(items) if items.len() > 1 => items,
        value @ (JValue::Undefined | JValue::Array(_)) => return Ok(value.clone()),
        single => return Ok(JValue::array(vec![single.clone()])),
    };
    runtime.meter.charge_items(items.len())?;
    Ok(JValue::array(items.iter().rev().cloned().collect()))
}

/// Values never change, so a copy is the value itself.
pub(super) fn clone(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    match arguments.get(0) {
        value @ (JValue::Undefined | JValue::Array(_) | JValue::Object(_)) => Ok(value.clone()),
        _ => Err(arguments.mismatch(0)),
    }
}
