//! Every map of the repository, broken in every way one key can be broken, and in its text.
//!
//! A sample of fixed seed is taken; `ACTIONS_MUTATIONS=all` takes all of them, which needs a release build:
//!
//!     ACTIONS_MUTATIONS=all cargo test --release -p actions-workshop --test mutations -- --nocapture
#![allow(clippy::print_stdout, reason = "the count is worth seeing with --nocapture")]

use actions_workshop::fuzz::{Judge, Mutation, Random, TEXT_CHANGES, site_maps, slices};
use serde_json::Value;

const SEED: u64 = 1;

/// How many of the mutations are judged unless all of them are.
struct Sample {
    of_slices: usize,
    of_maps: usize,
    of_text: usize,
}

const SAMPLE: Sample = Sample { of_slices: 1000, of_maps: 30, of_text: 1000 };

fn everything() -> bool {
    std::env::var("ACTIONS_MUTATIONS").is_ok_and(|which| which == "all")
}

/// The maps of the repository, of which there must be some.
fn maps() -> Vec<Value> {
    let maps: Vec<Value> = site_maps().expect("the maps are read").into_iter().map(|map| map.value).collect();
    assert!(!maps.is_empty(), "there are no maps to break");
    maps
}

/// A text that is made when it is wanted, and what was done to it.
type Damaged<'t> = (Box<dyn Fn() -> String + 't>, Box<dyn Fn() -> Vec<u8> + 't>);

/// Judges these texts, all or `sample` of them, and fails with every breach that is not like another.
fn judge_all(mut texts: Vec<Damaged<'_>>, sample: usize) {
    let judge = Judge::new();
    let total = texts.len();
    if !everything() {
        let mut random = Random::new(SEED);
        let chosen = sample.min(total);
        (0..chosen).for_each(|at| texts.swap(at, at + random.below(total - at)));
        texts.truncate(chosen);
    }
    println!("{} of {total} texts are judged", texts.len());
    let mut kinds = Vec::new();
    let mut breaches = Vec::new();
    for (what, text) in &texts {
        let Some(breach) = judge.judge(&text()) else { continue };
        let kind = breach.kind();
        if !kinds.contains(&kind) {
            kinds.push(kind);
            breaches.push(format!("{}\n    {breach}", what()));
        }
    }
    assert!(breaches.is_empty(), "{} kinds of breach:\n{}", breaches.len(), breaches.join("\n"));
}

fn mutations_of(map: &Value) -> impl Iterator<Item = Damaged<'_>> {
    Mutation::all(map).map(move |mutation| -> Damaged<'_> {
        let named = mutation.clone();
        (Box::new(move || format!("{named:?}")), Box::new(move || mutation.apply(map).into_bytes()))
    })
}

#[test]
fn any_key_of_an_element_may_be_broken() {
    let slices: Vec<Value> = maps().iter().flat_map(slices).collect();
    judge_all(slices.iter().flat_map(mutations_of).collect(), SAMPLE.of_slices);
}

#[test]
fn any_key_of_a_whole_map_may_be_broken() {
    judge_all(maps().iter().flat_map(mutations_of).collect(), SAMPLE.of_maps);
}

#[test]
fn any_text_may_be_damaged() {
    let slices: Vec<String> = maps().iter().flat_map(slices).map(|slice| format!("{slice:#}")).collect();
    let mut texts: Vec<Damaged<'_>> = Vec::new();
    for (number, slice) in slices.iter().enumerate() {
        for (kind, change) in TEXT_CHANGES.iter().enumerate() {
            for round in 0..8 {
                let place = (number * 1000 + kind * 10 + round) as u64;
                let damage = move || {
                    let mut text = slice.clone().into_bytes();
                    change.apply(&mut text, &mut Random::of_execution(SEED, place));
                    text
                };
                texts.push((Box::new(move || format!("{} ({place})", change.name)), Box::new(damage)));
            }
        }
    }
    judge_all(texts, SAMPLE.of_text);
}
