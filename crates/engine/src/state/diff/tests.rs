//! Checks patches and deltas against random pairs of values.

use json_patch::Patch;
use serde_json::{Map, Value, json};

use super::bytes::bytes;
use super::{Diff, patch};

/// A source of numbers that is the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or(0)
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

const WORDS: &[&str] =
    &["", "a", "Sow", "Dig", "~", "/", "a/b", "~1", "__proto__", "é\u{1f331}", "\"\\\n", "0", "-"];
const MEMBERS: &[&str] =
    &["id", "key", "name", "title", "cards", "lists", "a/b", "m~n", "", "0", "__proto__", "x"];

fn scalar(numbers: &mut Numbers) -> Value {
    match numbers.below(6) {
        0 => Value::Null,
        1 => json!(numbers.one_in(2)),
        2 => json!(numbers.below(4)),
        3 => json!(numbers.below(100) as f64 / 8.0),
        _ => json!(WORDS[numbers.below(WORDS.len())]),
    }
}

/// Any value, or what a projection usually gives: lists of items with ids.
fn value(numbers: &mut Numbers, depth: usize) -> Value {
    match numbers.below(if depth == 0 { 3 } else { 9 }) {
        0..=2 => scalar(numbers),
        3 => (0..numbers.below(5)).map(|_| value(numbers, depth - 1)).collect(),
        4..=6 => items(numbers, depth - 1),
        _ => Value::Object(
            (0..numbers.below(5))
                .map(|_| (MEMBERS[numbers.below(MEMBERS.len())].to_owned(), value(numbers, depth - 1)))
                .collect(),
        ),
    }
}

fn items(numbers: &mut Numbers, depth: usize) -> Value {
    let identity = ["id", "key", "name", "title"][numbers.below(4)];
    let count = numbers.below(7);
    let mut items: Vec<Value> = Vec::with_capacity(count);
    for _ in 0..count {
        let id = if numbers.one_in(2) {
            json!(numbers.below(20))
        } else {
            json!(format!("n-{}", numbers.below(20)))
        };
        let mut item = Map::from_iter([(identity.to_owned(), id)]);
        item.insert("title".to_owned(), scalar(numbers));
        if depth > 0 && numbers.one_in(2) {
            item.insert("cards".to_owned(), items_or_value(numbers, depth - 1));
        }
        items.push(Value::Object(item));
    }
    Value::Array(items)
}

fn items_or_value(numbers: &mut Numbers, depth: usize) -> Value {
    if numbers.one_in(4) { value(numbers, depth) } else { items(numbers, depth) }
}

/// Changes a value as people change pages: some fields, some items, some order.
fn changed(numbers: &mut Numbers, value: &Value) -> Value {
    if numbers.one_in(12) {
        return self::value(numbers, 2);
    }
    match value {
        Value::Object(members) => {
            let mut members = members.clone();
            for (_, member) in members.iter_mut() {
                if numbers.one_in(3) {
                    *member = changed(numbers, member);
                }
            }
            if numbers.one_in(8) {
                members.insert(MEMBERS[numbers.below(MEMBERS.len())].to_owned(), self::value(numbers, 1));
            }
            if numbers.one_in(8) && !members.is_empty() {
                let gone = members.keys().nth(numbers.below(members.len())).cloned().unwrap_or_default();
                members.remove(&gone);
            }
            Value::Object(members)
        }
        Value::Array(items) => {
            let mut items = items.clone();
            for item in &mut items {
                if numbers.one_in(4) {
                    *item = changed(numbers, item);
                }
            }
            for _ in 0..numbers.below(4) {
                let (from, to) = (numbers.below(items.len()), numbers.below(items.len()));
                match numbers.below(4) {
                    0 if !items.is_empty() => drop(items.remove(from)),
                    1 => {
                        items.insert(to, json!({ "id": format!("new-{}", numbers.below(9)), "title": "new" }))
                    }
                    _ if !items.is_empty() => {
                        let item = items.remove(from);
                        items.insert(to, item);
                    }
                    _ => {}
                }
            }
            Value::Array(items)
        }
        _ => scalar(numbers),
    }
}

