//! Maps and inputs that ask for more work than their size suggests, and what they cost.

use std::time::Duration;
use std::{fs, io};

use actions_engine::Engine;
use actions_manifest::{NoImports, Options, Profile, validate};
use serde_json::{Map, Value, json};

use crate::fuzz::giant::GIANTS;
use crate::fuzz::random::Random;

/// A map and the input of its tool `t`.
#[derive(Debug)]
pub struct Case {
    /// What is large about it.
    pub name: &'static str,
    /// The map.
    pub map: Value,
    /// The arguments of the call.
    pub input: Value,
}

/// What a case takes, in time of the processor.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// To validate the map under the slower profile.
    pub validation: Duration,
    /// To plan the tool and to check the input.
    pub call: Duration,
    /// The most memory this process ever had, in bytes.
    pub memory: u64,
}

impl Cost {
    /// The most time to validate a map of 1 MB, or to check the input of a call.
    pub const TIME: Duration = Duration::from_secs(2);
    /// The most memory.
    pub const MEMORY: u64 = 300 << 20;

    /// Whether it is within the limits.
    pub fn is_allowed(&self) -> bool {
        self.validation <= Self::TIME && self.call <= Self::TIME && self.memory <= Self::MEMORY
    }
}

/// A kind of schema with an input, of about a number of parts.
type Kind = (&'static str, fn(&mut Random, usize) -> (Value, Value));

/// The kinds of schemas. Random ones come up as often as all others together.
const KINDS: &[Kind] = &[
    ("references that double on one value", |random, size| {
        let keyword = *random.choose(&["allOf", "anyOf", "oneOf"]);
        let twice = move |next: Value| json!({ keyword: [next.clone(), next] });
        (chain(random.below(size.min(60)) + 1, twice), json!({ "a": 1 }))
    }),
    ("references that double at every level", |random, size| {
        let twice = |next: Value| json!({ "allOf": [{ "items": next.clone() }, { "items": next }] });
        let levels = random.below(size.min(60)) + 1;
        let nested = (0..levels).fold(json!(1), |inner, _| json!([inner]));
        (json!({ "properties": { "a": chain(levels, twice) } }), json!({ "a": nested }))
    }),
    ("a circle that doubles", |random, _| {
        let here = json!({ "$ref": "#/$defs/a" });
        let schema = json!({ "$defs": { "a": { "anyOf": [
            { "items": here, "type": "object" }, { "items": here, "maxItems": 0 }, { "additionalProperties": here } ] } },
            "properties": { "a": here } });
        let nested = (0..random.below(100)).fold(json!(1), |inner, _| {
            json!([inner, inner]).get(0).cloned().map_or(inner, |one| json!([one]))
        });
        (schema, json!({ "a": nested }))
    }),
    ("a long chain of references", |_, size| (chain(size, |next| json!({ "allOf": [next] })), json!({}))),
    ("patterns that count", |random, size| {
        let properties = (0..size / 4).map(|n| {
            let (one, two) = (random.below(1000), random.below(30));
            (format!("p{n}"), json!({ "pattern": format!("^(([a-z]{{{one}}}){{{two}}}|.{n}*)+$") }))
        });
        let properties: Map<String, Value> = properties.collect();
        (json!({ "properties": properties }), json!({ "p0": "a".repeat(size * 16), "p1": "a".repeat(size) }))
    }),
    ("defaults within defaults", |random, size| {
        let long = "x".repeat(random.below(size * 8));
        let inner = (0..random.below(60)).fold(
            json!({ "default": long }),
            |inner, _| json!({ "properties": { "a": inner }, "default": {} }),
        );
        let items = vec![json!({}); size];
        (json!({ "properties": { "list": { "items": inner } } }), json!({ "list": items }))
    }),
    ("a long list of words", |_, size| {
        let words: Vec<String> = (0..size * 4).map(|n| format!("word{n}")).collect();
        let wrong = vec!["word"; size];
        (json!({ "properties": { "a": { "items": { "enum": words } } } }), json!({ "a": wrong }))
    }),
    ("many anchors", |_, size| {
        let properties = (0..size / 2).map(|n| (format!("p{n}"), json!({ "$ref": format!("#x{n}") })));
        let anchors = (0..size / 2)
            .map(|n| (format!("a{n}"), json!({ "$anchor": format!("x{n}"), "writeOnly": true })));
        let (properties, anchors): (Map<_, _>, Map<_, _>) = (properties.collect(), anchors.collect());
        let input: Map<String, Value> = (0..size / 2).map(|n| (format!("p{n}"), json!("secret"))).collect();
        (json!({ "properties": properties, "$defs": anchors }), Value::Object(input))
    }),
    ("every value of a long list is secret", |_, size| {
        let secrets: Vec<String> = (0..size * 4).map(|n| format!("secret number {n}")).collect();
        (json!({ "properties": { "a": { "writeOnly": true, "type": "string" } } }), json!({ "a": secrets }))
    }),
    ("faults below a long key", |_, size| {
        (
            json!({ "additionalProperties": { "items": { "type": "string" } } }),
            json!({ "k".repeat(size * 8): vec![1; size * 8] }),
        )
    }),
    ("what is not evaluated", |random, size| {
        let inner = (0..random.below(12)).fold(json!({}), |inner, n| {
            json!({ "allOf": [inner], "properties": { format!("p{n}"): {} }, "unevaluatedProperties": { "type": "object" } })
        });
        let members: Map<String, Value> = (0..size).map(|n| (format!("m{n}"), json!({}))).collect();
        (inner, Value::Object(members))
    }),
    ("patterns of names", |_, size| {
        let patterns: Map<String, Value> =
            (0..size / 8).map(|n| (format!("^m{n}[0-9]*$"), json!({ "type": "string" }))).collect();
        let members: Map<String, Value> = (0..size).map(|n| (format!("m{n}"), json!(1))).collect();
        (
            json!({ "patternProperties": patterns, "propertyNames": { "maxLength": 3 } }),
            Value::Object(members),
        )
    }),
    ("items that must differ", |_, size| {
        let items: Vec<Value> = (0..size * 8).map(|n| json!({ "a": [n, { "b": n / 2 }] })).collect();
        (json!({ "properties": { "a": { "uniqueItems": true } } }), json!({ "a": items }))
    }),
];

/// The case of a number: the same for the same seed, number and size in bytes.
pub fn case(seed: u64, number: u64, size: usize) -> Case {
    let mut random = Random::of_execution(seed, number);
    match random.below(4) {
        0 => {
            let giant = random.choose(GIANTS);
            // About as many bytes as asked for: nothing but the text counts.
            let mut count = size / 100 + 1;
            let mut map = giant.map(count);
            while map.to_string().len() * 2 < size && count < size {
                count *= 2;
                map = giant.map(count);
            }
            let filled = giant.map(count * size / map.to_string().len().max(size / 2));
            if filled.to_string().len() <= size * 11 / 10 {
                map = filled;
            }
            Case { name: giant.name, map, input: json!({}) }
        }
        1 => {
            let (name, make) = *random.choose(KINDS);
            let (schema, input) = make(&mut random, size / 64 + 8);
            Case { name, map: map_with(schema), input }
        }
        2 => defects(&mut random, size),
        _ => {
            let schema = random_schema(&mut random);
            let input = json!({ "a": random_value(&mut random, size / 64), "b": random_value(&mut random, size / 64) });
            Case { name: "a schema at random", map: map_with(schema), input }
        }
    }
}

/// A map with as many defects as possible.
fn defects(random: &mut Random, size: usize) -> Case {
    let count = size / 24 + 1;
    let map = match random.below(4) {
        3 => {
            let unknown: Map<String, Value> = (0..count / 4).map(|n| (format!("u{n}"), json!(0))).collect();
            let fields = json!({ "k".repeat(size / 2): unknown });
            let snapshot = json!({ "version": 1, "source": "dom", "extract": [{ "id": "r", "selector": "a", "fields": fields }] });
            json!({ "protocol": "actions.json", "version": 1, "tools": [],
                "state_projections": [{ "name": "p", "snapshot": snapshot }] })
        }
        0 => json!({ "protocol": "actions.json", "version": 1, "tools": vec![json!({ "name": "" }); count] }),
        1 => {
            let unknown: Map<String, Value> = (0..count / 2).map(|n| (format!("u{n}"), json!(0))).collect();
            let tool = json!({ "k".repeat(size / 2): unknown, "name": "t" });
            json!({ "protocol": "actions.json", "version": 1, "tools": [tool] })
        }
        _ => {
            // Tools and steps are as many as the length of the name allows.
            let name = "n".repeat(random.below(size / 4) + 1);
            let steps = (size / (name.len() + 40)).clamp(1, 800);
            let step = json!({ "id": name, "primitive": "no.such" });
            let tools: Vec<Value> = (0..steps.div_ceil(20))
                .map(|_| json!({ "name": "t", "workflow": { "steps": vec![step.clone(); steps.min(20)] } }))
                .collect();
            json!({ "protocol": "actions.json", "version": 1, "tools": tools })
        }
    };
    Case { name: "defects", map, input: json!({}) }
}

fn chain(levels: usize, link: impl Fn(Value) -> Value) -> Value {
    let to = |level: usize| json!({ "$ref": format!("#/$defs/d{level}") });
    let links = (0..levels).map(|n| (format!("d{n}"), link(to(n + 1))));
    let last = (format!("d{levels}"), json!({ "required": ["nothing"] }));
    let links: Map<String, Value> = links.chain([last]).collect();
    json!({ "$ref": "#/$defs/d0", "$defs": links })
}

/// A few schemas that refer to each other in every way.
fn random_schema(random: &mut Random) -> Value {
    let count = random.below(12) + 1;
    let definitions: Map<String, Value> = (0..count)
        .map(|n| {
            let mut schema = Map::new();
            for _ in 0..=random.below(4) {
                let mut to = || json!({ "$ref": format!("#/$defs/d{}", random.below(count)) });
                let (one, two, three) = (to(), to(), to());
                let (key, value) = match random.below(14) {
                    0 => ("allOf", json!([{ "items": one }, { "items": two }])),
                    1 => ("anyOf", json!([{ "additionalProperties": one }, { "items": two }, { "properties": { "a": three } }])),
                    2 => ("oneOf", json!([{ "properties": { "a": one } }, { "not": { "items": two } }])),
                    3 => ("properties", json!({ "a": one, "b": two })),
                    4 => ("items", one),
                    5 => ("contains", one),
                    6 => ("additionalProperties", one),
                    7 => ("patternProperties", json!({ "^[ab]": one, "b$": two })),
                    8 => ("if", json!({ "items": one })),
                    9 => ("then", json!({ "items": two })),
                    10 => ("unevaluatedItems", one),
                    11 => ("not", json!({ "items": one })),
                    12 => ("allOf", json!([one, two])),
                    _ => ("dependentSchemas", json!({ "a": { "properties": { "b": one } } })),
                };
                schema.insert(key.to_owned(), value);
            }
            (format!("d{n}"), Value::Object(schema))
        })
        .collect();
    json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "additionalProperties": { "$ref": "#/$defs/d0" }, "$defs": definitions })
}

