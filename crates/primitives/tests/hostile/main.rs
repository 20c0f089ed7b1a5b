//! Performs every case of the hostile-page corpus and holds each answer against what the page itself recorded.
//!
//! `HOSTILE_CASE=NAME` performs one case and prints its answer; `HOSTILE_BROWSER=chromium` takes a whole Chromium
//! instead of the headless shell.

mod case;
mod judge;
mod known;
mod perform;
mod site;

use std::collections::BTreeMap;
use std::path::Path;

use actions_browser::Browser;
use actions_browser::chromium::{self, LaunchOptions};
use futures_util::StreamExt;

use crate::case::Case;
use crate::judge::{Verdict, judge};
use crate::known::Known;
use crate::perform::perform_case;
use crate::site::Site;

/// How many cases are performed at a time.
const AT_A_TIME: usize = 2;

struct Judged {
    name: String,
    verdict: Verdict,
    detail: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; run it with `cargo nextest run -p actions-primitives --run-ignored all hostile`"]
async fn no_hostile_page_gets_a_false_success() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hostile");
    let all = case::read_all(&corpus);
    let wanted = std::env::var("HOSTILE_CASE").ok();
    let cases: Vec<&Case> =
        all.iter().filter(|case| wanted.as_ref().is_none_or(|wanted| case.name == *wanted)).collect();
    assert!(!cases.is_empty(), "there is no case `{}`", wanted.unwrap_or_default());

    let site = Site::start(&corpus, &all).await;
    let browser = chromium::launch(options()).await.expect("a browser is installed").browser;
    let judged: Vec<Judged> = futures_util::stream::iter(cases)
        .map(|case| run(&browser, &site, case))
        .buffered(AT_A_TIME)
        .collect()
        .await;
    browser.close().await;

    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for one in &judged {
        *counts.entry(one.verdict).or_default() += 1;
        if !one.verdict.is_right() || wanted.is_some() {
            eprintln!("{} {:?}: {}", one.name, one.verdict, one.detail);
        }
    }
    for (verdict, count) in &counts {
        eprintln!("{count:5}  {verdict:?}");
    }
    let surprises = surprises(&judged);
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

fn options() -> LaunchOptions {
    let whole = std::env::var("HOSTILE_BROWSER").is_ok_and(|kind| kind == "chromium");
    let found = chromium::launch::find(None, whole).expect("a browser is installed");
    // The shell keeps sites apart only when it is told to; a whole Chromium always does.
    let extra_args = if whole { Vec::new() } else { vec!["--site-per-process".to_owned()] };
    LaunchOptions { executable: Some(found.path), extra_args, ..LaunchOptions::default() }
}

async fn run(browser: &dyn Browser, site: &Site, case: &Case) -> Judged {
    let performed = perform_case(browser, site, case).await;
    let (verdict, detail) = judge(site, case, &performed.answer).await;
    performed.close(browser).await;
    Judged { name: case.name.clone(), verdict, detail }
}

/// What is neither right nor listed, and what is listed and no longer so.
fn surprises(judged: &[Judged]) -> Vec<String> {
    let known = Known::read();
    let unlisted = judged
        .iter()
        .filter(|one| !one.verdict.is_right() && !known.lists(one.verdict, &one.name))
        .map(|one| format!("{} {:?} {}", one.name, one.verdict, one.detail));
    let outdated = known.always.iter().flat_map(|(&verdict, cases)| {
        let gone =
            move |name: &&String| judged.iter().any(|one| one.name == **name && one.verdict != verdict);
        cases.keys().filter(gone).map(move |name| format!("{name} is listed as {verdict:?} and is no longer"))
    });
    unlisted.chain(outdated).collect()
}
