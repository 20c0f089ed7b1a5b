//! A slice of what `cargo xtask fuzz` runs, and every text that ever showed something wrong.

use std::fs;
use std::path::Path;

use actions_workshop::fuzz::{Executions, Judge};

const SEED: u64 = 1;
const EXECUTIONS: u64 = 2000;

#[test]
fn every_property_holds_for_texts_made_at_random() {
    let executions = Executions::new(SEED).unwrap();
    let judge = Judge::new();
    for number in 0..EXECUTIONS {
        let text = executions.text(number);
        let breach = judge.judge(&text);
        assert_eq!(breach, None, "execution {number} of seed {SEED}: {}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn every_property_holds_for_texts_that_once_showed_a_breach() {
    let judge = Judge::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(judge.judge(&fs::read(&path).unwrap()), None, "{}", path.display());
    }
}
