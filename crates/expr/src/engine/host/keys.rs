//! `$keys`.

use jsonata_core::value::{JMap, JValue, with_stack};

use super::arguments::Arguments;
use super::{Outcome, Runtime};
use crate::engine::key_order::put_in_order;

/// The keys of an object, or of all objects in an array, each once.
pub(super) fn keys(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let mut keys = JMap::default();
    gather(arguments.get(0), &mut keys);
    runtime.meter.charge_items(keys.len())?;
    let mut keys: Vec<&str> = keys.keys().map(String::as_str).collect();
    put_in_order(&mut keys, |key| key);
    Ok(JValue::sequence(keys.into_iter().map(JValue::from).collect()))
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
