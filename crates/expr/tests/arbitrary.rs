//! Arbitrary sources: whatever the text, nothing panics and every fault has a place in it.

use std::time::Duration;

use actions_expr::{Budget, Expression, PartialSlot, Slot, Template};
use serde_json::{Value as Json, json};

/// How many sources are made; set EXPR_CASES to make more.
fn cases() -> usize {
    std::env::var("EXPR_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(20_000)
}

/// A source of numbers that gives the same ones every time (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.next(from.len())]
    }
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "..", "?", "??", "?:", "@", "#", "^", "|", "%", "*", "**", ":=",
    "~>", "!", "!=", "=", "<", "<=", ">", ">=", "&", "+", "-", "/", "and", "or", "in", "function", "λ", "$", "$$", "$x",
    "$sum", "$map", "$now", "$trim", "$reduce", "$toMillis", "true", "false", "null", "0", "1", "1e5", "1e999", "01",
    "1.", "'a'", "\"b\"", "'", "\"", "`a b`", "`", "\\", "'\\u00e9'", "'\\ud83d'", "/a/", "/(a+)+$/", "/[/]/", "/a(?=b)/",
    "/*", "*/", "/* c */", "{%", "%}", "input", "steps", "find", "output", "item", "index", " ", "\n", "\t", "\u{a0}",
    "é", "😀", "\u{0}", "\u{feff}", "ǃ", "$ǃbuild", "<s-:n>", "[]", "^(>a)", "@$v", "#$i", "function($a){", "}",
];

fn arbitrary(numbers: &mut Numbers) -> String {
    let len = 1 + numbers.next(14);
    (0..len).map(|_| numbers.pick(PIECES)).collect()
}

#[test]
fn any_text_compiles_or_has_a_fault_inside_it() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let budget = Budget { max_time: Duration::from_millis(200), ..Budget::default() };
    let scope = json!({"input": {"a": [1, "x", null]}, "steps": {"find": {"output": {"item": 1}}}});
    let mut compiled = 0;
    for _ in 0..cases() {
        let source = arbitrary(&mut numbers);
        match Expression::compile(&source) {
            Ok(expression) => {
                compiled += 1;
                // The value does not matter; that there is one, or an error, does.
                let _ = expression.evaluate(&scope, &budget);
                for step in expression.step_references() {
                    assert!(source.get(step.offset..step.offset + step.len).is_some(), "{source:?}");
                }
            }
            Err(error) => {
                let fault = source.get(error.offset()..error.offset() + error.len());
                assert!(fault.is_some(), "{source:?}: {error:?} has no place in it");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(compiled > cases() / 100, "only {compiled} of {} compiled: the test tests little", cases());
}

#[test]
fn any_text_is_a_slot_or_not() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for _ in 0..cases() {
        let text = arbitrary(&mut numbers);
        match Slot::find(&text) {
            Ok(Some(Slot { body, offset })) => assert_eq!(&text[offset..offset + body.len()], body),
            Ok(None) => assert!(!text.contains("{%") && !text.contains("%}"), "{text:?}"),
            Err(PartialSlot { offset }) => {
                let mark = text.get(offset..offset + 2);
                assert!(mark == Some("{%") || mark == Some("%}"), "{text:?} at {offset}");
            }
        }
        let slot = format!("{{% {text} %}}");
        if let Err(errors) = Template::compile(&Json::from(slot.as_str())) {
            assert!(errors.iter().all(|error| error.offset() <= slot.len()), "{slot:?}");
        }
    }
}

/// Real expressions, broken one character at a time.
#[test]
fn a_broken_expression_never_panics() {
    let sources = [
        "steps.find.output.matches[attributes.`aria-label` = $$.input.label].text",
        "($t := input.label; $map(input.list, function($v, $i)<x-n:x> { {'n': $i, 'v': $v & $t} }))",
        "$replace(input.text, /(\\d+)\\/[a-z]{2,3}/i, '$1') ~> $split(',')[0]",
        "input.objects^(>price, name){kind: $sum(price)} ~> |$|{'a': 1}, ['b']|",
        "steps.list.items@$i#$n[ok].{'a': %.x, \"b\": -1.5e3 ? [1..$n] : null ?: 2 ?? 3}",
    ];
    for source in sources {
        assert!(Expression::compile(source).is_ok(), "{source}");
        for (at, char) in source.char_indices() {
            let (before, after) = (&source[..at], &source[at + char.len_utf8()..]);
            for middle in ["", "(", ")", "'", "`", "/", "\\", "é", "$", "[", "}", "%"] {
                let broken = format!("{before}{middle}{after}");
                if let Err(error) = Expression::compile(&broken) {
                    assert!(broken.get(error.offset()..error.offset() + error.len()).is_some(), "{broken}");
                }
            }
        }
    }
}
