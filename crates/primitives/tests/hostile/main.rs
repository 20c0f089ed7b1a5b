//! Performs every case of the hostile-page corpus and holds each answer against what the page itself recorded.
//!
//! A test is a topic of the corpus on one of the two browsers. `HOSTILE_CASE=NAME` performs one case only and prints its
//! answer; `HOSTILE_RESULTS=FOLDER` leaves the verdicts there, a JSON file for each topic and browser.

#![allow(clippy::print_stderr, reason = "`HOSTILE_CASE` is asked by a person")]

mod browser;
mod case;
mod judge;
mod perform;
mod results;
mod site;
mod topic;

use std::path::PathBuf;

fn corpus() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/hostile"))
}

/// The tests: every topic of `case.schema.json` on every browser.
macro_rules! topics {
    ($($topic:ident)+) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),+];

        mod every_answer_is_true_about {
            $(mod $topic {
                use crate::browser::Kind;
                use crate::topic::hold;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_headless_shell() {
                    hold(stringify!($topic), Kind::HeadlessShell).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                #[ignore = "the same again in the whole browser takes minutes: --run-ignored all"]
                async fn on_chromium() {
                    hold(stringify!($topic), Kind::Chromium).await;
                }
            })+
        }
    };
}

topics! {
    covering disabled rendering geometry scrolling motion replacement text forms identity shadow frames dialogs navigation
    pointer scripts waiting
}

#[test]
fn every_case_belongs_to_a_topic_that_is_tested() {
    for case in case::read_all(&corpus()) {
        assert!(TOPICS.contains(&case.topic.as_str()), "{} is about {}", case.name, case.topic);
    }
}
