//! Every control structure, performed twice with the same fixtures: on the fake driver with a clock of its own, and in
//! Chromium. Both must tell the same events.
//!
//! A case is a folder `fixtures/workflows/STRUCTURE/CASE/`:
//!
//! | file | holds |
//! | --- | --- |
//! | `case.json` | the tool, its input, and what the embedder allows |
//! | `actions.json` | the map; its surface is `https://fixture.example` |
//! | `page.html` | the page, for Chromium; the ordinary one of the folder above all cases when absent |
//! | `driver.ndjson` | what the page answered to each question of the driver, for the fake |
//! | `events.snap` | the events, without what time alone decides |
//!
//! `ACTIONS_RECORD=1 INSTA_UPDATE=always cargo nextest run --workspace -E 'test(in_chromium)'` writes the last two anew.

#![allow(clippy::unwrap_used, reason = "a test ends where its fixture is broken")]

mod auto_clock;
mod case;
mod chromium;
mod fake;
mod recorder;
mod stream;

/// Makes the two tests of each structure, and one that no folder is left out.
macro_rules! structures {
    ($($structure:ident)+) => {
        mod in_chromium {
            $(#[test]
            fn $structure() {
                super::chromium::perform(stringify!($structure));
            })+
        }

        mod on_the_fake_driver {
            $(#[test]
            fn $structure() {
                super::fake::perform(stringify!($structure));
            })+
        }

        #[test]
        fn every_folder_of_fixtures_is_performed() {
            let mut named = vec![$(stringify!($structure).to_owned()),+];
            named.sort();
            assert_eq!(named, case::structures());
        }
    };
}

structures! {
    draft_steps
    for_each
    handler
    limits
    nested
    on_dialog
    on_error
    output
    preconditions
    reference
    retry_until
    seed
    settle_after
    static_output
    when
}
