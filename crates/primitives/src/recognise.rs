//! Reads of the page that tell whether it is still the page that a map describes: what locators match, what the page is,
//! and which elements could be what a lost target has become.

use std::collections::BTreeMap;

use actions_browser::{Deadline, FrameId};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::locate::{FrameChain, Locator};
use crate::patience::Patience;
use crate::scene::Scene;
use crate::{Failure, Stage};

/// The most frames that are searched for candidates.
const MAX_FRAMES: usize = 10;

/// A question about one locator.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Which element is meant.
    pub locator: &'a Locator,
    /// An attribute whose value is wanted too.
    pub attribute: Option<&'a str>,
}

/// What a locator matches at one moment of the page.
#[derive(Clone, Debug, Deserialize)]
pub struct Sighting {
    /// The matching elements in the document.
    pub attached: u64,
    /// How many of the first thousand are rendered.
    pub rendered: u64,
    /// The key of the locator that matched.
    pub matched_by: String,
    /// The selector that matched, if one did.
    pub matched_selector: Option<String>,
    /// Whether the role and name of the locator agree with the element that its selector matched.
    pub identity: String,
    /// The element that an action would take.
    pub first: Option<Fingerprint>,
    /// The one that follows it.
    pub second: Option<Fingerprint>,
    /// What covers it, if anything does.
    pub covered_by: Option<String>,
    /// The value of the attribute that was asked for.
    pub attribute: Option<String>,
}

/// What an element is, what it is called, where it stands and what is beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its tag.
    pub tag: String,
    /// Its role; empty when it has none.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// The start of its visible text.
    pub text: String,
    /// Attributes that say what it is for.
    pub attributes: BTreeMap<String, String>,
    /// Its classes.
    pub classes: Vec<String>,
    /// The tags from the root of the document to it.
    pub path: Vec<String>,
    /// The groups around it, and the operable elements before and after it.
    pub near: Vec<String>,
    /// The first operable elements inside it.
    pub holds: Vec<String>,
    /// Where it is in the viewport, if it has a box.
    pub rect: Option<Area>,
    /// Whether it is rendered.
    pub rendered: bool,
    /// Whether it is enabled.
    pub enabled: bool,
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// An element that may be what a lost target has become.
#[derive(Clone, Debug, Deserialize)]
pub struct Candidate {
    /// What it is.
    #[serde(flatten)]
    pub fingerprint: Fingerprint,
    /// Selectors that match nothing else, best first.
    pub selectors: Vec<String>,
    /// The selector of the frame it is in; absent in the main frame.
    #[serde(skip)]
    pub frame: Option<String>,
}

/// What sort of page it is.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PageFacts {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its language, as it declares it.
    pub language: String,
    /// How much text it shows, at most 2,000 characters.
    pub text_length: u64,
    /// How many fields for passwords it shows.
    pub password_fields: u64,
    /// Marks of services that ask visitors to prove that they are people.
    pub challenges: Vec<String>,
    /// Marks of a page that is still loading.
    pub waiting: Vec<String>,
    /// What lies over most of the viewport.
    pub wall: Option<Wall>,
    /// The names of what can be operated.
    pub operable: Vec<String>,
}

/// Something that lies over most of the viewport.
#[derive(Clone, Debug, Deserialize)]
pub struct Wall {
    /// A short label, such as `div#consent`.
    pub label: String,
    /// Whether it says that it is a dialog.
    pub dialog: bool,
    /// The names of what can be operated in it.
    pub operable: Vec<String>,
}

/// The answer of the page script to one of several questions.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Ok(Box<Sighting>),
    Error { code: ErrorCode, message: String, evidence: Map<String, Value> },
}

