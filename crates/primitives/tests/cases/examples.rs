//! Runs every example of the dictionary, so that what `actions primitives NAME` shows works as it is shown.
//!
//! `fixtures/primitives/_examples` has a page with everything that the examples name, and `setup.json` what has to be done
//! first. The engine runs the examples of the primitives that it performs itself.

use std::collections::BTreeMap;

use actions_browser::{Browser, LoadState};
use actions_dictionary::{Dictionary, Example, Primitive};
use actions_testserver::Response;
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::Kind;
use crate::case::{Cases, Step, fixtures, read_all};
use crate::perform::fill;
use crate::site::Site;
use crate::stage::Opened;

const AMPLE_MS: u64 = 30_000;
const AT_A_TIME: usize = 3;

/// What has to be done before an example runs.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    /// Primitives to perform first, on the page of the examples.
    #[serde(default)]
    before: Vec<Step>,
    /// The page, the steps and the markers of the primitive's first case, instead.
    #[serde(default)]
    as_first_case: bool,
}

fn setups() -> BTreeMap<String, Setup> {
    let path = fixtures().join("_examples/setup.json");
    let text = std::fs::read_to_string(&path).expect("the setup of the examples");
    serde_json::from_str(&text).expect("the setup is JSON")
}

/// An example with the addresses and files of the test in the place of those it shows.
fn here(site: &Site, args: &Value) -> Value {
    let upload = fixtures().join("form/upload/note.txt").display().to_string();
    let text = args.to_string().replace("https://example.com", &site.server.origin());
    let text = text.replace("uploads/report.pdf", &upload).replace("runtime-3", "fixture-2");
    serde_json::from_str(&text).expect("an address needs no escape in JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_of_the_dictionary_runs() {
    let site = Site::start().await;
    let page = std::fs::read_to_string(fixtures().join("_examples/index.html")).expect("the page");
    site.server.page("/_examples/index.html", page);
    site.server.page("/search", "<title>Search</title><h1>Search</h1>");
    site.server.page("/", "<title>Start</title><h1>Start</h1>");
    site.server.route("/api/items", |_| Response::json("[1, 2]"));
    let browser = Kind::HeadlessShell.launch().await;
    let setups = setups();
    let cases: BTreeMap<String, Cases> =
        read_all().into_iter().map(|cases| (cases.primitive.name.clone(), cases)).collect();
    let unknown: Vec<&String> =
        setups.keys().filter(|key| !cases.contains_key(key.split(' ').next().unwrap_or_default())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let examples = Dictionary::builtin().iter().filter(|primitive| !primitive.is_performed_by_engine());
    let examples = examples.flat_map(|primitive| {
        primitive.examples.iter().zip(1..).map(move |(example, number)| (primitive, example, number))
    });
    let wrong: Vec<String> = futures_util::stream::iter(examples)
        .map(|(primitive, example, number)| {
            // One example may need other steps than the rest.
            let setup = setups.get(&format!("{} {number}", primitive.name)).or(setups.get(&primitive.name));
            let setup = setup.cloned().unwrap_or_default();
            run(&browser, &site, primitive, example, setup, &cases[&primitive.name])
        })
        .buffer_unordered(AT_A_TIME)
        .filter_map(std::future::ready)
        .collect()
        .await;
    browser.close().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs an example, and returns what is wrong with it.
async fn run(
    browser: &dyn Browser,
    site: &Site,
    primitive: &'static Primitive,
    example: &Example,
    setup: Setup,
    cases: &Cases,
) -> Option<String> {
    let first = &cases.file.cases[0];
    let (path, before) = match setup.as_first_case {
        true => (format!("/{}/{}", cases.folder, first.page), first.before.clone()),
        false => ("/_examples/index.html".to_owned(), setup.before),
    };
    let opened = Opened::new(browser, &site.server.url(&path), LoadState::Load).await;
    if setup.as_first_case {
        opened.register(&cases.file.markers);
    }
    let report = |what: String| Some(format!("{} {}: {what}", primitive.name, example.args));
    for step in &before {
        let first =
            Dictionary::builtin().get(&step.primitive).expect("steps use primitives of the dictionary");
        if let Err(failure) = opened.perform(first, fill(site, &step.args), AMPLE_MS).await {
            return report(format!("{} before it failed: {failure:?}", step.primitive));
        }
    }
    // It checks that the output fits the schema.
    let answer = opened.perform(primitive, here(site, &example.args), AMPLE_MS).await;
    opened.close(browser).await;
    let output = match answer {
        Ok(output) => output,
        Err(failure) => return report(format!("{failure:?}")),
    };
    let nothing = json!({});
    let shown = example.output.as_object().or(nothing.as_object()).into_iter().flat_map(|shown| shown.keys());
    let missing: Vec<&String> = shown.filter(|key| output.get(key.as_str()).is_none()).collect();
    if missing.is_empty() { None } else { report(format!("{missing:?} is not in {output}")) }
}
