//! Commands and their answers, as they stand on every transport.

use actions_engine::{CallError, ErrorCode};
use actions_protocol::WabCode;
use serde_json::{Map, Value, json};

/// The longest id of a command.
const LONGEST_ID: usize = 256;

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Its id: a text or a number, which is repeated in the answer. None if the transport has no place for it.
    pub id: Value,
    /// The method.
    pub method: String,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// The token of a session.
    pub token: Option<String>,
}

impl Command {
    /// A command without an id and a token.
    pub fn new(method: impl Into<String>, params: Map<String, Value>) -> Self {
        Self { id: Value::Null, method: method.into(), params, token: None }
    }

    /// Reads a message. What is wrong is returned with the id, if that can be read.
    pub(crate) fn parse(message: &str) -> Result<Self, (Value, Fault)> {
        let invalid = |id: &Value, why: &str| (id.clone(), Fault::new(WabCode::InvalidCommand, why));
        let value: Value =
            serde_json::from_str(message).map_err(|_| invalid(&Value::Null, "the command is not JSON"))?;
        let id = match &value["id"] {
            Value::String(text) if !text.is_empty() && text.len() <= LONGEST_ID => value["id"].clone(),
            Value::Number(_) => value["id"].clone(),
            _ => return Err(invalid(&Value::Null, "the command has no `id` that is a text or a number")),
        };
        let Some(method) = value["method"].as_str() else {
            return Err(invalid(&id, "the command has no `method`"));
        };
        let params = match &value["params"] {
            Value::Object(params) => params.clone(),
            Value::Null => Map::new(),
            _ => return Err(invalid(&id, "the `params` of the command are no object")),
        };
        let token = match &value["context"]["sessionToken"] {
            Value::Null => None,
            Value::String(token) => Some(token.clone()),
            _ => return Err(invalid(&id, "the `sessionToken` of the command is no text")),
        };
        Ok(Self { id, method: method.to_owned(), params, token })
    }

    /// The id as a text; empty if it has none.
    pub(crate) fn id_text(&self) -> String {
        match &self.id {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            id => id.to_string(),
        }
    }
}

/// Why a command is not performed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) code: WabCode,
    pub(crate) message: String,
    /// How long to wait, in seconds.
    pub(crate) retry_after: Option<u64>,
    pub(crate) details: Map<String, Value>,
}

impl Fault {
    pub(crate) fn new(code: WabCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None, details: Map::new() }
    }

    /// An error of ours in the words of the protocol. Codes that several of ours become are told apart by `details.reason`.
    pub(crate) fn of(error: &CallError) -> Self {
        let code = match error.code {
            // A step that failed says less than what it failed by.
            ErrorCode::WorkflowStepFailed => cause(error).unwrap_or(error.code),
            code => code,
        };
        let mut fault = Self::new(WabCode::answered_for(code), error.message.clone());
        fault.details.insert("reason".to_owned(), json!(code.as_str()));
        let wait = error.evidence.get("retry_after_ms").and_then(Value::as_u64);
        if fault.code == WabCode::RateLimited {
            fault.retry_after = Some(wait.map_or(60, |wait| wait.div_ceil(1_000)));
        }
        fault
    }

    fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code.as_str(), "message": self.message });
        if let Some(wait) = self.retry_after {
            error["retryAfter"] = json!(wait);
        }
        if !self.details.is_empty() {
            error["details"] = Value::Object(self.details.clone());
        }
        error
    }
}

/// The code that a failed step failed with.
fn cause(error: &CallError) -> Option<ErrorCode> {
    error.evidence.get("cause")?.get("code")?.as_str().and_then(ErrorCode::from_wire)
}

/// The answer to a command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The message.
    pub message: Value,
    /// The HTTP status.
    pub status: u16,
    /// How long to wait, in seconds.
    pub retry_after: Option<u64>,
    /// How many commands are left in the window, and when it begins anew, in seconds since 1970.
    pub rate: Option<(u64, u64)>,
    /// The error, if it is one.
    pub(crate) fault: Option<WabCode>,
}

impl Reply {
    pub(crate) fn new(id: &Value, answered: Result<Value, Fault>) -> Self {
        match answered {
            Ok(result) => Self {
                message: json!({ "id": id, "type": "success", "result": result }),
                status: 200,
                retry_after: None,
                rate: None,
                fault: None,
            },
            Err(fault) => Self {
                message: json!({ "id": id, "type": "error", "error": fault.to_json() }),
                status: fault.code.status(),
                retry_after: fault.retry_after,
                rate: None,
                fault: Some(fault.code),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_an_id_is_repeated_as_it_was_text_or_number() {
        for id in [json!("a"), json!(7), json!(1.5)] {
            let message = json!({ "id": id, "method": "wab.ping", "params": {} }).to_string();
            let command = Command::parse(&message).unwrap();
            assert_eq!(Reply::new(&command.id, Ok(Value::Null)).message["id"], id);
        }
    }

    #[test]
    fn g4_a_malformed_command_is_an_invalid_command() {
        for message in [
            "{",
            "[]",
            "7",
            r#"{ "method": "wab.ping" }"#,
            r#"{ "id": {}, "method": "wab.ping" }"#,
            r#"{ "id": 1 }"#,
            r#"{ "id": 1, "method": "wab.ping", "params": [] }"#,
            r#"{ "id": 1, "method": "wab.ping", "context": { "sessionToken": 7 } }"#,
        ] {
            let (_, fault) = Command::parse(message).unwrap_err();
            assert_eq!(fault.code, WabCode::InvalidCommand, "{message}");
        }
    }

    #[test]
    fn g4_an_error_of_ours_names_its_own_code_as_the_reason() {
        let fault = Fault::of(&CallError::new(ErrorCode::PolicyDenied, "no"));
        assert_eq!(fault.code, WabCode::PermissionDenied);
        assert_eq!(fault.details["reason"], "policy_denied");
    }
}
