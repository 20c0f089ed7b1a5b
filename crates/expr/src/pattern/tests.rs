//! Tests of the translation of JavaScript patterns.

use super::translate;

/// Tells whether the JavaScript pattern matches somewhere in the text.
fn matches(pattern: &str, text: &str) -> bool {
    let translated = translate(pattern, false).unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
    regex::Regex::new(&translated).unwrap_or_else(|error| panic!("{pattern}: {error}")).is_match(text)
}

#[test]
fn classes_mean_what_they_mean_in_javascript() {
    for (pattern, yes, no) in [
        (r"^\d$", "7", "٣"),
        (r"^\w$", "_", "é"),
        (r"^\W$", "é", "e"),
        (r"^\s$", "\u{feff}", "x"),
        (r"^\s$", "\u{a0}", "\u{85}"),
        (r"^.$", "é", "\u{2028}"),
        (r"^[^]$", "\n", "ab"),
        (r"^[\b]$", "\u{8}", "b"),
        (r"^[a&&b]+$", "a&b", "c"),
        (r"^[[:alpha:]]$", ":]", "x"),
        (r"^[\w-]+$", "a-b", "a b"),
        (r"^[\s\S]$", "\n", "ab"),
        (r"^[^\W_]$", "a", "_"),
        (r"^[a\-z]$", "-", "b"),
        (r"^[-a]$", "-", "b"),
        (r"^[+--]$", ",", "."),
        (r"^[\]\\^]$", "^", "["),
        (r"^x{,2}$", "x{,2}", "xx"),
        (r"^a{2,3}$", "aaa", "a"),
        (r"^\u00e9\x41\0\cA$", "éA\0\u{1}", "eA"),
        (r"^\ud83d\ude00$", "😀", "x"),
        (r"^\/\.\-\@$", "/.-@", "x"),
        (r"\ba", "éa", "ba"),
        (r"^(?<year>\d{4})$", "2024", "x"),
        (r"^(?:a|b)+?$", "abab", "c"),
        (r"^]}$", "]}", "x"),
        (r"^#  x~$", "#  x~", "x"),
        (r"^<\<>\>!%,:;='`@_\x22$", "<<>>!%,:;='`@_\"", "x"),
    ] {
        assert!(matches(pattern, yes), "{pattern} should match {yes:?}");
        assert!(!matches(pattern, no), "{pattern} should not match {no:?}");
    }
    assert!(!matches("[]", "x"));
}

#[test]
fn lines_end_where_the_flag_says() {
    let line = regex::Regex::new(&translate("^b$", true).unwrap()).unwrap();
    assert!(line.is_match("a\nb\nc") && line.is_match("a\r\nb\r\nc"));
    assert!(!matches("^b$", "a\nb\nc"));
}

#[test]
fn what_cannot_be_done_is_refused_with_its_place() {
    let patterns = [
        r"foo(?=bar)",
        r"a(?!b)",
        r"(?<=a)b",
        r"(?<!a)b",
        r"(ab)\1",
        r"(?<x>a)\k<x>",
        r"(?i)a",
        r"\p{L}",
        r"a++",
        r"*a",
        r"a|?",
        r"(a",
        r"a)",
        r"[a",
        r"[z-a]",
        r"a\",
        r"\u12",
        r"\xg1",
        r"\ud83d",
        r"\c1",
        r"\01",
    ];
    let shown = patterns.map(|pattern| {
        let error = translate(pattern, false).unwrap_err();
        let pad = " ".repeat(pattern[..error.offset].chars().count());
        let hint = error.hint.map(|hint| format!("\n  help: {hint}")).unwrap_or_default();
        format!("{pattern}\n{pad}{} {}{hint}\n", "^".repeat(error.len.max(1)), error.message)
    });
    insta::assert_snapshot!(shown.join("\n"));
}
