//! "Did you mean": the known word nearest to one that is not known.

/// Finds the candidate a person most likely meant, if any is near enough.
///
/// Words are compared without regard to case, `_`, `-` and `.`, so that `textContent` meets `text_content`.
pub(crate) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    let length = wanted.chars().count();
    let allowed = (length / 4).clamp(1, 3);
    candidates
        .into_iter()
        // Comparing costs the product of the lengths; what differs much in length need not be compared.
        .filter(|candidate| length <= candidate.len() + allowed)
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn plain(word: &str) -> String {
    word.chars().filter(|letter| !matches!(letter, '_' | '-' | '.')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::closest;

    const NAMES: [&str; 4] = ["locator.text_content", "locator.value", "pointer.click", "pointer.drag"];

    #[test]
    fn a_typo_finds_its_word() {
        assert_eq!(closest("pointer.clikc", NAMES), Some("pointer.click"));
        assert_eq!(closest("locator.textContent", NAMES), Some("locator.text_content"));
    }

    #[test]
    fn a_stranger_finds_nothing() {
        assert_eq!(closest("browser.teleport", NAMES), None);
        assert_eq!(closest("", NAMES), None);
    }
}
