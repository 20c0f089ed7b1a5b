//! Tests of the parser and of the positions it reports.

use super::parse;

/// Shows a fault as a person would see it.
fn shown(source: &str) -> String {
    let Err(error) = parse(source) else {
        return format!("{source}\n  parses\n");
    };
    let before = source[..error.place.offset].chars().count();
    let under = source[error.place.offset..error.place.end()].chars().count().max(1);
    let hint = error.hint.map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
    let (pad, carets) = (" ".repeat(before), "^".repeat(under));
    format!("{source}\n{pad}{carets} {} {}{hint}\n", error.jsonata_code, error.message)
}

#[test]
fn faults_are_placed_where_they_are() {
    let sources = [
        "",
        "   ",
        "1 +",
        "+ 1",
        "a b",
        "a 'b'",
        "(1 + 2",
        "(1 + 2]",
        "[1, 2",
        "[1, , 2]",
        "{'a': 1",
        "{'a' 1}",
        "{'a': }",
        "a[0",
        "a)",
        "$count(steps.x.output.items",
        "$count(a,)",
        "a = = b",
        "a == b",
        "a && b",
        "!a",
        "a ? b : ",
        "1..3",
        "a := 1",
        "function(a) { a }",
        "function($a { $a }",
        "function($a) $a",
        "a@b",
        "a^b",
        "'never closed",
        "'it\\'s'",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\ud83d\"",
        "`never closed",
        "/never closed",
        "//",
        "/* never closed",
        "1e999",
        "aria-label = 'é' & ünï ~ x",
        "“quoted”",
        "(a; b",
        "|a|{'b': 1}",
        "x.aria\u{a0}label",
    ];
    insta::assert_snapshot!(sources.map(shown).join("\n"));
}

#[test]
fn every_construct_parses() {
    for source in [
        "a.b.c",
        "a[b = 1].c[0]",
        "a[]",
        "$$.a & $.b & $",
        "a.`b c`.\"d\"",
        "**.x.*",
        "a.%.b",
        "a@$x#$i.b",
        "a^(>b, <c, d)",
        "a{b: $sum(c)}",
        "[1..5, 7, [a]]",
        "{'a': 1, b & 'c': 2}",
        "(a; $b := 2; $b;)",
        "()",
        "a ? b : c ? d : e",
        "a ? b",
        "a ?: b ?? c",
        "$f(1, ?)",
        "a ~> $f ~> $g(1)",
        "function($a, $b)<n-n:n>{ $a + $b }(1, 2)",
        "λ($a) { $a }",
        "|a.b|{'c': 1}, ['d']|",
        "$replace(a, /[/]x\\/y/im, 'b')",
        "(/a/)",
        "a /2/ 3",
        "and and or or in in in",
        "-a * -1",
        "/* comment */ a /* another */ = 1",
        "$match(x, /a{1,2}[\\)]/)",
        "1.5e-3 + 0.1E+2",
        "'a' in ['a', 'b']",
        "$x := $y := 1",
    ] {
        if let Err(error) = parse(source) {
            panic!("{source}: {error:?}");
        }
    }
}

#[test]
fn deep_sources_are_refused_without_exhausting_the_stack() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("-", ""), ("a[", "]"), ("{'a':", "}"), ("$f(", ")"), ("a?", "")]
    {
        let source = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let thread = std::thread::Builder::new().stack_size(256 * 1024);
        let code = thread.spawn(move || parse(&source).unwrap_err().jsonata_code).unwrap().join().unwrap();
        assert_eq!(code, "U1002", "{open}");
    }
    assert_eq!(parse(&"a & ".repeat(100_000)).unwrap_err().jsonata_code, "U1002");
}
