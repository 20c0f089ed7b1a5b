//! Performs the cases of a topic and collects the verdicts.

use actions_browser::Browser;
use futures_util::StreamExt;

use crate::browser::Kind;
use crate::case::{self, Case};
use crate::judge::{Verdict, judge};
use crate::perform::perform_case;
use crate::results;
use crate::site::Site;

/// How many cases run concurrently. Most of them wait for a page or for their deadline.
const AT_A_TIME: usize = 4;

/// A case and its verdict.
pub(crate) struct Judged {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    pub(crate) detail: String,
}

/// Performs every case of a topic and fails with a list of the wrong ones.
pub(crate) async fn run_topic(topic: &str, kind: Kind) {
    let wanted = std::env::var("HOSTILE_CASE").ok();
    let corpus = crate::corpus();
    let mut cases = case::read_all(&corpus);
    cases.retain(|case| case.topic == topic && wanted.as_ref().is_none_or(|wanted| case.name == *wanted));
    if cases.is_empty() {
        return;
    }
    let site = Site::start(&corpus, &cases).await;
    let browser = kind.launch().await;
    let judged: Vec<Judged> = futures_util::stream::iter(&cases)
        .map(|case| run(&browser, &site, case))
        .buffer_unordered(AT_A_TIME)
        .collect()
        .await;
    browser.close().await;
    results::keep(topic, kind, &judged);
    if wanted.is_some() {
        judged.iter().for_each(|one| eprintln!("{} {:?}: {}", one.name, one.verdict, one.detail));
    }
    let wrong: Vec<String> = judged
        .iter()
        .filter(|one| !one.verdict.is_right())
        .map(|one| format!("{} {:?}: {}", one.name, one.verdict, one.detail))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn run(browser: &dyn Browser, site: &Site, case: &Case) -> Judged {
    let performed = perform_case(browser, site, case).await;
    let (mut verdict, mut detail) = judge(site, case, &performed).await;
    if verdict.is_right() && !performed.undeclared.is_empty() {
        (verdict, detail) = (Verdict::Undeclared, performed.undeclared.join(", "));
    }
    performed.close(browser).await;
    Judged { name: case.name.clone(), verdict, detail }
}
