//! The drift corpus: pages before and after a change, with what a check must say of each.
//!
//! A pair is a file in `fixtures/drift/pairs`; its pages are in `fixtures/drift/pages`. A new pair is a new file.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod pair;
mod tally;

use std::path::{Path, PathBuf};

use actions_drift::{CheckResult, Checker, Lock, Options, Recording, Source};
use actions_engine::Engine;
use actions_engine::browser::chromium::{LaunchOptions, Reach, launch};
use actions_engine::browser::{Browser, Deadline, SystemClock};
use futures_util::StreamExt;
use pair::Pair;
use tally::{Judged, Tally};

/// Pairs that are looked at side by side.
const JOBS: usize = 4;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/drift")
}

fn pairs() -> Vec<Pair> {
    let entries = std::fs::read_dir(fixtures().join("pairs")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| Pair::read(file, &fixtures().join("pages"))).collect()
}

/// Checks the map of a pair on a recording. Also gives the lock, if it is to be updated.
async fn check(
    browser: &dyn Browser,
    engine: &Engine,
    recording: Recording,
    lock: &Lock,
    update_lock: bool,
) -> (Vec<CheckResult>, Option<Lock>) {
    let options =
        Options { update_lock, patience: std::time::Duration::from_millis(600), ..Options::default() };
    let checker = Checker {
        browser,
        engine,
        name: "pair".to_owned(),
        lock,
        source: &Source::Recorded(vec![recording]),
        start: None,
        also: Vec::new(),
        only: None,
        options: &options,
    };
    let checked = checker.check().await;
    (checked.results, checked.lock)
}

async fn judge(browser: &dyn Browser, pair: &Pair) -> Judged {
    let engine = pair.engine();
    let (before, lock) = check(browser, &engine, pair.before(), &Lock::default(), true).await;
    let lock = lock.expect("it was asked for");
    let fine = before.iter().all(|result| matches!(result.status.as_str(), "passed" | "skipped"));
    assert!(fine, "{}: the page before is what the map describes: {before:#?}", pair.name);
    let (after, _) = check(browser, &engine, pair.after(), &lock, false).await;
    pair.judge(&after)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drift_is_told_from_what_is_none_and_repairs_are_right() {
    let only = std::env::var("ACTIONS_DRIFT_PAIR").ok();
    let mut pairs = pairs();
    pairs.retain(|pair| only.as_ref().is_none_or(|only| pair.name.contains(only.as_str())));
    let options = LaunchOptions { reach: Reach::Nowhere, ..LaunchOptions::default() };
    let browser = launch(options).await.unwrap().browser;
    let judged: Vec<Judged> =
        futures_util::stream::iter(&pairs).map(|pair| judge(&browser, pair)).buffered(JOBS).collect().await;
    browser.close_by(Deadline::after(&SystemClock, std::time::Duration::from_secs(10))).await;

    let tally = Tally::of(&judged);
    println!("{}", tally.table());
    tally.mistakes().iter().for_each(|mistake| println!("{mistake}"));
    if only.is_some() {
        return;
    }
    assert!(
        tally.pairs() >= 80 && tally.controls() >= 25,
        "{} pairs, {} controls",
        tally.pairs(),
        tally.controls()
    );
    let share = tally.right() as f64 / tally.pairs() as f64;
    assert!(share >= 0.95, "{} of {} pairs are classified as they should be", tally.right(), tally.pairs());
    assert_eq!(tally.cries_on_controls(), 0, "an unchanged page is no drift");
    assert_eq!(tally.proposals_for_removed(), 0, "nothing is proposed for what is gone");
    assert_eq!(tally.proposals_of_look_alikes(), 0, "no proposal picks the look-alike");
    tally.is_documented(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/internals/drift.md"));
}
