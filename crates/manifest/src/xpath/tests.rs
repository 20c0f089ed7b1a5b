//! XPath expressions that Chromium accepts, and expressions it refuses.

use super::{Gives, XPath};

/// What Chromium 156 says to `document.evaluate(…)`, one expression a line.
const CHROMIUM: &str = include_str!("chromium.txt");

fn table() -> impl Iterator<Item = (Option<Gives>, String)> {
    CHROMIUM.lines().map(|line| {
        let (verdict, text) = line.split_once(' ').expect("a verdict and an expression");
        let gives = match verdict {
            "nodes" => Some(Gives::Nodes),
            "number" => Some(Gives::Number),
            "text" => Some(Gives::Text),
            "boolean" => Some(Gives::Boolean),
            "refuses" => None,
            other => panic!("{other} is no verdict"),
        };
        (gives, serde_json::from_str(text).expect("a JSON string"))
    })
}

/// What Chromium takes and we do not: it finds nothing for variables, and takes numbers for sets of nodes.
const STRICTER: &[&str] = &["$x", "a[$x]", "sum(1)", "local-name(1)"];

#[test]
fn chromium_and_we_agree_on_what_is_valid_and_what_it_gives() {
    for (chromium, text) in table() {
        let ours = XPath::parse(&text).ok().map(XPath::gives);
        let expected = chromium.filter(|_| !STRICTER.contains(&text.as_str()));
        assert_eq!(ours, expected, "{text}");
    }
}

#[test]
fn faults_are_placed_and_explained() {
    let shown = table().filter_map(|(_, text)| {
        let error = XPath::parse(&text).err()?;
        let (start, end) = (error.offset, error.offset + error.len);
        let help = error.help.map(|help| format!("\n    {help}")).unwrap_or_default();
        Some(format!(
            "{}⟦{}⟧{}\n    {}{help}",
            &text[..start],
            &text[start..end],
            &text[end..],
            error.message
        ))
    });
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"));
}

#[test]
fn deep_nesting_ends_in_an_error() {
    for (open, close) in [("(", ")"), ("a[", "]"), ("not(", ")")] {
        let deep = format!("{}a{}", open.repeat(100_000), close.repeat(100_000));
        let error = XPath::parse(&deep).expect_err("too deep");
        assert_eq!(error.message, "the brackets nest too deep");
    }
    assert!(XPath::parse(&format!("{}a", "-".repeat(100_000))).is_ok());
}

#[test]
fn no_prefix_of_an_expression_makes_the_parser_stumble() {
    for (_, text) in table() {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            if let Err(error) = XPath::parse(&text[..end]) {
                assert!(
                    text[..end].get(error.offset..error.offset + error.len).is_some(),
                    "{:?}",
                    &text[..end]
                );
            }
        }
    }
}

#[test]
fn no_jumble_of_signs_makes_the_parser_stumble() {
    const SIGNS: &[&str] = &[
        "a", "/", "//", "@", "::", "self::", "[", "]", "(", ")", "'", "\"", "1", ".", "..", "$", ":", "*",
        "-", " and ", "|", "=", "!", "count(", ",", "text()", "é", "😀",
    ];
    let mut seed: usize = 1;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(SIGNS[(seed >> 33) % SIGNS.len()]);
        }
        if let Err(error) = XPath::parse(&text) {
            assert!(text.get(error.offset..error.offset + error.len).is_some(), "{text:?}");
        }
    }
}
