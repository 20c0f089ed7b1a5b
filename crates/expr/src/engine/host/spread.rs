//! `$spread`.

use std::rc::Rc;

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::{JMap, JValue, with_stack};

use super::arguments::Arguments;
use super::{Outcome, Runtime};
use crate::engine::key_order::put_in_order;

/// Makes an object of every member of an object. The items of an array are spread in place, however deep they are.
pub(super) fn spread(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let value = arguments.get(0);
    let mut items = Vec::new();
    match value {
        JValue::Array(array) if !array.is_empty() => {
            append(runtime, value, &mut items)?;
            Ok(JValue::array(items))
        }
        JValue::Array(_) => Ok(JValue::sequence(items)),
        JValue::Object(_) => {
            append(runtime, value, &mut items)?;
            Ok(JValue::sequence(items))
        }
        other => Ok(other.clone()),
    }
}

fn append(runtime: &Runtime, value: &JValue, items: &mut Vec<JValue>) -> Result<(), EvaluatorError> {
    with_stack(|| match value {
        JValue::Undefined => Ok(()),
        JValue::Array(array) => array.iter().try_for_each(|item| append(runtime, item, items)),
        JValue::Object(members) => {
            runtime.meter.charge_items(members.len())?;
            let single = |(key, member): (&String, &JValue)| {
                JValue::Object(Rc::new(JMap::from_iter([(key.clone(), member.clone())])))
            };
            let mut members: Vec<_> = members.iter().collect();
            put_in_order(&mut members, |(key, _)| key);
            items.extend(members.into_iter().map(single));
            Ok(())
        }
        other => {
            items.push(other.clone());
            Ok(())
        }
    })
}
