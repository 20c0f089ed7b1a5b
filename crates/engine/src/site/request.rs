//! Parses the requests of `actions.site`.

use actions_protocol::{ByteLimit, ErrorCode, Millis};
use serde_json::{Map, Value, json};

use crate::failure::CallError;
use crate::state::DEFAULT_SUMMARY;

/// What `actions.site` is asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SiteRequest {
    /// What the map offers on the page.
    List,
    /// A tool.
    Call {
        /// Its name.
        action: String,
        /// Its arguments.
        arguments: Value,
        /// How long it may take.
        timeout: Option<Millis>,
    },
    /// A whole state.
    StateRead {
        /// The projection.
        projection: String,
        /// How large the state may be.
        max_bytes: Option<ByteLimit>,
        /// How long it may take.
        timeout: Option<Millis>,
    },
    /// A summary of a state.
    StateSummary {
        /// The projection.
        projection: String,
        /// The summary.
        summary: String,
        /// The arguments of the summary.
        arguments: Value,
        /// How large the summary may be.
        max_bytes: Option<ByteLimit>,
        /// How long it may take.
        timeout: Option<Millis>,
    },
    /// What changed since the last reading.
    StateDiff {
        /// The projection.
        projection: String,
        /// How large the difference may be.
        max_bytes: Option<ByteLimit>,
        /// How long it may take.
        timeout: Option<Millis>,
    },
}

/// The keys of the arguments and the other names callers use for them.
const KEYS: &[(&str, &[&str])] = &[
    ("mode", &[]),
    ("action", &["action_name", "name"]),
    ("arguments", &[]),
    ("projection_name", &["projection"]),
    ("summary_name", &["summary"]),
    ("max_bytes", &[]),
    ("timeout_ms", &[]),
    // Which page is meant is settled before a request gets here.
    ("target_url_contains", &[]),
    ("target_runtime_id", &[]),
];

/// The words for the modes.
const MODES: &[&str] = &["list", "call", "state_read", "state_summary", "state_diff"];

impl SiteRequest {
    /// Reads the arguments of `actions.site`, with the other names callers use for its keys: `action_name` or `name` for
    /// `action`, `projection` for `projection_name`, `summary` for `summary_name`, and the action within the arguments.
    ///
    /// ```
    /// use actions_engine::SiteRequest;
    /// use serde_json::json;
    ///
    /// let plain = json!({ "mode": "call", "action": "card.add", "arguments": { "title": "Sow" } });
    /// let nested = json!({ "mode": "call", "arguments": { "action": "card.add", "title": "Sow" } });
    /// assert_eq!(SiteRequest::from_arguments(plain).unwrap(), SiteRequest::from_arguments(nested).unwrap());
    /// ```
    pub fn from_arguments(arguments: Value) -> Result<Self, CallError> {
        let mut keys = Keys::read(arguments)?;
        let arguments = keys.arguments()?;
        let mode = match keys.text("mode")? {
            Some(mode) => mode,
            None if keys.members.contains_key("action") => "call".to_owned(),
            None => return Err(missing("mode", "`mode`")),
        };
        let timeout = keys.number("timeout_ms")?.map(Millis);
        let max_bytes = keys.number("max_bytes")?;
        let max_bytes = max_bytes.map(|bytes| ByteLimit(usize::try_from(bytes).unwrap_or(usize::MAX)));
        if let Some(word) = keys.text("summary_name")?.filter(|_| mode == "state_diff") {
            let message =
                format!("a difference is computed from the whole state, not from its summary `{word}`");
            return Err(CallError::new(ErrorCode::StateDiffRequiresFullState, message));
        }
        let projection = || keys.text("projection_name")?.ok_or_else(|| missing(&mode, "`projection_name`"));
        Ok(match mode.as_str() {
            "list" => Self::List,
            "call" => {
                let action =
                    keys.text("action")?.ok_or_else(|| missing("call", "the name of an `action`"))?;
                Self::Call { action, arguments, timeout }
            }
            "state_read" => Self::StateRead { projection: projection()?, max_bytes, timeout },
            "state_diff" => Self::StateDiff { projection: projection()?, max_bytes, timeout },
            "state_summary" => Self::StateSummary {
                projection: projection()?,
                summary: keys.text("summary_name")?.unwrap_or_else(|| DEFAULT_SUMMARY.to_owned()),
                arguments,
                max_bytes,
                timeout,
            },
            unknown => {
                let message = format!("`{unknown}` is not a mode of `actions.site`");
                return Err(
                    CallError::new(ErrorCode::InvalidInput, message).with_evidence("modes", MODES.to_vec())
                );
            }
        })
    }

    /// The word for the mode.
    pub fn mode(&self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Call { .. } => "call",
            Self::StateRead { .. } => "state_read",
            Self::StateSummary { .. } => "state_summary",
            Self::StateDiff { .. } => "state_diff",
        }
    }
}

fn missing(mode: &str, what: &str) -> CallError {
    let message = match mode {
        "mode" => "`actions.site` needs a `mode`".to_owned(),
        mode => format!("`actions.site` with mode `{mode}` needs {what}"),
    };
    CallError::new(ErrorCode::InvalidInput, message).with_evidence("modes", MODES.to_vec())
}

/// The arguments by their proper keys.
struct Keys {
    members: Map<String, Value>,
}

