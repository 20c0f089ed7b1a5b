//! Performs the cases of a family and compares their outcomes with `cases.json`.

use actions_browser::{Browser, LoadState};
use actions_dictionary::Dictionary;
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use futures_util::StreamExt;
use serde_json::{Map, Value};

use crate::browser::Kind;
use crate::case::{Case, Cases, Look, read_all};
use crate::site::Site;
use crate::stage::{Opened, within};

/// The time limit of the primitives before and after a case, in milliseconds.
const AMPLE_MS: u64 = 30_000;
/// How many cases run concurrently.
const AT_A_TIME: usize = 3;
/// The family whose cases run one after the other: a browser has one clipboard.
const ALONE: &str = "clipboard";

/// Performs every case of a family and fails with a list of the wrong ones.
pub(crate) async fn run_family(family: &str, kind: Kind) {
    let site = Site::start().await;
    let browser = kind.launch().await;
    let all: Vec<Cases> =
        read_all().into_iter().filter(|cases| cases.folder.split('/').next() == Some(family)).collect();
    assert!(!all.is_empty(), "there is no family {family}");
    let each = all.iter().flat_map(|cases| cases.file.cases.iter().map(move |case| (cases, case)));
    let mut wrong: Vec<String> = futures_util::stream::iter(each)
        .map(|(cases, case)| one(&browser, &site, cases, case))
        .buffer_unordered(if family == ALONE { 1 } else { AT_A_TIME })
        .filter_map(std::future::ready)
        .collect()
        .await;
    for cases in &all {
        wrong.extend(invalid(&browser, &site, cases).await);
    }
    browser.close().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Performs a case and returns what is wrong with its outcome.
async fn one(browser: &dyn Browser, site: &Site, cases: &Cases, case: &Case) -> Option<String> {
    let path = if case.page.starts_with('/') {
        case.page.clone()
    } else {
        format!("/{}/{}", cases.folder, case.page)
    };
    let opened = Opened::new(browser, &site.server.url(&path), LoadState::Load).await;
    let report = |what: String| Some(format!("{}, {}: {what}", cases.primitive.name, case.name));
    opened.register(&cases.file.markers);
    for step in case.before.iter().flat_map(|step| std::iter::repeat_n(step, step.times)) {
        let primitive =
            Dictionary::builtin().get(&step.primitive).expect("steps use primitives of the dictionary");
        if let Err(failure) = opened.perform(primitive, fill(site, &step.args), AMPLE_MS).await {
            return report(format!("{} before it failed: {failure:?}", step.primitive));
        }
    }
    let performing = opened.perform(cases.primitive, fill(site, &case.args), case.deadline_ms);
    let answer = match &case.meanwhile {
        Some(script) => opened.meanwhile(script, performing).await,
        None => performing.await,
    };
    let mut wrong = judge(site, case, &answer);
    if wrong.is_none() && !case.pixels.is_empty() {
        wrong = miscoloured(&opened, case, &answer).await;
    }
    for look in &case.after {
        if wrong.is_none() {
            wrong = unlike(&opened, site, look).await;
        }
    }
    opened.close(browser).await;
    wrong.and_then(report)
}

/// Returns what is wrong with the output or the failure.
fn judge(site: &Site, case: &Case, answer: &Result<Value, Failure>) -> Option<String> {
    match (answer, case.error) {
        (Ok(output), None) => differing(site, &case.output, output),
        (Err(failure), Some(code)) if failure.code == code => {
            let words = format!("{} {}", failure.message, Value::Object(failure.evidence.clone()));
            let missing = case.names.iter().find(|word| !words.contains(*word));
            missing.map(|word| format!("{word:?} is not in {words}"))
        }
        (answer, _) => Some(format!("{answer:?}")),
    }
}

/// Returns the first difference between an output and the expected values.
fn differing(site: &Site, wanted: &Map<String, Value>, output: &Value) -> Option<String> {
    let wanted = fill(site, &Value::Object(wanted.clone()));
    let wanted = wanted.as_object().cloned().unwrap_or_default();
    let differing = wanted.iter().find(|(pointer, wanted)| !has(output, pointer, wanted));
    differing.map(|(pointer, wanted)| format!("{pointer} is not {wanted} in {output}"))
}

/// Performs a primitive after the case and returns how its output differs from the expected one.
async fn unlike(opened: &Opened, site: &Site, look: &Look) -> Option<String> {
    let primitive =
        Dictionary::builtin().get(&look.primitive).expect("looks use primitives of the dictionary");
    match opened.perform(primitive, fill(site, &look.args), AMPLE_MS).await {
        Ok(output) => differing(site, &look.output, &output),
        Err(failure) => Some(format!("{} after it failed: {failure:?}", look.primitive)),
    }
    .map(|what| format!("afterwards {what}"))
}

/// Returns the pixels of a screenshot that have a wrong colour. The page decodes the image.
async fn miscoloured(opened: &Opened, case: &Case, answer: &Result<Value, Failure>) -> Option<String> {
    let picture = answer.as_ref().ok().and_then(|output| output["data_url"].as_str())?;
    let points: Vec<&String> = case.pixels.keys().collect();
    let args = serde_json::json!([picture, points]);
    let read = format!(
        "(async ([picture, points]) => {{
            const image = await createImageBitmap(await (await fetch(picture)).blob());
            const paper = new OffscreenCanvas(image.width, image.height).getContext('2d');
            paper.drawImage(image, 0, 0);
            return points.map((point) => {{
                const [x, y] = point.split(',').map(Number);
                return [...paper.getImageData(x, y, 1, 1).data].slice(0, 3).join(',');
            }});
        }})({args})"
    );
    let colours = opened
        .page
        .evaluate(&read, within(&opened.stage, AMPLE_MS))
        .await
        .expect("the page decodes the screenshot");
    let seen = points.iter().zip(colours.as_array().into_iter().flatten());
    let wrong: Vec<String> = seen
        .filter(|(point, colour)| colour.as_str() != Some(&case.pixels[**point]))
        .map(|(point, colour)| format!("{point} is {colour}, not {}", case.pixels[*point]))
        .collect();
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

/// Returns the invalid arguments that the primitive does not refuse as such.
async fn invalid(browser: &dyn Browser, site: &Site, cases: &Cases) -> Vec<String> {
    let opened =
        Opened::new(browser, &site.server.url(&format!("/{}/index.html", cases.folder)), LoadState::Load)
            .await;
    let mut wrong = Vec::new();
    for args in &cases.file.invalid {
        match opened.perform(cases.primitive, fill(site, args), AMPLE_MS).await {
            Err(failure) if failure.code == ErrorCode::InvalidInput => {}
            answer => wrong.push(format!("{} with {args}: {answer:?}", cases.primitive.name)),
        }
    }
    opened.close(browser).await;
    wrong
}

/// Replaces the placeholders in arguments with addresses of the site.
pub(crate) fn fill(site: &Site, args: &Value) -> Value {
    serde_json::from_str(&site.fill(&args.to_string())).expect("an address needs no escape in JSON")
}

/// Whether the output has a value at a pointer. Numbers are compared by value: `1` equals `1.0`.
fn has(output: &Value, pointer: &str, wanted: &Value) -> bool {
    let Some(found) = output.pointer(pointer) else { return false };
    match (found.as_f64(), wanted.as_f64()) {
        (Some(found), Some(wanted)) => (found - wanted).abs() < 1e-6,
        _ => found == wanted,
    }
}
