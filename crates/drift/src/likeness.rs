//! How alike two descriptions of an element are: whether it is still the same one, and how well a candidate fits.

use std::collections::{BTreeMap, BTreeSet};

use strsim::normalized_levenshtein;

use crate::mark::{Mark, is_operable};

/// Attributes that name one thing for good.
const NAMING: &[&str] = &[
    "data-actions-json-target",
    "data-testid",
    "data-test",
    "data-test-id",
    "data-qa",
    "data-cy",
    "id",
    "name",
    "href",
    "action",
    "for",
];

/// From here on two names are two forms of one name. `Save basket` and `Delete basket` have half of their words in common.
pub(crate) const SAME_NAME: f64 = 0.66;

/// Words that add nothing to what a name means.
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "my", "your", "our", "this", "these", "der", "die", "das", "ein", "eine", "le", "la",
    "les", "el",
];

/// How alike two names can be at most whose difference decides what they mean.
const ANOTHER_MEANING: f64 = 0.5;

/// How alike two accessible names are, from 0 to 1. Numbers in names count for nothing: they are often counters.
///
/// The first and the last word of a name say what happens: `Save the basket` is not `Delete the basket`, and `Download as
/// CSV` is not `Download as PDF`. So is a word before the name: `Order` is not `Cancel order`. Words after it say it in more
/// detail: `Search`, `Search the shop`.
pub(crate) fn names(one: &str, other: &str) -> f64 {
    if counted(one) == counted(other) {
        return 1.0;
    }
    let (one, other) = (plain(one), plain(other));
    if one.is_empty() || other.is_empty() {
        return 0.0;
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (mine, theirs) = (words(&one), words(&other));
    // `E-mail` and `Email`.
    if mine.concat() == theirs.concat() {
        return 1.0;
    }
    let shared = mine.iter().filter(|word| theirs.contains(word)).count();
    let overlap = shared as f64 / mine.len().max(theirs.len()) as f64;
    let (short, long) = if mine.len() <= theirs.len() { (&mine, &theirs) } else { (&theirs, &mine) };
    if short.iter().all(|word| long.contains(word)) {
        let more: Vec<&String> = long.iter().filter(|word| !short.contains(word)).collect();
        let says_nothing = more.iter().all(|word| DETERMINERS.contains(&word.as_str()));
        return match () {
            () if says_nothing => overlap.max(0.9),
            () if long.starts_with(short) => overlap.max(0.7),
            () => overlap.min(ANOTHER_MEANING),
        };
    }
    let ends =
        |one: Option<&String>, other: Option<&String>| one.zip(other).is_some_and(|(a, b)| same_word(a, b));
    if !ends(mine.first(), theirs.first()) || !ends(mine.last(), theirs.last()) {
        return overlap.min(ANOTHER_MEANING);
    }
    let spelled = normalized_levenshtein(&one, &other);
    overlap.max(if spelled >= 0.75 { spelled } else { 0.0 })
}

/// Whether two words are two forms of one. Their beginnings decide: `Subscribe` is not `Unsubscribe`.
fn same_word(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    one == other || (common >= 3 && normalized_levenshtein(one, other) >= 0.7)
}

/// A name with every number as one sign. Names of signs only, such as `+`, are compared by it.
fn counted(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    for c in name.chars() {
        match c.is_numeric() {
            true if kept.ends_with('#') => {}
            true => kept.push('#'),
            false => kept.push(c),
        }
    }
    kept
}

/// A name in small letters, without numbers and signs.
fn plain(name: &str) -> String {
    let kept: String =
        name.chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).flat_map(char::to_lowercase).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two attributes that name one thing agree: `Some(true)` when one does and none contradicts, `Some(false)` when
/// all that both have differ, `None` when there is nothing to compare.
pub(crate) fn same_naming(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Option<bool> {
    let both = NAMING.iter().filter_map(|key| Some((one.get(*key)?, other.get(*key)?)));
    let (mut agree, mut differ) = (false, false);
    for (mine, theirs) in both {
        if mine == theirs { agree = true } else { differ = true }
    }
    match (agree, differ) {
        (false, false) => None,
        (agree, _) => Some(agree),
    }
}

/// How many attributes agree, from 0 to 1, and how much that says, from 0 to 1: an attribute that only one of them has says
/// little. Those that name one thing count three times. `None` if there is nothing to compare.
fn attributes(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> Option<(f64, f64)> {
    let weight = |key: &str| if NAMING.contains(&key) { 3.0 } else { 1.0 };
    // `title`, `placeholder` and `alt` are names, which are compared as such.
    let keys: BTreeSet<&String> = one
        .keys()
        .chain(other.keys())
        .filter(|key| !matches!(key.as_str(), "title" | "placeholder" | "alt"))
        .collect();
    let (mut agree, mut both, mut all) = (0.0, 0.0, 0.0);
    for key in keys {
        let (mine, theirs) = (one.get(key), other.get(key));
        all += weight(key);
        both += if mine.is_some() && theirs.is_some() { weight(key) } else { 0.0 };
        agree += if mine == theirs { weight(key) } else { 0.0 };
    }
    (all > 0.0).then(|| (agree / all, f64::max(both / all, 1.0 / 3.0)))
}

/// How much of two lists is the same, in order, from 0 to 1.
fn sequence(one: &[String], other: &[String]) -> f64 {
    let longest = one.len().max(other.len());
    if longest == 0 {
        return 1.0;
    }
    let mut row = vec![0_usize; other.len() + 1];
    for mine in one {
        let mut diagonal = 0;
        for (at, theirs) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if mine == theirs { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[other.len()] as f64 / longest as f64
}

/// How much of two sets is the same, from 0 to 1; nothing to compare gives `None`.
fn sets(one: &[String], other: &[String]) -> Option<f64> {
    if one.is_empty() {
        return None;
    }
    let shared = one.iter().filter(|each| other.contains(each)).count();
    Some(shared as f64 / one.len().max(other.len().min(one.len())) as f64)
}

/// One way in which two elements are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trait {
    /// What is compared.
    pub(crate) what: &'static str,
    /// How much it counts.
    pub(crate) weight: f64,
    /// How alike they are in it, from 0 to 1.
    pub(crate) alike: f64,
}

/// Compares a candidate with what the lock says of the target, trait by trait. What the lock does not know is left out.
pub(crate) fn traits(locked: &Mark, seen: &Mark) -> Vec<Trait> {
    let mut traits = Vec::new();
    let mut add =
        |what, weight, alike: Option<f64>| traits.extend(alike.map(|alike| Trait { what, weight, alike }));
    add("name", 4.0, (!locked.name.is_empty()).then(|| names(&locked.name, &seen.name)));
    add("role", 2.0, Some(f64::from(u8::from(locked.role == seen.role))));
    add("tag", 0.5, Some(f64::from(u8::from(locked.tag == seen.tag))));
    let compared = attributes(&locked.attributes, &seen.attributes);
    add("attributes", 3.0 * compared.map_or(0.0, |(_, says)| says), compared.map(|(alike, _)| alike));
    add("content", 2.0, sets(&locked.holds, &seen.holds));
    add("neighbours", 1.5, sets(&locked.near, &seen.near));
    add("structure", 1.0, Some(sequence(&locked.path, &seen.path)));
    add("text", 0.5, (!locked.text.is_empty()).then(|| f64::from(u8::from(locked.text == seen.text))));
    traits
}

/// The traits in one number, from 0 to 1.
pub(crate) fn score(traits: &[Trait]) -> f64 {
    let all: f64 = traits.iter().map(|each| each.weight).sum();
    let got: f64 = traits.iter().map(|each| each.weight * each.alike).sum();
    if all > 0.0 { (got / all * 1000.0).round() / 1000.0 } else { 0.0 }
}

/// Why an element that a target still matches is not the one that the lock knows; `None` if it is.
///
/// Classes, places and neighbours may change: a redesign is no drift of identity. What an element is and what it is called
/// may not.
pub(crate) fn other_identity(locked: &Mark, seen: &Mark, translated: bool) -> Option<String> {
    let naming = same_naming(&locked.attributes, &seen.attributes);
    if is_operable(&locked.role) && locked.role != seen.role && !kindred(&locked.role, &seen.role) {
        let role = if seen.role.is_empty() { "an element without a role" } else { seen.role.as_str() };
        return Some(format!("it was a {}, and is now {role}", locked.role));
    }
    if locked.name.is_empty() || seen.name.is_empty() || locked.varies("name") {
        return unnamed(locked, seen, naming);
    }
    if names(&locked.name, &seen.name) >= SAME_NAME {
        return None;
    }
    // A link that leads to the same place is the same link (`#` and scripts are no places), and a page in another language has other names.
    let leads = locked
        .attributes
        .get("href")
        .filter(|href| !href.starts_with('#') && !href.starts_with("javascript:"));
    let same_place = leads.is_some() && leads == seen.attributes.get("href");
    if same_place || (translated && naming != Some(false)) {
        return None;
    }
    // A heading, a list or a region is called by what is in it today.
    let is_asked = is_operable(&locked.role) || matches!(locked.role.as_str(), "dialog" | "form" | "search");
    is_asked.then(|| format!("it was called `{}`, and is now called `{}`", locked.name, seen.name))
}

/// An element without a name is known by what names it for its authors, or by what is inside it.
fn unnamed(locked: &Mark, seen: &Mark, naming: Option<bool>) -> Option<String> {
    let holds = sets(&locked.holds, &seen.holds);
    let nothing_left = holds == Some(0.0) && naming != Some(true) && !locked.varies("holds");
    // What a region of a page holds depends on the day; the fields of a form do not.
    let is_form = matches!(locked.tag.as_str(), "form" | "fieldset" | "search");
    (nothing_left && is_form && locked.holds.len() >= 2)
        .then(|| "nothing of what could be operated inside it is there any more".to_owned())
}

/// Whether two roles are two forms of one control.
pub(crate) fn kindred(one: &str, other: &str) -> bool {
    const FAMILIES: &[&[&str]] = &[
        &["textbox", "searchbox", "combobox"],
        &["button", "link", "menuitem", "tab", "switch"],
        &["checkbox", "switch", "menuitemcheckbox"],
        &["radio", "option", "menuitemradio"],
        &["combobox", "listbox"],
    ];
    FAMILIES.iter().any(|family| family.contains(&one) && family.contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_say_the_same_are_alike() {
        for (one, other) in [
            ("Basket (3)", "Basket (12)"),
            ("E-mail", "Email"),
            ("Log in", "Login"),
            ("Basket", "Your basket"),
            ("Search", "Search the shop"),
            ("Save basket", "Save basket for later"),
            ("Colour", "Color"),
            ("Save changes", "Save change"),
            ("Add Assam to the basket", "Add Yunnan to the basket"),
        ] {
            assert!(names(one, other) >= SAME_NAME, "{one} {other} {}", names(one, other));
            assert!(names(other, one) >= SAME_NAME, "{other} {one}");
        }
    }

    #[test]
    fn names_that_say_something_else_are_not() {
        for (one, other) in [
            ("Save", "Delete"),
            ("Save basket", "Delete basket"),
            ("Save the basket", "Delete the basket"),
            ("Den Korb speichern", "Den Korb leeren"),
            ("Subscribe", "Unsubscribe"),
            ("Anmelden", "Abmelden"),
            ("Enable", "Disable"),
            ("Mark as read", "Mark as unread"),
            ("Select all items", "Deselect all items"),
            ("Order", "Cancel order"),
            ("Save", "Don't save"),
            ("Download as CSV", "Download as PDF"),
            ("Sign in", "Sign up"),
            ("", "Save"),
        ] {
            assert!(names(one, other) < SAME_NAME, "{one} {other} {}", names(one, other));
            assert!(names(other, one) < SAME_NAME, "{other} {one}");
        }
    }
}
