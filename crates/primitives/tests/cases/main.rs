//! Runs the cases of every performed primitive on both browsers: a success, every declared error code, invalid arguments.
//!
//! `fixtures/primitives/FAMILY/NAME/` has the pages and `cases.json`. Codes that many primitives share, such as
//! `browser_lost`, need no case: `common` causes them for each primitive that declares them, with the arguments of its
//! first case.

#[path = "../hostile/browser.rs"]
mod browser;
mod case;
mod commands;
mod common;
mod complete;
mod examples;
mod invalid;
mod perform;
mod places;
mod requests;
mod site;
mod stage;

/// Makes two tests of each family in the table of primitives, one per browser.
macro_rules! table {
    ($($family:ident { $($row:tt)+ })+) => {
        const FAMILIES: &[&str] = &[$(stringify!($family)),+];

        mod cases_of {
            $(mod $family {
                use crate::browser::Kind;
                use crate::perform::run_family;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_headless_shell() {
                    run_family(stringify!($family), Kind::HeadlessShell).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_chromium() {
                    run_family(stringify!($family), Kind::Chromium).await;
                }
            })+
        }
    };
}

include!("../../src/table/rows.rs");
