//! Every performed primitive on both browsers: a success, every code it declares, and arguments that do not fit.
//!
//! `fixtures/primitives/FAMILY/NAME/` holds its pages and `cases.json`. Codes that any primitive of its kind may give, such as
//! `browser_lost`, are brought about for each primitive that declares them, from the arguments of its first case.

#[path = "../hostile/browser.rs"]
mod browser;
mod case;
mod common;
mod complete;
mod perform;
mod site;
mod stage;

/// The tests: every family of primitives on every browser, and every common cause of failure.
macro_rules! families {
    ($($family:ident)+) => {
        const FAMILIES: &[&str] = &[$(stringify!($family)),+];

        mod cases_of {
            $(mod $family {
                use crate::browser::Kind;
                use crate::perform::hold;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_headless_shell() {
                    hold(stringify!($family), Kind::HeadlessShell).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_chromium() {
                    hold(stringify!($family), Kind::Chromium).await;
                }
            })+
        }
    };
}

families! {
    browser debug dom form keyboard locator marker overlay page pointer runtime storage task text transfer viewport
}
