//! `$round` and `$formatBase`.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime, javascript};

pub(super) fn round(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (number, places) = (arguments.number(0)?, arguments.number(1)?);
    let Some(number) = number else {
        return Ok(JValue::Undefined);
    };
    Ok(JValue::Number(javascript::round_to(number, places.unwrap_or(0.0))))
}

pub(super) fn format_base(_: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (number, base) = (arguments.number(0)?, arguments.number(1)?);
    let Some(number) = number else {
        return Ok(JValue::Undefined);
    };
    let base = javascript::round(base.unwrap_or(10.0));
    if !(2.0..=36.0).contains(&base) {
        return Err(failed("D3100: The radix of the formatBase function must be between 2 and 36"));
    }
    // The base is a whole number of at most 36.
    Ok(JValue::string(javascript::number_in_base(javascript::round(number), base as u32)))
}
