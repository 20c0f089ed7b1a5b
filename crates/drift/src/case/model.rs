//! A case as it is written in its file.

use std::path::{Component, Path};

use actions_engine::browser::{Steady, Tolerance};
use actions_protocol::{Millis, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::status::Status;

/// The most bytes of the file of a case.
pub const MAX_CASE_BYTES: u64 = 8 << 20;

/// The moment at which pages begin when a case names none: 2026-01-01T00:00:00Z.
const DEFAULT_CLOCK: u64 = 1_767_225_600_000;

/// A case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<RunWanted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<StateWanted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<CheckWanted>,
    /// The page it begins on; the start page of the map if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The recording, by its path from the folder of the map. Only a tool that needs no page does without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    /// What decides about random numbers of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ignore: Option<Ignored>,
    /// How long it may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Millis>,
    /// Why it is not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// What must come of it.
    #[serde(default, skip_serializing_if = "Expected::is_empty")]
    pub expect: Expected,
}

/// What a case does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum What<'c> {
    /// It runs a tool.
    Run(&'c RunWanted),
    /// It reads a state or a summary.
    State(&'c StateWanted),
    /// It makes a check: a declared one by its id, or the one of a target by its JSON pointer.
    Check(&'c str),
}

/// A tool to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunWanted {
    /// Its name.
    pub tool: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

/// A state to read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateWanted {
    /// The projection.
    pub projection: String,
    /// The summary of it; the whole state if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// The arguments of the summary.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckWanted {
    id: String,
}

/// The clock of the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    at: Timestamp,
    #[serde(default, skip_serializing_if = "Moves::is_default")]
    moves: Moves,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Moves {
    /// Timers and frames of the page carry it on.
    #[default]
    WithTimers,
    Never,
}

impl Moves {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What is left out when requests are compared with the recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ignored {
    /// Parameters of the query, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    query: Vec<String>,
    /// Fields of a JSON or form body, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    body: Vec<String>,
}

/// What must come of a case. What is absent is not compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The value of the tool, or the state.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The error: its code, or an object whose fields the error must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// How the check ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// What the tool changes in the state of a projection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_diff: Option<DiffWanted>,
    /// How each step ends: `ok`, `failed` or `skipped`, by the ids of the steps in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<Value>,
    /// Parts that may differ, as JSON pointers into `expect`; `*` stands for any key or index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
}

/// What a tool changes in the state of a projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiffWanted {
    /// The projection.
    pub projection: String,
    /// The changes, as a JSON Patch; filled in by `--accept`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Value>,
}

impl Expected {
    /// Whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same, with only the code and the step of the error.
    #[must_use]
    pub fn with_short_error(self) -> Self {
        Self { error: self.error.map(|_| Value::Null), ..self }
    }

    /// Whether it has an opinion on nothing that could come of a case.
    pub fn asks_for_nothing(&self) -> bool {
        let changes = self.state_diff.as_ref().and_then(|diff| diff.patch.as_ref());
        let parts = [&self.value, &self.error, &self.events];
        parts.iter().all(|part| part.is_none()) && self.status.is_none() && changes.is_none()
    }
}

/// Why a case cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// Its text is no case.
    #[error("line {line}, column {column}: {problem}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// It says two things at once, or nothing.
    #[error("{0}")]
    Contradictory(&'static str),
}

impl Case {
    /// Reads a case. The text may come from anywhere.
    pub fn parse(text: &str) -> Result<Self, CaseError> {
        let case: Self = serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let problem = error.to_string();
            let problem = problem.split(" at line ").next().unwrap_or_default().to_owned();
            CaseError::Malformed { line, column, problem }
        })?;
        let wanted =
            [case.run.is_some(), case.state.is_some(), case.check.is_some()].iter().filter(|is| **is).count();
        if wanted != 1 {
            return Err(CaseError::Contradictory("a case has one of `run`, `state` and `check`"));
        }
        if case.expect.state_diff.is_some() && case.run.is_none() {
            return Err(CaseError::Contradictory(
                "only a tool changes a state: `state_diff` goes with `run`",
            ));
        }
        if case.expect.value.is_some() && case.expect.error.is_some() {
            return Err(CaseError::Contradictory("a case expects a `value` or an `error`, not both"));
        }
        let leaves = |path: &str| {
            let mut parts = Path::new(path).components();
            !parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        if case.recording.as_deref().is_some_and(leaves) {
            return Err(CaseError::Contradictory("`recording` is a path below the folder of the map"));
        }
        Ok(case)
    }

    /// A case of a tool, without an expectation yet.
    pub fn of_tool(tool: &str, arguments: Map<String, Value>, recording: String, at: Timestamp) -> Self {
        Self {
            description: None,
            run: Some(RunWanted { tool: tool.to_owned(), arguments }),
            state: None,
            check: None,
            url: None,
            recording: Some(recording),
            clock: Some(Clock { at, moves: Moves::default() }),
            seed: None,
            ignore: None,
            timeout_ms: None,
            skip: None,
            expect: Expected::default(),
        }
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// What it does.
    pub fn what(&self) -> What<'_> {
        match (&self.run, &self.state, &self.check) {
            (Some(run), ..) => What::Run(run),
            (None, Some(state), _) => What::State(state),
            // `parse` admits nothing else.
            (None, None, check) => What::Check(check.as_ref().map_or("", |check| &check.id)),
        }
    }

    /// The clock and the random numbers of its pages.
    pub fn steady(&self) -> Steady {
        Steady {
            unix_millis: self.clock.as_ref().map_or(DEFAULT_CLOCK, |clock| clock.at.unix_millis()),
            seed: self.seed.unwrap_or(1),
            moves: self.clock.as_ref().is_none_or(|clock| clock.moves == Moves::WithTimers),
        }
    }

    /// What is left out when requests are compared with the recording.
    pub fn tolerance(&self) -> Tolerance {
        let Some(Ignored { query, body }) = &self.ignore else { return Tolerance::default() };
        Tolerance::of(query.iter().cloned(), body.iter().cloned())
    }
}

/// Reads a member that is there: `null` is a value like any other.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
