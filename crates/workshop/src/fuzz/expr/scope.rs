//! Scopes as workflows have them, with values that are mostly what an expression expects.

use serde_json::{Map, Value, json};

use crate::fuzz::Random;

const KINDS: &[&str] =
    &["number", "text", "truth", "null", "numbers", "texts", "rows", "row", "mixed", "empty"];

/// A scope with `input` and `steps`.
pub fn random_scope(random: &mut Random) -> Value {
    let mut input = Map::new();
    for (name, usual) in [
        ("n", "number"),
        ("m", "number"),
        ("s", "text"),
        ("t", "text"),
        ("b", "truth"),
        ("none", "null"),
        ("numbers", "numbers"),
        ("texts", "texts"),
        ("rows", "rows"),
        ("row", "row"),
        ("mixed", "mixed"),
        ("empty", "empty"),
    ] {
        let drawn = random.below(100);
        let value = match drawn {
            0..=74 => Some(value(random, usual)),
            75..=82 => None,
            _ => {
                let other = random.pick(KINDS);
                Some(value(random, other))
            }
        };
        if let Some(value) = value {
            input.insert(name.to_owned(), value);
        }
    }
    let output = json!({ "count": value(random, "number"), "text": value(random, "text"), "items": value(random, "rows") });
    json!({ "input": input, "steps": { "a": { "ok": random.percent(50), "output": output } } })
}

fn value(random: &mut Random, kind: &str) -> Value {
    match kind {
        "number" => random
            .choose(&[
                json!(0),
                json!(1),
                json!(2),
                json!(-5),
                json!(3.75),
                json!(1000000),
                json!(0.1),
                json!(1e21),
                json!(1e-7),
                json!(12345.678),
                json!(-0.5),
                json!(9007199254740993_i64),
                json!(2.5),
            ])
            .clone(),
        "text" => json!(*random.choose(&[
            "",
            "a",
            "abc",
            "b a",
            "12",
            "3.5",
            "x,y,z",
            "Ünïcode",
            "日本",
            "Total: 1,234",
            " \u{feff}pad ",
            "0x1F",
            "2024-02-29",
            "March",
            "twenty-one",
            "%41%zz",
            "YWJj",
            "a\nb"
        ])),
        "truth" => json!(random.percent(50)),
        "null" => Value::Null,
        "numbers" => (0..random.below(4)).map(|_| value(random, "number")).collect(),
        "texts" => (0..random.below(4)).map(|_| value(random, "text")).collect(),
        "rows" => (0..random.below(4)).map(|_| value(random, "row")).collect(),
        "row" => {
            let mut row = Map::new();
            for (name, kind) in [("n", "number"), ("s", "text"), ("a", "mixed")] {
                if random.percent(80) {
                    row.insert(name.to_owned(), value(random, kind));
                }
            }
            Value::Object(row)
        }
        "mixed" => random
            .choose(&[
                json!(1),
                json!("a"),
                json!(null),
                json!([1, "a"]),
                json!([[1], [2]]),
                json!({ "n": 1 }),
                json!([null]),
                json!(true),
            ])
            .clone(),
        _ => random.choose(&[json!([]), json!({}), json!("")]).clone(),
    }
}
