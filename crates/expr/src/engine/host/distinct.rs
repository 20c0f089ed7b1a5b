//! `$distinct`, in time proportional to the values.

use std::collections::HashSet;

use jsonata_core::value::{JValue, with_stack};

use super::arguments::Arguments;
use super::{Outcome, Runtime};

pub(super) fn distinct(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    arguments.require(1)?;
    let array = match arguments.get(0) {
        JValue::Array(array) if array.len() > 1 => array,
        other => return Ok(other.clone()),
    };
    runtime.meter.charge(runtime.meter.measure(arguments.get(0))?)?;
    let mut seen = HashSet::with_capacity(array.len());
    let mut kept = Vec::new();
    for item in array.iter() {
        runtime.meter.check_time()?;
        let mut key = String::new();
        // A function equals only itself and is kept.
        if !write_key(item, &mut key) || seen.insert(key) {
            kept.push(item.clone());
        }
    }
    Ok(if array.sequence { JValue::sequence(kept) } else { JValue::array(kept) })
}

/// Writes what two equal values have in common and no others do. Gives up on functions.
fn write_key(value: &JValue, key: &mut String) -> bool {
    with_stack(|| match value {
        JValue::Undefined => {
            key.push('u');
            true
        }
        JValue::Null => {
            key.push('n');
            true
        }
        JValue::Bool(truth) => {
            key.push(if *truth { 't' } else { 'f' });
            true
        }
        JValue::Number(number) => {
            // Minus zero equals zero.
            let number = if *number == 0.0 { 0.0 } else { *number };
            key.push_str(&format!("#{:x}", number.to_bits()));
            !number.is_nan()
        }
        JValue::String(text) => {
            key.push_str(&format!("\"{}:{text}", text.len()));
            true
        }
        JValue::Array(items) => {
            key.push('[');
            let complete = items.iter().all(|item| write_key(item, key));
            key.push(']');
            complete
        }
        JValue::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            key.push('{');
            let complete = members.into_iter().all(|(name, member)| {
                key.push_str(&format!("{}:{name}", name.len()));
                write_key(member, key)
            });
            key.push('}');
            complete
        }
        JValue::Lambda(_) | JValue::Builtin { .. } | JValue::Regex { .. } => false,
    })
}
