//! Tests of what the source of an expression says about it.

use std::fmt::Write as _;

use crate::Expression;

/// Everything known about a source, one line per fact.
fn shown(source: &str) -> String {
    let expression = Expression::compile(source).unwrap();
    let at = |offset: usize, len: usize| &source[offset..offset + len];
    let mut text = format!("{source}\n");
    for step in expression.step_references() {
        let path = step.path.join(" ");
        writeln!(text, "  step {} at {} [{path}]", step.id, at(step.offset, step.len)).unwrap();
    }
    for place in expression.reads_steps_as_a_whole() {
        writeln!(text, "  all steps at {}", at(place.offset, place.len)).unwrap();
    }
    for input in expression.input_references() {
        writeln!(text, "  input at {} [{}]", at(input.offset, input.len), input.path.join(" ")).unwrap();
    }
    for root in expression.unknown_roots(&["input", "steps"]) {
        writeln!(text, "  root {} at {}", root.name, at(root.offset, root.len)).unwrap();
    }
    for place in expression.null_comparisons() {
        writeln!(text, "  null comparison {}", at(place.offset, place.len)).unwrap();
    }
    if expression.is_constant() {
        text.push_str("  constant\n");
    }
    if expression.reads_scope_as_a_whole() {
        text.push_str("  the whole scope\n");
    }
    text
}

#[test]
fn every_name_of_a_path_has_its_place() {
    let source = "records.lists[open = true].`the name` & $$.url";
    let shown = |path: &crate::PathReference| {
        let at = |place: crate::Place| &source[place.offset..place.end()];
        path.names
            .iter()
            .map(|name| format!("{}@{}", name.text, at(name.place)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let expression = Expression::compile(source).unwrap();
    let paths: Vec<_> = expression.paths().iter().map(shown).collect();
    assert_eq!(
        paths,
        [
            "records@records lists@lists open@open",
            "records@records lists@lists the name@`the name`",
            "url@url"
        ]
    );
}

#[test]
fn the_source_tells_what_is_read() {
    let sources = [
        "steps.find.output.clickable_center.x",
        "steps.`find-it`.output.\"a b\".c",
        "'steps'.find.ok",
        "$$.steps.find.ok and $.steps.next.ok",
        "$exists(steps.find.output.x) and $not(input.skip)",
        "$lookup(steps, 'find').output",
        "$lookup(steps, input.which)",
        "$keys(steps)",
        "steps.*.ok",
        "steps.list.output.items[name = $$.input.name].url",
        "steps.list.output.items[0]^(>rank).{'a': name, 'b': $$.item.b}",
        "steps.list.output.items{kind: $count($)}",
        "steps.list.output.(a.b & c)",
        "($out := steps.find.output; $out.text = input.text ? $out.x : 0)",
        "($s := steps; $s.find.ok)",
        "($f := function() { $late.ok }; $late := steps.find; $f())",
        "($x := steps.a; $x := steps.b; $x.ok)",
        "$map(input.list, function($v, $i) { $v & steps.find.output.text & item })",
        "$reduce([1..index], function($a, $b) { $a + $b })",
        "input",
        "input.a.b[0].c",
        "step.find.output",
        "1 + 2",
        "'text'",
        "{'a': [1, 2].($ + 1)}",
        "function($x) { $x }",
        "$",
        "$string()",
        "input.name ~> $trim() ~> $uppercase",
        "input.list.%.name",
        "input.list@$l.name",
        "input.list#$i.name",
        "steps.a.output = null or null != input.b or $c = null",
        "input ~> |list[name = 'x']|{'seen': $$.steps.a.ok}|",
        "input.a ?: steps.a.output ?? item",
        "[1..3].(steps)",
        "steps.find.output.('constant')",
    ];
    insta::assert_snapshot!(sources.map(shown).join("\n"));
}
