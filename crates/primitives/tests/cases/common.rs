//! Failures that many primitives have in common. For each code, every primitive that declares it is performed in a situation
//! that causes it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actions_browser::{Browser, Deadline, LoadState};
use actions_dictionary::Dictionary;
use actions_protocol::ErrorCode;
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::browser::Kind;
use crate::case::{Cases, read_all};
use crate::perform::fill;
use crate::site::Site;
use crate::stage::{Opened, within};

/// The situation that causes a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The browser has crashed.
    BrowserGone,
    /// The page is closed.
    PageClosed,
    /// The page's process has crashed.
    PageCrashed,
    /// A dialog is open.
    Dialog,
    /// A script of the page never ends, and the deadline is short. A primitive that needs no page gets no time at all.
    NoTime,
    /// The selector does not parse.
    BadSelector,
    /// The locator names a frame that does not exist.
    NoFrame,
    /// The frame is removed while its document is busy.
    FrameLeaves,
    /// No element matches the locator.
    NoTarget,
    /// Several elements match a strict locator.
    SeveralTargets,
    /// The page has more elements than a locator searches.
    TooMuch,
    /// The page answers any input by navigating to a server that never responds.
    EndlessLoad,
}

/// The common codes and what causes them. A primitive that has a case of its own for a code is left out.
pub(crate) const COMMON: &[(ErrorCode, Cause)] = &[
    (ErrorCode::BrowserLost, Cause::BrowserGone),
    (ErrorCode::PageClosed, Cause::PageClosed),
    (ErrorCode::PageCrashed, Cause::PageCrashed),
    (ErrorCode::DialogOpen, Cause::Dialog),
    (ErrorCode::HandlerTimeout, Cause::NoTime),
    (ErrorCode::InvalidSelector, Cause::BadSelector),
    (ErrorCode::FrameNotFound, Cause::NoFrame),
    (ErrorCode::FrameDetached, Cause::FrameLeaves),
    (ErrorCode::TargetNotFound, Cause::NoTarget),
    (ErrorCode::MultipleTargets, Cause::SeveralTargets),
    (ErrorCode::PayloadTooLarge, Cause::TooMuch),
    (ErrorCode::Timeout, Cause::EndlessLoad),
];

