//! Compares our evaluation with stored answers of jsonata.js, which `cargo xtask fuzz expr --store FILE` writes.

use std::fmt::Write as _;

use actions_workshop::fuzz::expr::{Answer, Judgement, KNOWN, Stored, compare, known};

fn stored() -> Stored {
    Stored::read(include_str!("expressions.ndjson")).expect("the stored answers can be read")
}

#[test]
fn every_stored_answer_is_the_same_or_its_difference_is_known() {
    let stored = stored();
    assert!(stored.rows.len() >= 3_000, "only {} answers are left", stored.rows.len());
    let mut report = String::new();
    for (scope, source, theirs) in &stored.rows {
        let ours = Answer::ours(source, &stored.scopes[*scope]);
        let is_different = compare(&ours, theirs) == Judgement::Different;
        if is_different && known(source, &ours, theirs).is_none() {
            writeln!(report, "{source}\n  ours   {ours}\n  theirs {theirs}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_known_difference_still_exists() {
    let stored = stored();
    for difference in KNOWN {
        let row = stored.rows.iter().find(|(_, source, _)| source == difference.example);
        let (scope, source, theirs) = row.unwrap_or_else(|| panic!("no answer to {}", difference.example));
        let ours = Answer::ours(source, &stored.scopes[*scope]);
        let explained = known(source, &ours, theirs).map(|known| known.difference);
        assert_eq!(compare(&ours, theirs), Judgement::Different, "{source} agrees now: {ours}");
        assert_eq!(explained, Some(difference.difference), "{source}: ours {ours}, theirs {theirs}");
    }
}
