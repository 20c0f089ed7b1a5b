//! Performs every case of the hostile-page corpus and compares each outcome with what the page itself recorded.
//!
//! A test runs one topic of the corpus on one of the two browsers. `HOSTILE_CASE=NAME` performs one case only and prints its
//! outcome. `HOSTILE_RESULTS=FOLDER` writes the verdicts there, a JSON file for each topic and browser.

#![allow(clippy::print_stderr, reason = "`HOSTILE_CASE` prints for a person")]

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

/// Makes two tests of each topic of `case.schema.json`, one per browser.
macro_rules! topics {
    ($($topic:ident)+) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),+];

        mod every_answer_is_true_about {
            $(mod $topic {
                use crate::browser::Kind;
                use crate::topic::run_topic;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_headless_shell() {
                    run_topic(stringify!($topic), Kind::HeadlessShell).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                #[ignore = "repeating every case in Chromium takes minutes: --run-ignored all"]
                async fn on_chromium() {
                    run_topic(stringify!($topic), Kind::Chromium).await;
                }
            })+
        }
    };
}

topics! {
    covering disabled rendering geometry scrolling motion replacement text forms identity shadow frames dialogs navigation
    pointer scripts waiting
}

/// By topic, cases that the corpus must have.
const REQUIRED: &[(&str, &[&str])] = &[
    (
        "covering",
        &["covered-by-overlay", "covered-by-transparent-overlay", "cookie-wall", "label-keeps-click"],
    ),
    ("disabled", &["disabled-button", "aria-disabled", "disabled-fieldset", "hover-disabled"]),
    ("rendering", &["display-none", "visibility-hidden", "opacity-zero", "content-visibility-auto"]),
    ("geometry", &["rotated", "zoomed", "perspective"]),
    ("scrolling", &["scroll-nested", "scroll-smooth", "scroll-locked"]),
    (
        "motion",
        &[
            "slides-in",
            "infinite-animation",
            "layout-shift",
            "target-slides-and-stops",
            "target-slides-by-script",
        ],
    ),
    ("replacement", &["replaced-on-hover", "re-rendered-all-the-time", "recycled-row"]),
    (
        "text",
        &[
            "contenteditable",
            "controlled-input-rewrites",
            "maxlength",
            "editor-indents",
            "phone-mask",
            "phone-mask-exact",
            "terminal",
            "type-without-focus",
            "textarea-swallows-keys",
        ],
    ),
    (
        "forms",
        &[
            "select-missing-option",
            "checkbox-reverts",
            "checkbox-reverts-in-a-timer",
            "switch-answers-late",
            "label-is-the-target",
            "invalid-form-submit",
            "file-input",
            "clobbered-form",
        ],
    ),
    ("identity", &["hidden-twin", "strict-twins", "role-and-name", "label-swapped-on-move"]),
    ("shadow", &["shadow-open", "shadow-nested", "shadow-closed", "shadow-closed-spinner"]),
    ("frames", &["frame-cross-origin", "frame-nested", "frame-scaled", "frame-in-closed-root"]),
    ("dialogs", &["alert-on-click", "confirm-on-load", "prompt-on-click", "beforeunload"]),
    (
        "navigation",
        &[
            "slow-navigation",
            "pushstate-router",
            "download-link",
            "target-blank",
            "fill-navigates",
            "select-navigates",
            "checkbox-navigates",
        ],
    ),
    (
        "pointer",
        &[
            "drag-html5",
            "drag-pointer-events",
            "drag-covered-on-the-way",
            "drag-under-cursor-overlay",
            "drag-sorts-the-list",
            "slider-renders-later",
            "menu-acts-on-pointerup",
            "removed-on-mousedown",
            "closes-when-focus-leaves",
            "double-click",
            "right-click",
        ],
    ),
    (
        "scripts",
        &["prototypes-overridden", "json-overridden", "csp-forbids-everything", "handler-never-returns"],
    ),
    ("waiting", &["appears-after-delay", "hidden-after-delay", "detached-after-delay", "never-appears"]),
];

#[test]
fn the_corpus_has_every_required_case() {
    let cases = case::read_all(&corpus());
    for (topic, names) in REQUIRED {
        for name in *names {
            let found = cases.iter().find(|case| case.name == *name);
            let about = found.map(|case| case.topic.as_str());
            assert_eq!(about, Some(*topic), "{name}");
        }
    }
    let required: Vec<&str> = REQUIRED.iter().map(|(topic, _)| *topic).collect();
    assert_eq!(required, TOPICS);
}

#[test]
fn every_case_has_an_assertion() {
    for case in case::read_all(&corpus()) {
        let said = case.truth.always.len() + case.truth.on_success.len() + case.truth.on_refusal.len();
        assert!(said > 0, "{} has no assertion", case.name);
    }
}

#[test]
fn every_case_belongs_to_a_tested_topic() {
    for case in case::read_all(&corpus()) {
        assert!(TOPICS.contains(&case.topic.as_str()), "{} is about {}", case.name, case.topic);
    }
}