fn random_value(random: &mut Random, size: usize) -> Value {
    match random.below(5) {
        0 => (0..random.below(110)).fold(json!(1), |inner, _| json!([inner])),
        1 => (0..random.below(55)).fold(json!(1), |inner, _| json!({ "a": [inner] })),
        2 => Value::from(vec![json!({ "a": 1, "b": [2] }); size]),
        3 => (0..random.below(12)).fold(json!(1), |inner, _| json!([inner, { "b": inner }])),
        _ => Value::from("ab".repeat(size)),
    }
}

fn map_with(mut schema: Value) -> Value {
    schema["type"] = json!("object");
    let tool = json!({ "name": "t", "description": "x", "input_schema": schema, "x_actions": { "static_output": null } });
    json!({ "protocol": "actions.json", "version": 1, "tools": [tool] })
}

impl Case {
    /// Validates the map and checks the input, and says what that took.
    pub fn cost(&self) -> io::Result<Cost> {
        let text = self.map.to_string().into_bytes();
        let mut validation = Duration::ZERO;
        for profile in [Profile::Strict, Profile::Lenient] {
            let start = processor_time()?;
            let answer = validate("map.json", &text, &Options { profile, imports: &NoImports });
            // Users see the position of every finding, so computing it is part of the time.
            let _ = answer.findings.iter().map(|finding| finding.position().column).max();
            validation = validation.max(processor_time()? - start);
        }
        let engine = Engine::from_bytes("map.json", &text);
        let start = processor_time()?;
        if let Ok(plan) = engine.map(|engine| engine.plan("t"))
            && let Ok(plan) = plan
            && let Ok(input) = plan.accept(self.input.clone())
        {
            let _ = input.secrets();
        }
        Ok(Cost { validation, call: processor_time()? - start, memory: most_memory()? })
    }
}

/// The time that the processor has spent on this thread: what other programs do does not count.
fn processor_time() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = stat.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map(Duration::from_nanos).ok_or_else(|| io::Error::other("the system does not say"))
}

/// The most memory that this process ever had, in bytes.
fn most_memory() -> io::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.map(|kilobytes| kilobytes << 10).ok_or_else(|| io::Error::other("the system does not say"))
}
