//! Answers of jsonata.js in a file: a line with all scopes, then a line for each expression.

use std::io;

use serde_json::{Value, json};

use super::Answer;

/// Expressions with what jsonata.js gave.
#[derive(Default)]
pub struct Stored {
    /// The scopes that expressions are evaluated in.
    pub scopes: Vec<Value>,
    /// The place of a scope, an expression, and its answer.
    pub rows: Vec<(usize, String, Answer)>,
}

impl Stored {
    /// Reads a file's text.
    pub fn read(text: &str) -> io::Result<Self> {
        let mut lines = text.lines();
        let scopes = serde_json::from_str(lines.next().unwrap_or_default())?;
        let rows = lines.map(|line| {
            let (scope, source, answer): (usize, String, Value) = serde_json::from_str(line)?;
            Ok((scope, source, Answer::from_json(&answer)))
        });
        Ok(Self { scopes, rows: rows.collect::<io::Result<_>>()? })
    }

    /// Writes a file's text.
    pub fn write(&self) -> String {
        let mut text = format!("{}\n", Value::from(self.scopes.clone()));
        for (scope, source, answer) in &self.rows {
            text.push_str(&format!("{}\n", json!([scope, source, answer.to_json()])));
        }
        text
    }
}
