//! `$keys`.

use jsonata_core::value::{JMap, JValue, with_stack};

use super::arguments::Arguments;
use super::{Outcome, Runtime};

/// The keys of an object, or of all objects in an array, each once.
pub(super) fn keys(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let mut keys = JMap::default();
    gather(arguments.get(0), &mut keys);
    runtime.meter.charge_items(keys.len())?;
    Ok(JValue::sequence(keys.keys().map(|key| JValue::from(key.as_str())).collect()))
}

fn gather(value: &JValue, keys: &mut JMap) {
    match value {
        JValue::Array(items) => with_stack(|| items.iter().for_each(|item| gather(item, keys))),
        JValue::Object(members) => {
            for key in members.keys() {
                if !keys.contains_key(key) {
                    keys.insert(key.clone(), JValue::Null);
                }
            }
        }
        _ => {}
    }
}
