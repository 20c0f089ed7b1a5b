//! The JSONata engine. Nothing outside this folder names it.

mod convert;
mod host;
mod key_order;
mod meter;
mod rewrite;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use actions_protocol::ErrorCode;
use jsonata_core::ast::AstNode;
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorError, EvaluatorOptions};
use serde_json::Value as Json;

use crate::facts::Reads;
use crate::syntax::{Node, locate};
use crate::{Budget, CompileError, EvaluateError, Value};
use host::{Pattern, Runtime};
use meter::{Meter, Stop};
use rewrite::Guards;

pub(crate) use host::PREFIX;

/// The most characters of a message; an expression may raise an error with any text.
const MAX_MESSAGE: usize = 500;

/// An expression in the engine's own form.
#[derive(Debug)]
pub(crate) struct Program {
    tree: AstNode,
    functions: Vec<&'static str>,
    patterns: Arc<[Pattern]>,
}

impl Program {
    /// Compiles the source of an expression; `syntax` is its tree.
    pub(crate) fn compile(source: &str, syntax: &Node) -> Result<Program, CompileError> {
        Program::compile_with(source, syntax, None)
    }

    fn compile_with(source: &str, syntax: &Node, guards: Option<Guards>) -> Result<Program, CompileError> {
        let rewritten = rewrite::rewrite(source, syntax, guards)?;
        let parsed = catch_unwind(|| jsonata_core::parser::parse(&rewritten.source));
        let tree = match parsed {
            Ok(Ok(tree)) => tree,
            Ok(Err(error)) => return Err(refused(&error.to_string(), syntax)),
            Err(_) => return Err(refused("the expression cannot be read", syntax)),
        };
        Ok(Program { tree, functions: rewritten.functions, patterns: rewritten.patterns.into() })
    }

    /// Evaluates the expression on the part of the scope that it reads.
    pub(crate) fn evaluate(
        &self,
        scope: &Json,
        reads: &Reads,
        budget: &Budget,
    ) -> Result<Value, EvaluateError> {
        let options = EvaluatorOptions {
            timeout_ms: Some(u64::try_from(budget.max_time.as_millis()).unwrap_or(u64::MAX)),
            cancel: None,
            max_stack_depth: Some(budget.max_depth),
            max_sequence_length: Some(budget.max_sequence),
        };
        let data = convert::to_engine(scope, reads)?;
        let mut evaluator = Evaluator::with_options(Context::new(), options);
        let runtime = Rc::new(Runtime {
            meter: Meter::new(budget),
            patterns: Arc::clone(&self.patterns),
            open_ranges: RefCell::default(),
        });
        host::register(&mut evaluator, &self.functions, &runtime);
        // The evaluator and its values are not used again after a panic.
        match catch_unwind(AssertUnwindSafe(|| evaluator.evaluate(&self.tree, &data))) {
            Ok(Ok(result)) => Ok(Value::from(convert::from_engine(&result, budget)?)),
            Ok(Err(error)) => Err(classify(&error, runtime.meter.stopped(), budget)),
            Err(_) => Err(EvaluateError::Failed {
                message: "the JSONata engine failed on this expression".to_owned(),
                jsonata_code: None,
                place: None,
            }),
        }
    }
}

fn refused(message: &str, syntax: &Node) -> CompileError {
    let jsonata_code = jsonata_code(message);
    CompileError {
        code: ErrorCode::InvalidExpression,
        place: locate(syntax, jsonata_code),
        jsonata_code: jsonata_code.map(str::to_owned),
        message: sentence(message, jsonata_code).to_owned(),
        hint: None,
    }
}

fn classify(error: &EvaluatorError, stopped: Option<Stop>, budget: &Budget) -> EvaluateError {
    let message = error.message();
    let code = jsonata_code(message);
    match stopped {
        Some(Stop::Memory) => return EvaluateError::TooBig { max_memory: budget.max_memory },
        Some(Stop::Sequence) => return EvaluateError::TooLong { max_sequence: budget.max_sequence },
        Some(Stop::Time) => return EvaluateError::TooSlow { max_time: budget.max_time },
        None => {}
    }
    match code {
        Some("D1011" | "U1001") => EvaluateError::TooDeep { max_depth: budget.max_depth },
        Some("D1012") => EvaluateError::TooSlow { max_time: budget.max_time },
        Some("D2014" | "D2015") => EvaluateError::TooLong { max_sequence: budget.max_sequence },
        _ => EvaluateError::Failed {
            message: sentence(message, code).to_owned(),
            jsonata_code: code.map(str::to_owned),
            place: None,
        },
    }
}

/// The first JSONata code in a message: a capital letter and four digits.
fn jsonata_code(message: &str) -> Option<&str> {
    let is_code = |code: &[u8]| code[0].is_ascii_uppercase() && code[1..].iter().all(u8::is_ascii_digit);
    let at = message.as_bytes().windows(5).position(is_code)?;
    Some(&message[at..at + 5])
}

/// What a message says, behind its code.
fn sentence<'a>(message: &'a str, code: Option<&str>) -> &'a str {
    let said = code.and_then(|code| message.split_once(code)).map_or(message, |(_, said)| said);
    let said = said.trim_start_matches([':', ' ']);
    said.char_indices().nth(MAX_MESSAGE).map_or(said, |(end, _)| &said[..end])
}

#[cfg(test)]
mod tests;