macro_rules! causes {
    ($($test:ident $code:ident;)+) => {
        $(mod $test {
            use actions_protocol::ErrorCode;

            use crate::browser::Kind;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_headless_shell() {
                super::bring_about(ErrorCode::$code, Kind::HeadlessShell).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_chromium() {
                super::bring_about(ErrorCode::$code, Kind::Chromium).await;
            }
        })+

        #[test]
        fn every_common_code_is_brought_about() {
            let tested = [$(ErrorCode::$code),+];
            assert!(COMMON.iter().all(|(code, _)| tested.contains(code)));
        }
    };
}

causes! {
    a_lost_browser BrowserLost;
    a_closed_page PageClosed;
    a_crashed_page PageCrashed;
    an_open_dialog DialogOpen;
    a_call_without_time HandlerTimeout;
    a_selector_that_does_not_parse InvalidSelector;
    a_frame_that_is_not_there FrameNotFound;
    a_frame_that_leaves FrameDetached;
    a_target_that_is_not_there TargetNotFound;
    several_targets MultipleTargets;
    too_much_to_search PayloadTooLarge;
    a_document_that_never_comes Timeout;
}

/// Performs every primitive that declares a code, and has no case of its own for it, in the situation that causes it.
async fn bring_about(code: ErrorCode, kind: Kind) {
    let cause =
        COMMON.iter().find(|(common, _)| *common == code).map(|(_, cause)| *cause).expect("it is common");
    let site = Site::start().await;
    let browser = kind.launch().await;
    let declaring = read_all().into_iter().filter(|cases| cases.primitive.may_give(code));
    let declaring: Vec<Cases> =
        declaring.filter(|cases| cases.file.cases.iter().all(|case| case.error != Some(code))).collect();
    assert!(!declaring.is_empty(), "no primitive declares {code} without a case of its own");
    let wrong: Vec<String> = if matches!(cause, Cause::FrameLeaves | Cause::NoTime | Cause::EndlessLoad) {
        // The situation changes the page, so every primitive gets a page of its own.
        futures_util::stream::iter(&declaring)
            .map(async |cases| {
                let opened = match cause {
                    Cause::EndlessLoad => leaving(&browser, &site, cases).await,
                    _ => prepare(&browser, &site, cause).await,
                };
                let failing = fails(&opened, &site, cases, cause, code);
                let wrong = match cause {
                    Cause::FrameLeaves => opened.meanwhile("frame.remove()", failing).await,
                    _ => failing.await,
                };
                opened.close(&browser).await;
                wrong
            })
            .buffer_unordered(6)
            .filter_map(std::future::ready)
            .collect()
            .await
    } else {
        let opened = prepare(&browser, &site, cause).await;
        // Waiting for a missing frame takes time and no work, so many primitives wait at once.
        let at_a_time = if cause == Cause::NoFrame { 10 } else { 1 };
        futures_util::stream::iter(&declaring)
            .map(|cases| fails(&opened, &site, cases, cause, code))
            .buffer_unordered(at_a_time)
            .filter_map(std::future::ready)
            .collect()
            .await
    };
    browser.close().await;
    assert!(wrong.is_empty(), "not {code}:\n{}", wrong.join("\n"));
}

/// Performs a primitive that must fail with a code. Returns what it did instead, if anything.
async fn fails(opened: &Opened, site: &Site, cases: &Cases, cause: Cause, code: ErrorCode) -> Option<String> {
    let args = fill(site, &arguments(cases, cause));
    let needs_page = cases.primitive.may_give(ErrorCode::DialogOpen);
    let deadline_ms = match cause {
        Cause::NoTime if needs_page => 400,
        Cause::NoTime => 0,
        _ => 30_000,
    };
    opened.register(&cases.file.markers);
    store_values(opened, cases).await;
    match opened.perform(cases.primitive, args.clone(), deadline_ms).await {
        Err(failure) if failure.code == code => None,
        answer => Some(format!("{} with {args}: {answer:?}", cases.primitive.name)),
    }
}

/// Stores the values that the first case of a primitive needs. That takes no page.
async fn store_values(opened: &Opened, cases: &Cases) {
    let stored = cases.file.cases[0].before.iter().filter(|step| step.primitive == "transfer.write");
    for step in stored {
        let primitive = Dictionary::builtin().get(&step.primitive).expect("it is a primitive");
        opened.perform(primitive, step.args.clone(), 30_000).await.expect("a value can be stored");
    }
}

async fn prepare(browser: &actions_browser::chromium::ChromiumBrowser, site: &Site, cause: Cause) -> Opened {
    let (page, until) = match cause {
        Cause::Dialog => ("dialog", LoadState::Load),
        Cause::NoTime => ("busy", LoadState::Commit),
        Cause::FrameLeaves => ("frame_leaves", LoadState::Load),
        Cause::TooMuch => ("too_much", LoadState::Load),
        _ => ("page", LoadState::Load),
    };
    let url = site.server.url(&format!("/_shared/{page}.html?{}", next_number()));
    let opened = Opened::new(browser, &url, until).await;
    let soon = within(&opened.stage, 60_000);
    match cause {
        Cause::BrowserGone => {
            // The browser crashes before it can respond.
            drop(browser.session().expect("it lives").send_raw("Browser.crash", &json!({}), soon));
            browser.lost().await;
        }
        Cause::PageClosed => opened.page.close(soon).await.expect("a page can be closed"),
        Cause::PageCrashed => {
            // The response does not matter, because the page has crashed.
            let _ = opened.page.navigate("chrome://crash", LoadState::Load, soon).await;
        }
        Cause::Dialog => wait_for_dialog(&opened, soon).await,
        Cause::NoTime => wait_until_busy(site, &url).await,
        _ => {}
    }
    opened
}

/// Opens the page of a primitive's first case, and makes it answer any input by navigating to a server that never responds.
async fn leaving(browser: &actions_browser::chromium::ChromiumBrowser, site: &Site, cases: &Cases) -> Opened {
    const LEAVE: &str = "for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'input', 'change', 'submit']) \
        addEventListener(type, () => { location.href = '/never'; }, { capture: true, once: true })";
    let path = format!("/{}/{}", cases.folder, cases.file.cases[0].page);
    let opened = Opened::new(browser, &site.server.url(&path), LoadState::Load).await;
    let soon = within(&opened.stage, 60_000);
    opened.page.evaluate(LEAVE, soon).await.expect("the page takes the listeners");
    opened
}

/// Returns a new number. It is part of a page's address, so that the test recognises the requests of that page.
fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Waits for the request that the page sends right before its endless loop.
async fn wait_until_busy(site: &Site, url: &str) {
    let query = url.rsplit('?').next().unwrap_or_default();
    let has_come = || {
        site.server
            .served()
            .iter()
            .any(|served| served.request.path == "/busy" && served.request.query == query)
    };
    for _ in 0..6000 {
        if has_come() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the page did not become busy");
}

async fn wait_for_dialog(opened: &Opened, deadline: Deadline) {
    let mut events = opened.page.events();
    while opened.page.dialog().is_none() {
        let left = deadline.remaining(&*opened.stage.clock());
        tokio::time::timeout(left.min(Duration::from_secs(60)), events.recv())
            .await
            .expect("the page opens its dialog")
            .expect("the page lives");
    }
}

/// The arguments of a primitive's first case, changed so that they cause the failure.
fn arguments(cases: &Cases, cause: Cause) -> Value {
    let mut args = cases.file.cases[0].args.clone();
    let place = match cause {
        Cause::BadSelector => json!({ "selector": "[[" }),
        Cause::NoFrame => json!({ "selector": "#target", "frame": "#nowhere" }),
        Cause::FrameLeaves => json!({ "selector": "#target", "frame": "#frame" }),
        Cause::NoTarget => json!({ "selector": "#nowhere" }),
        Cause::SeveralTargets => json!({ "selector": ".several", "strict": true }),
        Cause::TooMuch => json!({ "text": "nowhere to be found" }),
        Cause::EndlessLoad => {
            args["timeout_ms"] = json!(1_500);
            return args;
        }
        _ => return args,
    };
    let Some(members) = args.as_object_mut() else { return args };
    let takes = |key: &str| cases.primitive.input_schema()["properties"].get(key).is_some();
    if takes("timeout_ms") {
        // A target that never comes needs no long wait. A frame that is removed must still be awaited at that moment.
        let wait_ms = match cause {
            Cause::FrameLeaves => 20_000,
            _ if cases.primitive.name == "locator.wait_for" => 100,
            _ => 0,
        };
        members.insert("timeout_ms".to_owned(), json!(wait_ms));
    }
    if takes("from") {
        members.insert("to".to_owned(), place.clone());
    }
    for key in ["locator", "target", "from"] {
        if takes(key) {
            members.insert(key.to_owned(), place);
            return args;
        }
    }
    if let Some(frame) = place.get("frame") {
        members.insert("frame".to_owned(), frame.clone());
    } else {
        members.insert("selector".to_owned(), place["selector"].clone());
    }
    args
}
