//! Every item against the messages in fixtures/protocol.
//!
//! - `golden/` holds messages as we write them: reading and writing gives the same bytes.
//! - `tolerated/` holds messages as others may write them: the snapshot shows what a relay would hand on.
//! - `rejected/` holds messages that are no items: the snapshot shows the sentence their sender gets.

use std::{collections::BTreeSet, fs, path::PathBuf};

use actions_protocol::Item;
use serde_json::Value;

/// The name and the text of every message in a folder, sorted by name.
fn fixtures(folder: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/protocol").join(folder);
    let mut found: Vec<(String, String)> = fs::read_dir(&folder)
        .expect("the folder of fixtures exists")
        .map(|entry| entry.expect("the folder can be listed").path())
        .map(|path| {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a fixture is UTF-8 text"))
        })
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{} is empty", folder.display());
    found
}

#[test]
fn golden_messages_come_out_byte_for_byte() {
    for (name, text) in fixtures("golden") {
        let item = Item::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_string_pretty(&item).unwrap() + "\n", text, "{name}");
        assert_eq!(Item::parse(&item.to_json()).unwrap(), item, "{name}");
    }
}

#[test]
fn every_type_has_a_golden_message_with_all_of_its_fields() {
    // A field that is absent from its golden message would be absent from the round trip above as well, so the
    // fields are counted where they are declared: an item that was read from nothing but its golden message
    // has no empty field.
    let mut seen = BTreeSet::new();
    for (name, text) in fixtures("golden") {
        if !Item::TYPES.contains(&name.as_str()) {
            continue;
        }
        let item = Item::parse(&text).unwrap();
        assert!(!format!("{item:?}").contains(": None"), "{name} leaves a field out: {item:#?}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["type"], name.as_str());
        seen.insert(name);
    }
    assert_eq!(seen, Item::TYPES.iter().map(|name| (*name).to_owned()).collect());
}

#[test]
fn foreign_messages_lose_nothing() {
    let mut table = String::new();
    for (name, text) in fixtures("tolerated") {
        let item = Item::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let relayed: Value = serde_json::to_value(&item).unwrap();
        let original: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(relayed, without_nulls_at_the_top(original), "{name}");
        table += &format!("{name}\n    {}\n", item.to_json());
    }
    insta::assert_snapshot!(table);
}

/// `null` in an optional field of an item means that the field is absent.
fn without_nulls_at_the_top(mut message: Value) -> Value {
    if let Some(fields) = message.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    message
}

#[test]
fn what_is_no_item_is_refused_with_a_sentence_and_its_call() {
    let mut table = String::new();
    for (name, text) in fixtures("rejected") {
        let error = match Item::parse(&text) {
            Ok(item) => panic!("{name} was accepted: {item:?}"),
            Err(error) => error,
        };
        let answers = error.call_id().map_or_else(|| "no call".to_owned(), ToString::to_string);
        table += &format!("{name}\n    {error}\n    answers: {answers}\n");
        assert_eq!(error.to_error_object().message, error.to_string());
    }
    insta::assert_snapshot!(table);
}
