//! Changes to a value that keep it JSON but seldom keep it a good map.

use serde_json::{Value, json};

use crate::fuzz::generate::Generator;
use crate::fuzz::random::Random;

/// Makes one change somewhere in the value; `other` is where pieces may be taken from.
pub(crate) fn change(value: &mut Value, other: &Value, generator: &Generator, random: &mut Random) {
    let size = count(value);
    let at = random.below(size);
    let stranger = nth(other, random.below(count(other))).cloned().unwrap_or_default();
    let Some((key, place)) = nth_mut(value, at, "") else { return };
    match random.below(12) {
        0 => *place = Value::Null,
        1 => *place = generator.member(&key, random),
        2 => *place = generator.member(&generator.key(random), random),
        3 => *place = stranger,
        4 => *place = json!([place.take()]),
        5 => *place = json!({ key: place.take() }),
        6 => *place = generator.text(&key, random).into(),
        7 => change_number_or_text(place, random),
        _ => change_members(place, stranger, generator, random),
    }
}

fn change_number_or_text(place: &mut Value, random: &mut Random) {
    match place {
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            *place = random
                .choose(&[json!(-number), json!(number + 0.5), json!(number * 1e6), json!(1.0), json!(0)])
                .clone();
        }
        Value::String(text) => match random.below(4) {
            0 => text.push_str(random.pick(&["%}", "{%", " ", "é", "\u{0}", "'", ")", "]"])),
            1 => *text = text.chars().rev().collect(),
            2 => text.clear(),
            _ => {
                let cut = random.below(text.chars().count() + 1);
                *text = text.chars().take(cut).collect();
            }
        },
        Value::Bool(truth) => *truth = !*truth,
        _ => *place = json!("x"),
    }
}

fn change_members(place: &mut Value, stranger: Value, generator: &Generator, random: &mut Random) {
    match place {
        Value::Object(members) => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let chosen = keys.get(random.below(keys.len())).cloned();
            let removed = chosen.filter(|_| random.percent(60)).and_then(|key| members.shift_remove(&key));
            match removed {
                // Half of the time the member comes back under another key.
                Some(value) if random.percent(50) => {
                    members.insert(generator.key(random), value);
                }
                Some(_) => {}
                None => {
                    let key = generator.key(random);
                    let value = if random.percent(70) { generator.member(&key, random) } else { stranger };
                    members.insert(key, value);
                }
            }
        }
        Value::Array(elements) => {
            let at = random.below(elements.len());
            match random.below(4) {
                0 if !elements.is_empty() => drop(elements.remove(at)),
                1 if !elements.is_empty() => elements.push(elements[at].clone()),
                2 if !elements.is_empty() => {
                    let other = random.below(elements.len());
                    elements.swap(at, other);
                }
                _ => elements.push(stranger),
            }
        }
        leaf => *leaf = stranger,
    }
}

/// How many values there are, this one included.
pub(crate) fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

fn nth(value: &Value, at: usize) -> Option<&Value> {
    if at == 0 {
        return Some(value);
    }
    let children: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(elements) => Box::new(elements.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => return None,
    };
    let mut left = at - 1;
    for child in children {
        let size = count(child);
        if left < size {
            return nth(child, left);
        }
        left -= size;
    }
    None
}

/// The value of this number in the order of the text, and the key it stands under or in whose list.
fn nth_mut<'v>(value: &'v mut Value, at: usize, key: &str) -> Option<(String, &'v mut Value)> {
    if at == 0 {
        return Some((key.to_owned(), value));
    }
    let mut left = at - 1;
    match value {
        Value::Array(elements) => {
            for element in elements {
                let size = count(element);
                if left < size {
                    return nth_mut(element, left, key);
                }
                left -= size;
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                let size = count(member);
                if left < size {
                    return nth_mut(member, left, key);
                }
                left -= size;
            }
        }
        _ => {}
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_number() {
        let mut value = json!({"a": [1, {"b": 2}], "c": 3});
        assert_eq!(count(&value), 6);
        let seen: Vec<String> =
            (0..6).filter_map(|at| Some(nth_mut(&mut value, at, "")?.1.to_string())).collect();
        assert_eq!(seen[1..], [r#"[1,{"b":2}]"#, "1", r#"{"b":2}"#, "2", "3"]);
        assert!((0..6).all(|at| nth(&value, at).is_some()));
        assert_eq!(nth(&value, 6), None);
    }
}
