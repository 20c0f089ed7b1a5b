//! Reads pages with a million nodes or with fifty megabytes of text. Every read returns a bounded output, or
//! `payload_too_large` with hints, and memory stays bounded in the page and in this process.

use std::time::Duration;

use actions_browser::chromium::{ChromiumPage, LaunchOptions, launch};
use actions_browser::{Browser, ContextOptions, Deadline, LoadState, Navigation};
use actions_dictionary::Dictionary;
use actions_primitives::{Permits, Stage, perform};
use actions_protocol::ErrorCode;
use actions_testserver::TestServer;
use serde_json::{Value, json};

/// The largest output of a bounded read, in bytes.
const MAX_ANSWER: usize = 1 << 20;
/// The most memory that the scripts of the page may retain, in bytes.
const MAX_HEAP: f64 = 60e6;
/// The highest peak memory of this process, in kilobytes.
const MAX_PEAK_KB: u64 = 300_000;

/// The expected outcome of a read.
enum Outcome {
    /// A small output.
    Whole,
    /// An output of at most [`MAX_ANSWER`].
    Bounded,
    /// `payload_too_large`, with hints.
    TooLarge,
}

use Outcome::{Bounded, TooLarge, Whole};

// `content-visibility` lets Chromium lay out only what is in view: these tests are about reads, not about the layout of
// fifty megabytes.
const A_MILLION_NODES: &str =
    "<title>Many</title><style>.row { content-visibility: auto; contain-intrinsic-size: 20px }</style><button id=b onclick=\"document.title = 'pressed'\">Find me</button>
    <input id=field value=short><div id=all></div><script>
      const row = '<div class=row>' + '<span>c</span>'.repeat(499) + '</div>';
      all.innerHTML = row.repeat(1000);
    </script>";

