//! Every row of table/table.json, which jsonata.js filled, evaluated here.

use std::collections::HashMap;
use std::fmt::Write as _;

use actions_expr::{Budget, Expression, Value};
use serde_json::Value as Json;

/// The rows where we knowingly differ from jsonata.js: what we give instead, and why.
///
/// A row that comes to agree must leave this list.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("$contains('foobar', /foo(?=bar)/)", "error invalid_expression", LOOKS),
    ("$contains('a', /a(?!b)/)", "error invalid_expression", LOOKS),
    ("$contains('abab', /(ab)\\1/)", "error invalid_expression", LOOKS),
    ("(/ab/)", "undefined", "jsonata.js takes the slash after an opening bracket for a division, by mistake"),
    (
        "($x := 1; $f := function(){$x}; $x := 2; $f())",
        "1",
        "a function keeps the variables as they were when it was made, not as they are when it is called",
    ),
    ("$uppercase()", "error T0410", CONTEXT),
    ("$split('a')", "error T0410", CONTEXT),
    ("$replace('a', /a/, 5)", "error T0410", CONTEXT),
    (
        "$base64encode('€')",
        "error expression_evaluation_failed",
        "Node drops half of the character; browsers refuse it, and so do we",
    ),
];

const LOOKS: &str = "patterns that look around or refer back need backtracking, which takes unbounded time";
const CONTEXT: &str = "a context of the wrong type is reported as an argument of the wrong type";

/// What an expression gives, in one line: the result, `undefined`, or the code of an error.
fn ours(expression: &str, scope: &Json) -> String {
    let compiled = match Expression::compile(expression) {
        Ok(compiled) => compiled,
        Err(error) => return format!("error {}", error.jsonata_code().unwrap_or(error.code().as_str())),
    };
    match compiled.evaluate(scope, &Budget::default()) {
        Ok(Value::Undefined) => "undefined".to_owned(),
        Ok(Value::Json(json)) => json.to_string(),
        Err(error) => format!("error {}", error.jsonata_code().unwrap_or(error.code().as_str())),
    }
}

fn theirs(row: &Json) -> String {
    match (row.get("result"), row.get("error")) {
        (Some(result), _) => result.to_string(),
        (None, Some(code)) => format!("error {}", code.as_str().unwrap_or("without a code")),
        (None, None) => "undefined".to_owned(),
    }
}

#[test]
fn every_row_agrees_with_jsonata_js() {
    let table: Json = serde_json::from_str(include_str!("table/table.json")).unwrap();
    let mut differences: HashMap<&str, (&str, &str)> =
        DIFFERENCES.iter().map(|(expression, ours, why)| (*expression, (*ours, *why))).collect();
    let rows = table["rows"].as_array().unwrap();
    assert!(rows.len() >= 700, "the table has shrunk to {} rows", rows.len());

    let mut report = String::new();
    for row in rows {
        let expression = row["expression"].as_str().unwrap();
        let scope = &table["scopes"][row["scope"].as_str().unwrap()];
        let (ours, theirs) = (ours(expression, scope), theirs(row));
        match differences.remove(expression) {
            None if ours == theirs => {}
            None => writeln!(report, "{expression}\n  ours   {ours}\n  theirs {theirs}").unwrap(),
            Some(_) if ours == theirs => {
                writeln!(report, "{expression}\n  agrees now; delete its difference").unwrap()
            }
            Some((known, _)) if ours == known => {}
            Some((known, why)) => {
                writeln!(report, "{expression}\n  ours   {ours}\n  listed {known} ({why})").unwrap();
            }
        }
    }
    for expression in differences.keys() {
        writeln!(report, "{expression}\n  is a listed difference without a row").unwrap();
    }
    assert!(report.is_empty(), "\n{report}");
}