/// Looks at what each of several locators matches. Those of one frame are looked at together, at one moment and in one
/// round trip. A locator that cannot be resolved has a failure of its own. The result is in the order of the questions.
pub async fn sightings(
    stage: &Stage,
    asked: &[Asked<'_>],
    deadline: Deadline,
) -> Result<Vec<Result<Sighting, Failure>>, Failure> {
    let scene = scene(stage, deadline)?;
    let mut seen: Vec<Option<Result<Sighting, Failure>>> = asked.iter().map(|_| None).collect();
    let mut chains: Vec<&FrameChain> = Vec::new();
    for question in asked {
        if !chains.contains(&question.locator.frames()) {
            chains.push(question.locator.frames());
        }
    }
    for chain in chains {
        let of_chain: Vec<usize> =
            (0..asked.len()).filter(|at| asked[*at].locator.frames() == chain).collect();
        let frame = match scene.path(chain, Patience::of(&scene, 0)).await {
            Ok(path) => path.frame,
            Err(failure) => {
                of_chain.iter().for_each(|at| seen[*at] = Some(Err(failure.clone())));
                continue;
            }
        };
        let questions = of_chain.iter().map(|at| &asked[*at]);
        let answers = look(&scene, &frame, questions).await?;
        for (at, answer) in of_chain.into_iter().zip(answers) {
            seen[at] = Some(answer);
        }
    }
    let unanswered = || Err(Failure::new(ErrorCode::InternalError, "the page left a question open"));
    Ok(seen.into_iter().map(|answer| answer.unwrap_or_else(unanswered)).collect())
}

async fn look<'a>(
    scene: &Scene<'_>,
    frame: &FrameId,
    questions: impl Iterator<Item = &'a Asked<'a>>,
) -> Result<Vec<Result<Sighting, Failure>>, Failure> {
    #[derive(Deserialize)]
    struct Seen {
        sightings: Vec<Answer>,
    }
    let asked: Vec<Value> = questions
        .map(|question| match question.attribute {
            Some(key) => json!({ "locator": question.locator.query(), "attribute": key }),
            None => json!({ "locator": question.locator.query() }),
        })
        .collect();
    let seen: Seen = scene.read_in(frame, "drift.sightings", &json!({ "asked": asked })).await?;
    let answers = seen.sightings.into_iter().map(|answer| match answer {
        Answer::Ok(sighting) => Ok(*sighting),
        Answer::Error { code, message, evidence } => Err(Failure { code, message, evidence }),
    });
    Ok(answers.collect())
}

/// What sort of page it is.
pub async fn page_facts(stage: &Stage, deadline: Deadline) -> Result<PageFacts, Failure> {
    let scene = scene(stage, deadline)?;
    scene.read_in(&scene.page().main_frame(), "drift.page", &json!({})).await
}

/// The elements that can be operated and those with one of the tags, of the main frame and of the frames in it.
pub async fn candidates(stage: &Stage, tags: &[&str], deadline: Deadline) -> Result<Vec<Candidate>, Failure> {
    #[derive(Deserialize)]
    struct Found {
        candidates: Vec<Candidate>,
    }
    let scene = scene(stage, deadline)?;
    let main = scene.page().main_frame();
    let args = json!({ "tags": tags.iter().chain(&["iframe"]).collect::<Vec<_>>() });
    let Found { candidates: mut found } = scene.read_in(&main, "drift.candidates", &args).await?;
    let frames: Vec<String> = found
        .iter()
        .filter(|candidate| candidate.fingerprint.tag == "iframe")
        .filter_map(|candidate| candidate.selectors.first().cloned())
        .take(MAX_FRAMES)
        .collect();
    for selector in frames {
        let query = json!({ "selector": selector });
        let Some(frame) = scene.frame_shown_by(&main, &query).await? else { continue };
        // A frame that goes away meanwhile has no candidates.
        let Ok(inner) = scene.read_in::<Found>(&frame, "drift.candidates", &args).await else { continue };
        let inner = inner.candidates.into_iter();
        found.extend(inner.map(|candidate| Candidate { frame: Some(selector.clone()), ..candidate }));
    }
    found.retain(|candidate| candidate.fingerprint.tag != "iframe" || tags.contains(&"iframe"));
    Ok(found)
}

fn scene(stage: &Stage, deadline: Deadline) -> Result<Scene<'_>, Failure> {
    let primitive =
        actions_dictionary::Dictionary::builtin().get("locator.element_info").ok_or_else(|| {
            Failure::new(ErrorCode::InternalError, "the dictionary has no `locator.element_info`")
        })?;
    Ok(Scene { stage, primitive, deadline })
}
