//! A slice of what `cargo xtask fuzz parsers` runs.

use actions_workshop::fuzz::parsers::{PARSERS, Parser};

const SEED: u64 = 1;
const EXECUTIONS: u64 = 500;

fn attack(name: &str) {
    let parser = Parser::named(name).expect("a parser of this name");
    let seeds = parser.seeds().expect("texts to begin with");
    for number in 0..EXECUTIONS {
        let text = parser.text(&seeds, SEED, number);
        let breach = parser.breach(&text);
        assert_eq!(breach, None, "execution {number} of seed {SEED}: {}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn damaged_recordings_are_read_right_or_refused() {
    attack("har");
}

#[test]
fn damaged_storage_states_are_read_right_or_refused() {
    attack("storage");
}

#[test]
fn damaged_messages_of_the_browser_are_read_right_or_refused() {
    attack("cdp");
}

#[test]
fn damaged_items_are_read_right_or_refused() {
    attack("item");
}

#[test]
fn damaged_maps_are_read_right_or_refused() {
    attack("map");
}

#[test]
fn every_text_to_begin_with_is_read_right() {
    for parser in PARSERS {
        let seeds = parser.seeds().expect("texts to begin with");
        assert!(
            seeds.iter().all(|seed| parser.breach(seed).is_none()),
            "{} misreads its own texts",
            parser.name
        );
    }
}
