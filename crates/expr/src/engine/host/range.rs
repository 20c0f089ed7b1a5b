//! The ends of a range: whole numbers, and not too far apart.

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};
use crate::engine::meter::Stop;

const LEFT: &str = "T2003: The left side of the range operator (..) must evaluate to an integer";
const RIGHT: &str = "T2004: The right side of the range operator (..) must evaluate to an integer";

/// The first end, which waits for the last one.
///
/// The engine evaluates the last end next, and nothing but an error, which ends everything, comes between; so the ends
/// of ranges inside ranges pair up like brackets.
pub(super) fn from(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let first = arguments.get(0);
    runtime.open_ranges.borrow_mut().push(first.clone());
    Ok(first.clone())
}

/// The last end, which pays for the items. A first end that is written out is the second argument.
///
/// The engine would let null pass as an end, and would overflow with ends that are far apart.
pub(super) fn to(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let last = arguments.get(0);
    let first = match arguments.get(1) {
        JValue::Undefined => runtime.open_ranges.borrow_mut().pop().unwrap_or(JValue::Undefined),
        literal => literal.clone(),
    };
    let (Some(start), Some(end)) = (end_of_range(&first, LEFT)?, end_of_range(last, RIGHT)?) else {
        return Ok(last.clone());
    };
    let len = end - start + 1.0;
    if len > runtime.meter.max_sequence as f64 {
        return Err(runtime.meter.stop(Stop::Sequence));
    }
    if len > 0.0 {
        runtime.meter.charge_items(len as usize)?;
    }
    Ok(last.clone())
}

fn end_of_range(end: &JValue, message: &str) -> Result<Option<f64>, EvaluatorError> {
    match end {
        JValue::Undefined => Ok(None),
        JValue::Number(number) if number.fract() == 0.0 => Ok(Some(*number)),
        _ => Err(failed(message)),
    }
}