const A_LONG_TEXT: &str =
    "<title>Long</title><style>#all { content-visibility: auto; margin-top: 4000px }</style><button id=b onclick=\"document.title = 'pressed'\">Find me</button>
    <textarea id=field hidden></textarea><x-a style=\"display: block; height: 9px\"></x-a><pre id=all></pre><script>
      all.textContent = 'lorem ipsum '.repeat(4200000);
      field.value = all.textContent;
    </script>";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_nodes_are_read_in_part_or_refused() {
    let everything = json!([{ "id": "all", "selector": "span", "many": true }]);
    check_reads(
        A_MILLION_NODES,
        &[
            ("page.info", json!({}), Whole),
            ("locator.element_info", json!({ "locator": { "selector": "#b" } }), Whole),
            ("locator.element_info", json!({ "locator": { "selector": "#all" } }), Bounded),
            ("locator.text_content", json!({ "locator": { "selector": "#b" } }), Whole),
            ("locator.text_content", json!({ "locator": { "selector": "#all" } }), TooLarge),
            ("locator.text_content", json!({ "locator": { "text": "nowhere" } }), TooLarge),
            ("locator.value", json!({ "locator": { "selector": "#field" } }), Whole),
            ("locator.wait_for", json!({ "locator": { "role": "button", "name": "Find me" } }), Whole),
            ("dom.observe.visible", json!({ "selector": "span" }), TooLarge),
            ("dom.observe.attributes", json!({ "selector": "span", "attributes": ["class"] }), TooLarge),
            ("dom.snapshot_text", json!({ "max_chars": 2_000 }), Bounded),
            ("dom.list_sections", json!({ "selector": "#all", "item_selector": "span" }), Bounded),
            ("dom.list_sections", json!({ "selector": "#nowhere" }), TooLarge),
            ("dom.extract", json!({ "extract": everything, "max_records": 100_000 }), TooLarge),
            (
                "browser.extract_elements",
                json!({ "item_selector": "span", "fields": [{ "name": "text" }] }),
                Bounded,
            ),
            ("browser.screenshot", json!({}), Bounded),
            ("pointer.click", json!({ "locator": { "selector": "#b" } }), Whole),
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_megabytes_of_text_are_read_in_part_or_refused() {
    let text = json!([{ "id": "all", "selector": "#all" }]);
    check_reads(
        A_LONG_TEXT,
        &[
            ("page.info", json!({}), Whole),
            (
                "locator.element_info",
                json!({ "locator": { "selector": "#all" }, "auto_scroll": false }),
                Bounded,
            ),
            ("locator.text_content", json!({ "locator": { "selector": "#all" } }), TooLarge),
            ("locator.text_content", json!({ "locator": { "text_contains": "ipsum" } }), TooLarge),
            ("locator.value", json!({ "locator": { "selector": "#field" } }), TooLarge),
            ("locator.wait_for", json!({ "locator": { "selector": "#nowhere" }, "state": "hidden" }), Whole),
            ("locator.wait_for", json!({ "locator": { "role": "button", "name": "Find me" } }), Whole),
            ("dom.observe.visible", json!({ "selector": "#all" }), Bounded),
            ("dom.snapshot_text", json!({ "max_chars": 2_000 }), Bounded),
            ("dom.list_sections", json!({ "item_selector": "#all" }), Bounded),
            ("dom.extract", json!({ "extract": text }), TooLarge),
            (
                "browser.extract_elements",
                json!({ "item_selector": "#all", "fields": [{ "name": "text" }] }),
                TooLarge,
            ),
            ("browser.screenshot", json!({}), Bounded),
            ("pointer.click", json!({ "locator": { "selector": "#b" } }), Whole),
        ],
    )
    .await;
}

/// Performs reads on a page and checks their outcomes and the memory they take.
async fn check_reads(html: &str, reads: &[(&str, Value, Outcome)]) {
    let server = TestServer::start().await.expect("a server");
    server.page("/", html);
    let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
    let soon = || Deadline::after(&*browser.clock(), Duration::from_secs(150));
    let context = browser.new_chromium_context(ContextOptions::default(), soon()).await.expect("a context");
    let page = context.new_chromium_page(soon()).await.expect("a page");
    page.navigate(&server.url("/"), LoadState::Load, soon()).await.expect("the page loads");
    let stage = Stage::new(page.clone(), browser.clock(), Permits::default());
    let before = heap(&page, soon()).await;
    let mut wrong = Vec::new();
    for (name, args, outcome) in reads {
        let primitive = Dictionary::builtin().get(name).expect("a primitive");
        let answer = perform(&stage, primitive, args.clone(), soon()).await;
        let right = match (&answer, outcome) {
            (Ok(output), Whole) => output.to_string().len() < 10_000,
            (Ok(output), Bounded) => output.to_string().len() <= MAX_ANSWER,
            (Err(failure), TooLarge) => {
                failure.code == ErrorCode::PayloadTooLarge && failure.evidence.contains_key("narrowing_hints")
            }
            _ => false,
        };
        if !right {
            let shown: String = format!("{answer:?}").chars().take(600).collect();
            wrong.push(format!("{name} {args}: {shown}"));
        }
    }
    let info = Dictionary::builtin().get("page.info").expect("a primitive");
    let info = perform(&stage, info, json!({}), soon()).await.expect("the page still answers");
    let grown = heap(&page, soon()).await - before;
    browser.close().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(grown < MAX_HEAP, "the page retains {grown} bytes more than before");
    let peak = peak_kb();
    assert!(peak < MAX_PEAK_KB, "the peak memory of this process is {peak} kB");
    assert_eq!(info["title"], "pressed");
}

/// The memory that the scripts of the page retain, in bytes.
async fn heap(page: &ChromiumPage, deadline: Deadline) -> f64 {
    let session = page.session();
    session
        .send_raw("HeapProfiler.collectGarbage", &json!({}), deadline)
        .await
        .expect("garbage is collected");
    let usage = session
        .send_raw("Runtime.getHeapUsage", &json!({}), deadline)
        .await
        .expect("the heap usage is readable");
    usage["usedSize"].as_f64().expect("a number")
}

/// The peak memory of this process, in kilobytes.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has this file");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
