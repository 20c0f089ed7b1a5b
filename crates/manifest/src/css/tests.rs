//! Selectors that Chromium accepts, and selectors it refuses.

use super::SelectorList;

/// What Chromium 156 says to `document.querySelector(…)`, one selector a line.
const CHROMIUM: &str = include_str!("chromium.txt");

fn table() -> impl Iterator<Item = (bool, String)> {
    CHROMIUM.lines().map(|line| {
        let (verdict, text) = line.split_once(' ').expect("a verdict and a selector");
        (verdict == "accepts", serde_json::from_str(text).expect("a JSON string"))
    })
}

#[test]
fn what_chromium_refuses_is_refused() {
    let lax: Vec<_> =
        table().filter(|(accepted, text)| !accepted && SelectorList::parse(text).is_ok()).collect();
    assert!(lax.is_empty(), "{lax:?}");
}

#[test]
fn what_chromium_accepts_is_accepted_but_for_what_never_works_as_meant() {
    let stricter = table().filter(|(accepted, _)| *accepted).filter_map(|(_, text)| {
        let error = SelectorList::parse(&text).err()?;
        Some(format!("{text}\n    {}", error.message))
    });
    insta::assert_snapshot!(stricter.collect::<Vec<_>>().join("\n"));
}

#[test]
fn faults_are_placed_and_explained() {
    let shown = table().filter_map(|(accepted, text)| {
        let error = SelectorList::parse(&text).err().filter(|_| !accepted)?;
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
fn the_alternatives_of_a_list_are_separated_by_grammar() {
    let list = SelectorList::parse(" :is(a, b) ,[title='x, y'] , c:not(.d,.e)\n").expect("valid CSS");
    let alternatives: Vec<_> =
        list.alternatives().iter().map(|one| (one.offset, one.text.as_str())).collect();
    assert_eq!(alternatives, [(1, ":is(a, b)"), (12, "[title='x, y']"), (29, "c:not(.d,.e)")]);
}

#[test]
fn deep_nesting_ends_in_an_error() {
    let deep = format!("{}a{}", ":not(".repeat(100_000), ")".repeat(100_000));
    let error = SelectorList::parse(&deep).expect_err("too deep");
    assert_eq!(error.message, "the brackets nest too deep");
    assert!(SelectorList::parse(&format!("{}a{}", ":is(".repeat(60), ")".repeat(60))).is_ok());
}

#[test]
fn no_prefix_of_a_selector_makes_the_parser_stumble() {
    for (_, text) in table() {
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            if let Err(error) = SelectorList::parse(&text[..end]) {
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
        "a",
        ".b",
        "#c",
        "[d",
        "=",
        "'",
        "\"",
        "]",
        ":",
        "::",
        ":is(",
        ":nth-child(",
        "2n+1",
        " of ",
        ")",
        "(",
        ">",
        " ",
        ",",
        "|",
        "*",
        "&",
        "\\",
        "/*",
        "{",
        ";",
        "é",
        "😀",
    ];
    let mut seed: usize = 1;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(SIGNS[(seed >> 33) % SIGNS.len()]);
        }
        if let Err(error) = SelectorList::parse(&text) {
            assert!(text.get(error.offset..error.offset + error.len).is_some(), "{text:?}");
        }
    }
}
