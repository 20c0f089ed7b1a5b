//! Tests of the rewritten source and its evaluation.

use serde_json::Value as Json;

use super::{Guards, Program, rewrite};
use crate::facts::{Facts, Reads};
use crate::syntax::parse;
use crate::{Budget, EvaluateError, Value};

/// Calls `check` with every row of the table of expressions that compiles: its expression and its scope.
fn each_row(mut check: impl FnMut(&str, &Json)) {
    let table: Json = serde_json::from_str(include_str!("../../tests/table/table.json")).unwrap();
    for row in table["rows"].as_array().unwrap() {
        let expression = row["expression"].as_str().unwrap();
        let scope = &table["scopes"][row["scope"].as_str().unwrap()];
        if parse(expression).is_ok_and(|tree| Program::compile(expression, &tree).is_ok()) {
            check(expression, scope);
        }
    }
}

fn evaluated(
    expression: &str,
    guards: Option<Guards>,
    reads: Option<Reads>,
    scope: &Json,
) -> Result<Value, EvaluateError> {
    let tree = parse(expression).unwrap();
    let reads = reads.unwrap_or_else(|| Facts::of(&tree, expression).reads);
    Program::compile_with(expression, &tree, guards).unwrap().evaluate(scope, &reads, &Budget::default())
}

#[test]
fn the_part_of_the_scope_that_is_read_is_enough() {
    each_row(|expression, scope| {
        let whole = Reads { whole: true, ..Reads::default() };
        let from_whole = evaluated(expression, None, Some(whole), scope);
        assert_eq!(evaluated(expression, None, None, scope), from_whole, "{expression}");
    });
}

#[test]
fn guards_change_no_result() {
    each_row(|expression, scope| {
        let unguarded = evaluated(expression, Some(Guards { building: false, keeping: false }), None, scope);
        let guarded = evaluated(expression, Some(Guards { building: true, keeping: true }), None, scope);
        assert_eq!(guarded, unguarded, "{expression}");
    });
}

#[test]
fn the_engine_is_given_our_functions_and_the_guards_that_are_needed() {
    let sources = [
        "steps.find.output.clickable_center.x",
        "'li[data-id=\"' & item.id & '\"]'",
        "$trim(input.text) & $trim() & $join(input.names, ', ')",
        "input.names ~> $map($trim) ~> $join('-')",
        "input.names.$trim()",
        "$trim('a', 'too many')",
        "($trim := 1; $trim)",
        "$replace(input.text, /\\s+/, ' ') ~> $split(/,\\w/)",
        "$replace(input.text, /a/, function($m) { $m.match })",
        "($r := /a/i; $contains(input.text, $r))",
        "$map(input.texts, function($t) { $contains($t, input.query) })",
        "[1..input.n]",
        "$reduce(input.list, function($a, $b) { $a + $b })",
        "$map(input.list, function($v) { {'name': $v.name, 'label': $v.a & $v.b} })",
        "($t := input.label; steps.find.output.matches[text = $t].{'a': $t & text})",
        "($f := function($n) { $n = 0 ? [] : $f($n - 1) }; $f(3))",
        "($f := function($n, $x) { $n = 0 ? $x : ($y := [$x, $x]; {'l': $y, 'n': $n}) }; $f(3, input))",
        "input.list.$$.input.names[0].first[]",
        "input.list.(steps.a.output.items)",
        "$pad(input.a, input.n) & $formatInteger(input.n, 'I') & $fromMillis(0, input.picture)",
        "$fromMillis(0, '[Y0001]-[M01]') & $formatNumber(1, '#,##0.00')",
        "/* kept */ $string( /* too */ input.a )",
    ];
    let shown = sources.map(|source| {
        let rewritten = rewrite::rewrite(source, &parse(source).unwrap(), None).unwrap().source;
        if rewritten == source {
            format!("{source}\n  as it is\n")
        } else {
            format!("{source}\n  {rewritten}\n")
        }
    });
    insta::assert_snapshot!(shown.join("\n"));
}