/// Takes an item out of one array and puts it in another, as a card goes from list to list.
fn relocated(numbers: &mut Numbers, state: &mut Value) {
    let mut arrays = Vec::new();
    pointers(state, String::new(), &mut arrays);
    if arrays.len() < 2 {
        return;
    }
    let from = arrays[numbers.below(arrays.len())].clone();
    let Some(items) =
        state.pointer_mut(&from).and_then(Value::as_array_mut).filter(|items| !items.is_empty())
    else {
        return;
    };
    let item = items.remove(numbers.below(items.len()));
    let mut arrays = Vec::new();
    pointers(state, String::new(), &mut arrays);
    let to = arrays[numbers.below(arrays.len())].clone();
    if let Some(items) = state.pointer_mut(&to).and_then(Value::as_array_mut) {
        let place = numbers.below(items.len() + 1);
        items.insert(place, item);
    }
}

fn pointers(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            found.push(at.clone());
            for (index, item) in items.iter().enumerate() {
                pointers(item, format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                pointers(member, format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn pair(numbers: &mut Numbers) -> (Value, Value) {
    let before = value(numbers, 3);
    let mut after = if numbers.one_in(10) { value(numbers, 3) } else { changed(numbers, &before) };
    if numbers.one_in(3) {
        relocated(numbers, &mut after);
    }
    (before, after)
}

/// Applies the patch with another implementation of RFC 6902.
fn applied(before: &Value, diff: &Diff) -> Value {
    let patch: Patch = serde_json::from_value(json!(diff.patches)).expect("a patch by RFC 6902");
    let mut state = before.clone();
    json_patch::patch(&mut state, &patch)
        .unwrap_or_else(|error| panic!("{error}: {before} {}", json!(diff.patches)));
    state
}

/// What must hold of the difference between any two states.
fn holds(before: &Value, after: &Value) {
    let diff = Diff::between(before, after);
    assert_eq!(applied(before, &diff), *after, "from {before} by {}", json!(diff.patches));
    let whole = bytes(&json!([{ "op": "replace", "path": "", "value": after }]));
    assert!(bytes(&diff.patches) * 10 <= whole * 11, "{before} to {after} by {}", json!(diff.patches));
    assert_eq!(diff.is_empty(), before == after, "{before} to {after}");
    assert_eq!(diff.semantic_deltas.is_empty(), before == after, "{before} to {after}");
}

/// A part of the hundred thousand pairs; the parts run side by side.
fn part(seed: u64) {
    let mut numbers = Numbers(seed);
    for _ in 0..25_000 {
        let (before, after) = pair(&mut numbers);
        holds(&before, &after);
    }
}

#[test]
fn the_patch_between_any_two_states_gives_the_second_exactly_part_1() {
    part(1);
}

#[test]
fn the_patch_between_any_two_states_gives_the_second_exactly_part_2() {
    part(2_000_000);
}

#[test]
fn the_patch_between_any_two_states_gives_the_second_exactly_part_3() {
    part(3_000_000_000);
}

#[test]
fn the_patch_between_any_two_states_gives_the_second_exactly_part_4() {
    part(4_000_000_000_000);
}

fn card(id: u32, title: &str) -> Value {
    json!({ "id": format!("card-{id}"), "title": title, "label": "soil" })
}

fn board(lists: &[(&str, Vec<Value>)]) -> Value {
    let lists: Vec<Value> = lists
        .iter()
        .map(|(name, cards)| json!({ "id": name.to_lowercase(), "name": name, "count": cards.len(), "cards": cards }))
        .collect();
    json!({ "board": { "filter": "", "lists": lists } })
}

/// What a caller sees of a change.
fn shown(before: &Value, after: &Value) -> String {
    holds(before, after);
    let diff = Diff::between(before, after);
    let lines = |values: Vec<Value>| values.iter().map(|value| format!("  {value}\n")).collect::<String>();
    let patches = diff.patches.iter().map(|operation| json!(operation)).collect();
    let deltas = diff.semantic_deltas.iter().map(|delta| json!(delta)).collect();
    format!("patch\n{}deltas\n{}", lines(patches), lines(deltas))
}

#[test]
fn a_card_that_is_added_moved_renamed_or_archived_is_one_small_change() {
    let (sow, dig, mow) = (card(1, "Sow beans"), card(2, "Dig the pond"), card(3, "Mow"));
    let before = board(&[("Ideas", vec![sow.clone(), dig.clone(), mow.clone()]), ("Done", vec![])]);
    let cases = [
        (
            "added at the top",
            board(&[
                ("Ideas", vec![card(4, "Rake"), sow.clone(), dig.clone(), mow.clone()]),
                ("Done", vec![]),
            ]),
        ),
        ("moved up", board(&[("Ideas", vec![mow.clone(), sow.clone(), dig.clone()]), ("Done", vec![])])),
        (
            "renamed",
            board(&[("Ideas", vec![sow.clone(), card(2, "Dig a well"), mow.clone()]), ("Done", vec![])]),
        ),
        ("archived", board(&[("Ideas", vec![sow.clone(), mow.clone()]), ("Done", vec![])])),
        (
            "moved to another list",
            board(&[("Ideas", vec![sow.clone(), mow.clone()]), ("Done", vec![dig.clone()])]),
        ),
        (
            "moved to another list and renamed",
            board(&[("Ideas", vec![sow.clone(), mow.clone()]), ("Done", vec![card(2, "Dug the pond")])]),
        ),
    ];
    let text: Vec<String> =
        cases.iter().map(|(name, after)| format!("# {name}\n{}", shown(&before, after))).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn items_without_identity_are_followed_by_their_value() {
    let lines = |texts: &[&str]| json!({ "log": texts, "rows": texts.iter().map(|text| json!([text])).collect::<Vec<_>>() });
    let before = lines(&["c", "b", "a"]);
    let cases = [
        ("one in front", lines(&["d", "c", "b", "a"])),
        ("one in front, the last dropped", lines(&["d", "c", "b"])),
        ("one changed", lines(&["c", "B", "a"])),
        ("all gone", lines(&[])),
    ];
    let text: Vec<String> =
        cases.iter().map(|(name, after)| format!("# {name}\n{}", shown(&before, after))).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn what_the_reference_calls_add_remove_and_replace_is_that_here_too() {
    let before = json!({ "a": 1, "gone": true, "list": [1, 2] });
    let after = json!({ "a": 2, "list": [1, 2, 3], "new": null });
    insta::assert_snapshot!(shown(&before, &after));
}

#[test]
fn names_tell_items_apart_only_when_they_are_unique() {
    let before = json!([{ "name": "a", "n": 1 }, { "name": "b", "n": 2 }]);
    let swapped = json!([{ "name": "b", "n": 2 }, { "name": "a", "n": 1 }]);
    assert_eq!(
        json!(patch::between(&before, &swapped)),
        json!([{ "op": "move", "from": "/1", "path": "/0" }])
    );
    let twins = json!([{ "name": "a", "n": 1 }, { "name": "a", "n": 2 }]);
    let fewer = json!([{ "name": "a", "n": 2 }]);
    assert_eq!(json!(patch::between(&twins, &fewer)), json!([{ "op": "remove", "path": "/0" }]));
}

#[test]
fn ten_thousand_items_in_reverse_are_compared_in_bounded_time() {
    let items =
        |ids: &mut dyn Iterator<Item = usize>| json!(ids.map(|id| json!({ "id": id })).collect::<Vec<_>>());
    let (before, after) = (items(&mut (0..10_000)), items(&mut (0..10_000).rev()));
    assert_eq!(
        patch::between(&before, &after).len(),
        1,
        "replacing is shorter than moving nearly all of them"
    );
}

#[test]
fn a_change_too_large_to_be_worth_a_patch_replaces_the_part_it_is_in() {
    let before = json!({ "kept": "x".repeat(200), "rows": [1, 2, 3, 4] });
    let after = json!({ "kept": "x".repeat(200), "rows": [5, 6, 7, 8] });
    assert_eq!(
        json!(patch::between(&before, &after)),
        json!([{ "op": "replace", "path": "/rows", "value": [5, 6, 7, 8] }])
    );
}
