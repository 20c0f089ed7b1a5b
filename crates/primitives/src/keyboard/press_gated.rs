//! `keyboard.press_gated`: presses a key again and again, and reads after each press what a screen reader would say.

use actions_protocol::{ErrorCode, limits};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::press::Chord;
use crate::Failure;
use crate::modifiers::ModifierNames;
use crate::scene::Scene;

/// How long the page may take to say something else after a press, in milliseconds.
const REACTING_MS: u64 = 250;

#[derive(Deserialize)]
pub(crate) struct Args {
    key: String,
    #[serde(default)]
    modifiers: ModifierNames,
    stop: Stop,
    count: Option<usize>,
    #[serde(default)]
    expect: OneOrMany<String>,
    #[serde(default)]
    polarity: OneOrMany<Polarity>,
    max_presses: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Stop {
    Count,
    Until,
    Path,
    Partial,
}

/// Whether a reading must match its pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Polarity {
    #[default]
    Match,
    NoMatch,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> OneOrMany<T> {
    fn as_slice(&self) -> &[T] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Output {
    ok: bool,
    stop: Stop,
    steps_done: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_a11y: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    halted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    fidelity: &'static str,
}

/// What the page says.
#[derive(Debug, Deserialize)]
struct Reading {
    reading: String,
    in_frame: bool,
    matches: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let chord = Chord::parse(&args.key, args.modifiers.held())?;
    let expect = args.expect.as_slice();
    let wanted = match args.stop {
        Stop::Count => args.count.unwrap_or_default(),
        Stop::Path => expect.len(),
        Stop::Until | Stop::Partial => args.max_presses,
    };
    let presses = wanted.min(args.max_presses);
    let mut before = read(&scene, &Question { patterns: expect, ..Question::default() }).await?.reading;
    for nth in 1..=presses {
        chord.press_once(&scene, nth == presses && args.stop != Stop::Until).await.map_err(|failure| {
            failure.with_evidence("steps_done", nth - 1).with_evidence("max_presses", args.max_presses)
        })?;
        let patterns = match args.stop {
            Stop::Path => &expect[nth - 1..nth],
            _ => expect,
        };
        let said = read(&scene, &Question { before: Some(&before), wait_ms: REACTING_MS, patterns }).await?;
        before = said.reading.clone();
        let fits = said.matches == (args.polarity(nth - 1) == Polarity::Match);
        match args.stop {
            Stop::Until if fits => return Ok(Output::done(Stop::Until, nth, said.reading)),
            Stop::Path if said.reading.is_empty() || !fits => {
                let reason = if said.reading.is_empty() { "empty_read" } else { "mismatch" };
                return Ok(Output::halted(nth, expect[nth - 1].clone(), said.reading, reason));
            }
            _ => {}
        }
    }
    let is_whole = presses == wanted && args.stop != Stop::Until;
    let stop = if is_whole { args.stop } else { Stop::Partial };
    let reason = (!is_whole).then_some("max_presses");
    Ok(Output { reason, ..Output::done(stop, presses, before) })
}

impl Args {
    fn polarity(&self, step: usize) -> Polarity {
        match &self.polarity {
            OneOrMany::One(one) => *one,
            OneOrMany::Many(many) => many.get(step).or(many.last()).copied().unwrap_or_default(),
        }
    }
}

impl Output {
    fn done(stop: Stop, steps_done: usize, said: String) -> Self {
        Self {
            ok: true,
            stop,
            steps_done,
            final_a11y: Some(said),
            halted: None,
            expected: None,
            actual: None,
            reason: None,
            fidelity: "trusted",
        }
    }

    fn halted(steps_done: usize, expected: String, actual: String, reason: &'static str) -> Self {
        Self {
            ok: false,
            halted: Some(true),
            expected: Some(expected),
            actual: Some(actual.clone()),
            reason: Some(reason),
            ..Self::done(Stop::Path, steps_done, actual)
        }
    }
}

/// What to ask the page.
#[derive(Default, Serialize)]
struct Question<'a> {
    /// What the page said before the key; it is given time to say something else.
    before: Option<&'a str>,
    wait_ms: u64,
    patterns: &'a [String],
}

/// Reads what the page says: its live region, else the element that has the focus, also inside frames.
async fn read(scene: &Scene<'_>, question: &Question<'_>) -> Result<Reading, Failure> {
    let mut frame = scene.page().main_frame();
    for depth in 0..=limits::FRAME_DEPTH {
        let said: Reading = scene.read_in(&frame, "keyboard.reading", &json!(question)).await?;
        if !said.in_frame || depth == limits::FRAME_DEPTH {
            return Ok(said);
        }
        match scene.frame_shown_by(&frame, &json!({ "focused": true })).await? {
            Some(inner) => frame = inner,
            None => return Ok(said),
        }
    }
    Err(Failure::new(ErrorCode::InternalError, "the frames have no end"))
}
