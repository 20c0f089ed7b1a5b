//! Expressions that would go on for ever, fill the memory or exhaust the stack: each ends in an error with a code.

use std::time::Duration;

use actions_expr::{Budget, EvaluateError, Expression, Value};
use serde_json::{Value as Json, json};

/// A budget in which only `max_time` counts, for what never ends on its own.
fn short() -> Budget {
    Budget { max_time: Duration::from_millis(100), max_memory: usize::MAX, ..Budget::default() }
}

/// A budget in which time does not count, so that the outcome does not depend on the machine.
fn patient() -> Budget {
    Budget {
        max_time: Duration::from_secs(600),
        max_memory: 1_000_000,
        max_sequence: 20_000,
        ..Budget::default()
    }
}

/// Evaluates on a thread with the stack of an asynchronous worker.
fn evaluate(source: &str, scope: Json, budget: Budget) -> Result<Value, EvaluateError> {
    let expression = Expression::compile(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let worker = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let evaluation = worker.spawn(move || expression.evaluate(&scope, &budget)).expect("a thread starts");
    evaluation.join().expect("an evaluation does not panic")
}

fn scope() -> Json {
    json!({ "numbers": (0..10_000).collect::<Vec<_>>(), "text": "a".repeat(20_000) })
}

/// Checks the bound that each expression runs into.
fn assert_exceeded(sources: &[&str], budget: Budget, is_expected: impl Fn(&EvaluateError) -> bool) {
    for source in sources {
        match evaluate(source, scope(), budget) {
            Err(error) => {
                assert!(is_expected(&error), "{source}: {error:?}");
                assert_eq!(error.code().as_str(), "expression_budget_exceeded", "{source}");
            }
            Ok(value) => panic!("{source} gives {value:?}"),
        }
    }
}

#[test]
fn endless_tail_recursion_runs_out_of_time() {
    assert_exceeded(
        &[
            "($f := function($n) { $f($n + 1) }; $f(0))",
            "($f := function($n) { $n < 0 ? 0 : $f($n + 1) }; $f(0))",
            "($y := function($f) { $f($f) }; $y($y))",
            "($f := function() { $g() }; $g := function() { $f() }; $f())",
        ],
        short(),
        |error| matches!(error, EvaluateError::TooSlow { .. }),
    );
}

#[test]
fn endless_recursion_runs_out_of_depth() {
    assert_exceeded(
        &[
            "($f := function($n) { 1 + $f($n + 1) }; $f(0))",
            "($f := function($n) { {'a': $f($n + 1)} }; $f(0))",
            "($f := function($n) { [$f($n)] }; $f(0))",
            "($f := function($n) { $map([$n], $f) }; $f(0))",
            "($f := function($n) { $string($f($n)) }; $f(0))",
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooDeep { .. }),
    );
}

#[test]
fn a_huge_range_is_not_built() {
    assert_exceeded(
        &[
            "[1..9999999]",
            "[1..10000000000]",
            "[-9000000000000000000..9000000000000000000]",
            "$count([numbers[0]..1e300])",
            "$map([1..9999999], function($i) { $i })",
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooLong { .. }),
    );
}

#[test]
fn many_ranges_together_are_too_big() {
    assert_exceeded(
        &[
            "$map([1..10000], function($i) { [1..10000] })",
            "[1..10000].([1..10000])",
            "$count($map([1..1000], function($i) { [$i..$i + 15000] }))",
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooBig { .. } | EvaluateError::TooLong { .. }),
    );
}

#[test]
fn a_text_cannot_grow_without_bounds() {
    let steps = ".($ & $)".repeat(60);
    let variables: String = (0..60).map(|n| format!("$v{} := $v{n} & $v{n}; ", n + 1)).collect();
    assert_exceeded(
        &[
            "$reduce([1..60], function($a, $b) { $a & $a }, 'x')",
            "$reduce([1..60], function($a, $b) { $join([$a, $a]) }, 'x')",
            "$reduce([1..60], function($a, $b) { $replace($a, 'x', 'xx') }, 'x')",
            "$reduce([1..60], function($a, $b) { $replace($a, /x/, '$0$0') }, 'x')",
            "$reduce([1..60], function($a, $b) { $string([$a, $a]) }, 'x')",
            "$replace(text, 'a', text)",
            "$join(numbers.($$.text))",
            "$join(numbers.$string($), text)",
            "$pad('x', 2000000000)",
            "$pad('x', -2000000000)",
            "$formatInteger(1000000000000, 'I')",
            "$fromMillis(0, '[Y,1000000000]')",
            "$formatNumber(1, $pad('0', 100000, '0'))",
            &format!("('x'){steps}"),
            &format!("($v0 := 'x'; {variables} $v60)"),
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooBig { .. }),
    );
}

#[test]
fn a_structure_cannot_grow_without_bounds() {
    let steps = ".({'a': [a, a]})".repeat(60);
    let variables: String = (0..60).map(|n| format!("$v{} := [[$v{n}], [$v{n}]]; ", n + 1)).collect();
    assert_exceeded(
        &[
            "$reduce([1..60], function($a, $b) { [$a, $a] }, [1])",
            "$string($reduce([1..60], function($a, $b) { {'l': $a, 'r': $a} }, 1))",
            "$boolean($reduce([1..60], function($a, $b) { [[$a], [$a]] }, 0))",
            "$count($reduce([1..60], function($a, $b) { {'l': $a, 'r': $a} }, 1).**)",
            "($t := function($n, $x) { $n = 0 ? $x : $t($n - 1, {'l': $x, 'r': $x}) }; $t(60, 1) = $t(60, 1))",
            "($t := function($n, $x) { $n = 0 ? $x : $t($n - 1, $map([1, 2], function() { $x })) }; $t(60, 1))",
            "$reduce([1..60], function($a, $b) { $a ~> |$|{'l': $a, 'r': $a}| }, {'k': 1})",
            &format!("({{'a': 1}}){steps}"),
            &format!("($v0 := 1; {variables} $v60)"),
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooBig { .. }),
    );
}

#[test]
fn a_path_cannot_multiply_without_bounds() {
    assert_exceeded(
        &[
            "($n := numbers; $n.$n)",
            "($n := numbers; $n.($n))",
            "numbers.$$.numbers",
            "numbers.$$.numbers[]",
            "numbers.($$.numbers)",
            "numbers.($x := 1; $$.numbers)",
            "numbers.(true ? $$.numbers)",
            "numbers.$append($$.numbers, 1)",
            "($f := function() { $$.numbers }; numbers.$f())",
        ],
        patient(),
        |error| matches!(error, EvaluateError::TooBig { .. } | EvaluateError::TooLong { .. }),
    );
}

#[test]
fn a_function_over_much_data_ends_in_time() {
    assert_exceeded(
        &[
            "$match($pad('', 500000, 'a'), /a*b|a/)",
            "$map(numbers, function($a) { $map($$.numbers, function($b) { $a + $b }) })",
            "$reduce($append(numbers, numbers), function($a, $b) { $append($a, [$b, $b, $b]) }, [])",
        ],
        short(),
        |error| matches!(error, EvaluateError::TooSlow { .. }),
    );
    let plenty = Budget { max_memory: usize::MAX, ..patient() };
    assert_eq!(evaluate("$count($distinct(numbers))", scope(), plenty), Ok(Value::from(json!(10_000))));
    assert_eq!(evaluate("$count($split(text, ''))", scope(), plenty), Ok(Value::from(json!(20_000))));
}

#[test]
fn a_pattern_that_would_backtrack_for_ever_does_not() {
    for source in ["$contains(text, /(a+)+$/)", "$contains(text, /(a|aa)*$/)", "$contains(text, /(.*)*a/)"] {
        assert_eq!(evaluate(source, scope(), patient()), Ok(Value::from(json!(true))), "{source}");
    }
    assert_eq!(evaluate("$contains(text, /^(a|a)*b$/)", scope(), patient()), Ok(Value::from(json!(false))));
    for source in ["$contains(text, /(a{0,1000}){0,1000}b/)", "$contains(text, /((a{1,99}){1,99}){1,99}/)"] {
        let error = Expression::compile(source).unwrap_err();
        assert_eq!(error.to_string(), "the regular expression is too large", "{source}");
        assert_eq!(error.offset(), source.find('/').unwrap());
    }
}

#[test]
fn nested_brackets_are_refused_before_anything_is_evaluated() {
    let brackets =
        [("(", ")"), ("[", "]"), ("{'a':", "}"), ("-", ""), ("$not(", ")"), ("a[", "]"), ("x ? ", "")];
    for (open, close) in brackets {
        let source = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let error = Expression::compile(&source).unwrap_err();
        assert_eq!(error.code().as_str(), "invalid_expression", "{open}");
        assert_eq!(error.jsonata_code(), Some("U1002"), "{open}");
    }
    let chain = "a & ".repeat(100_000) + "a";
    assert_eq!(Expression::compile(&chain).unwrap_err().jsonata_code(), Some("U1002"));
}

#[test]
fn the_deepest_source_that_is_accepted_can_be_evaluated() {
    for (open, close) in [("(", ")"), ("-", ""), ("$abs(", ")"), ("true ? ", "")] {
        let accepted = (0..1_000).rev().step_by(50).find_map(|depth| {
            let source = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            Expression::compile(&source).is_ok().then_some((depth, source))
        });
        let (depth, source) = accepted.unwrap();
        assert!(depth >= 100, "only {depth} levels of {open}");
        assert!(evaluate(&source, json!({}), patient()).is_ok(), "{depth} levels of {open}");
    }
    let chain = "'x' & ".repeat(300) + "'x'";
    assert_eq!(evaluate(&chain, json!({}), patient()), Ok(Value::from(json!("x".repeat(301)))));
}

#[test]
fn a_deep_result_is_refused() {
    let source = "$reduce([1..1000], function($a, $b) { {'a': $a} }, 1)";
    let error = evaluate(source, json!({}), patient()).unwrap_err();
    assert!(matches!(error, EvaluateError::TooDeep { .. }), "{error:?}");
    let error =
        evaluate("$reduce([1..50000], function($a, $b) { [[$a]] }, 1)", json!({}), patient()).unwrap_err();
    assert_eq!(error.code().as_str(), "expression_budget_exceeded");
}

#[test]
fn a_deep_scope_is_refused() {
    let deep = (0..600).fold(json!(1), |inner, _| json!([inner]));
    let error = evaluate("$count(deep)", json!({ "deep": deep }), patient()).unwrap_err();
    assert!(matches!(error, EvaluateError::TooDeep { .. }), "{error:?}");
}

#[test]
fn a_large_result_is_refused_whole() {
    let error = evaluate("text", scope(), patient()).unwrap_err();
    assert_eq!(error, EvaluateError::TooLarge { max_bytes: 16_000 });
    assert_eq!(error.code().as_str(), "expression_output_too_large");
    let shared = "($x := [1..1000]; $map([1..1000], function() { $x }))";
    assert_eq!(
        evaluate(shared, json!({}), patient()).unwrap_err().code().as_str(),
        "expression_output_too_large"
    );
}

#[test]
fn the_bytes_of_a_result_are_those_of_its_json() {
    for value in [
        json!("plain"),
        json!("\"quoted\" \\ \n\t\u{1} é 😀"),
        json!([1, -2.5, 1e21, null, true, false, [], {}]),
        json!({"a": {"b": ["c", 1]}, "ä": "", "d": [[1], [2, 3]]}),
    ] {
        let bytes = value.to_string().len();
        let scope = json!({ "value": value });
        let expression = Expression::compile("value").unwrap();
        let within = |max_bytes| expression.evaluate(&scope, &Budget { max_bytes, ..Budget::default() });
        assert_eq!(within(bytes), Ok(Value::from(scope["value"].clone())));
        assert_eq!(within(bytes - 1), Err(EvaluateError::TooLarge { max_bytes: bytes - 1 }));
    }
}

#[test]
fn numbers_without_a_numeral_end_in_a_value_or_an_error() {
    for number in ["7 % 0", "1 / 0", "-1 / 0", "1e308", "-1e308", "1e21", "0", "-0.5"] {
        for picture in ["w", "Ww;o", "i", "A", "#,##0", "0;o", "٠١"] {
            let _ = evaluate(&format!("$formatInteger({number}, '{picture}')"), json!({}), patient());
        }
        for picture in ["0.0e0", "#,##0.00", "00%", "0;(0)"] {
            let _ = evaluate(&format!("$formatNumber({number}, '{picture}')"), json!({}), patient());
        }
        for function in
            ["$formatBase($n, 2)", "$round($n, 400)", "$fromMillis($n)", "$substring('abc', $n, $n)"]
        {
            let _ = evaluate(&format!("($n := {number}; {function})"), json!({}), patient());
        }
    }
}