impl Keys {
    fn read(arguments: Value) -> Result<Self, CallError> {
        let Value::Object(given) = arguments else {
            return Err(CallError::new(
                ErrorCode::InvalidInput,
                "the arguments of `actions.site` are not an object",
            ));
        };
        let mut members = Map::new();
        for (key, value) in given {
            let known = KEYS.iter().find(|(name, others)| *name == key || others.contains(&key.as_str()));
            let Some((name, _)) = known else {
                let message = format!("`actions.site` has no argument `{key}`");
                return Err(CallError::new(ErrorCode::InvalidInput, message)
                    .with_evidence("hint", "what a tool takes stands in `arguments`"));
            };
            if value.is_null() {
                continue;
            }
            if members.get(*name).is_some_and(|other| *other != value) {
                let message = format!("`actions.site` is given two values for `{name}`");
                return Err(CallError::new(ErrorCode::InvalidInput, message));
            }
            members.insert((*name).to_owned(), value);
        }
        Ok(Self { members })
    }

    /// The arguments of the tool or summary. The name of the action is taken out of them when it stands nowhere else,
    /// or when it is only said twice.
    fn arguments(&mut self) -> Result<Value, CallError> {
        let mut arguments = self.members.remove("arguments").unwrap_or_else(|| json!({}));
        let Some(members) = arguments.as_object_mut() else {
            return Err(CallError::new(ErrorCode::InvalidInput, "`arguments` is not an object"));
        };
        let named = self.members.get("action").cloned();
        let calls = self.members.get("mode").is_none_or(|mode| mode == "call");
        if calls
            && members.get("action").is_some_and(|inner| named.as_ref().is_none_or(|named| named == inner))
        {
            let inner = members.shift_remove("action");
            self.members.extend(inner.map(|inner| ("action".to_owned(), inner)));
        }
        Ok(arguments)
    }

    fn text(&self, key: &str) -> Result<Option<String>, CallError> {
        match self.members.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(_) => Err(CallError::new(ErrorCode::InvalidInput, format!("`{key}` is not a name"))),
        }
    }

    fn number(&self, key: &str) -> Result<Option<u64>, CallError> {
        match self.members.get(key) {
            None => Ok(None),
            Some(value) => match value.as_u64().filter(|number| *number > 0) {
                Some(number) => Ok(Some(number)),
                None => {
                    let message = format!("`{key}` is not a whole number above 0");
                    Err(CallError::new(ErrorCode::InvalidInput, message))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: Value) -> Result<SiteRequest, CallError> {
        SiteRequest::from_arguments(arguments)
    }

    #[test]
    fn a_call_may_be_written_in_eight_ways() {
        let shapes = [
            json!({ "mode": "call", "action": "card.add", "arguments": { "title": "Sow" } }),
            json!({ "mode": "call", "action_name": "card.add", "arguments": { "title": "Sow" } }),
            json!({ "mode": "call", "name": "card.add", "arguments": { "title": "Sow" } }),
            json!({ "mode": "call", "arguments": { "action": "card.add", "title": "Sow" } }),
            json!({ "mode": "call", "action": "card.add", "arguments": { "action": "card.add", "title": "Sow" } }),
            json!({ "action": "card.add", "arguments": { "title": "Sow" } }),
            json!({ "mode": "call", "action": "card.add", "name": "card.add", "arguments": { "title": "Sow" } }),
            json!({ "mode": "call", "action": "card.add", "target_url_contains": "board", "arguments": { "title": "Sow" } }),
        ];
        let arguments = json!({ "title": "Sow" });
        let expected = SiteRequest::Call { action: "card.add".to_owned(), arguments, timeout: None };
        for shape in shapes {
            assert_eq!(read(shape.clone()).expect("a request"), expected, "{shape}");
        }
    }

    #[test]
    fn an_argument_of_the_tool_that_is_called_action_stays() {
        let request =
            read(json!({ "mode": "call", "action": "log.add", "arguments": { "action": "watered" } }));
        assert!(matches!(request, Ok(SiteRequest::Call { action, arguments, .. })
                if action == "log.add" && arguments == json!({ "action": "watered" })));
    }

    #[test]
    fn a_projection_has_two_names_and_a_summary_a_default() {
        let summary =
            read(json!({ "mode": "state_summary", "projection": "site.board" })).expect("a request");
        assert!(matches!(summary, SiteRequest::StateSummary { projection, summary, .. }
            if projection == "site.board" && summary == "agent_context"));
        let read = read(json!({ "mode": "state_read", "projection_name": "site.board", "max_bytes": 500 }));
        assert!(matches!(read, Ok(SiteRequest::StateRead { max_bytes: Some(ByteLimit(500)), .. })));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_a_sentence() {
        let requests = [
            json!("list"),
            json!({}),
            json!({ "mode": "delete" }),
            json!({ "mode": "call" }),
            json!({ "mode": "call", "action": "" }),
            json!({ "mode": "call", "action": "a", "name": "b" }),
            json!({ "mode": "call", "action": "a", "title": "Sow" }),
            json!({ "mode": "call", "action": "a", "arguments": "{}" }),
            json!({ "mode": "state_read" }),
            json!({ "mode": "state_read", "projection": "p", "max_bytes": 0 }),
            json!({ "mode": "state_diff", "projection": "p", "summary_name": "agent_context" }),
        ];
        let errors: Vec<String> = requests
            .into_iter()
            .map(|request| {
                let error = read(request.clone()).expect_err("a refusal");
                format!("{request}\n  {}: {}", error.code, error.message)
            })
            .collect();
        insta::assert_snapshot!(errors.join("\n"));
    }
}
