//! The ends of a range: whole numbers, and not too far apart.

use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};
use crate::engine::meter::{TOO_LONG, stopped};

/// The first end. Null is no number, which the engine lets pass.
///
/// The engine evaluates the last end next, and nothing but an error, which ends everything, comes between; so the ends
/// of ranges inside ranges pair up like brackets.
pub(super) fn from(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let first = arguments.get(0);
    if first.is_null() {
        return Err(failed("T2003: The left side of the range operator (..) must evaluate to an integer"));
    }
    runtime.open_ranges.borrow_mut().push(first.as_f64());
    Ok(first.clone())
}

/// The last end, which pays for the items. A first end that is written out is the second argument.
pub(super) fn to(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let last = arguments.get(0);
    if last.is_null() {
        return Err(failed("T2004: The right side of the range operator (..) must evaluate to an integer"));
    }
    let first = match arguments.get(1) {
        JValue::Number(first) => Some(*first),
        _ => runtime.open_ranges.borrow_mut().pop().flatten(),
    };
    if let (Some(first), Some(end)) = (first, last.as_f64()) {
        let len = end - first + 1.0;
        if len > runtime.meter.max_sequence as f64 {
            return Err(stopped(TOO_LONG));
        }
        if len > 0.0 {
            runtime.meter.charge_items(len as usize)?;
        }
    }
    Ok(last.clone())
}
