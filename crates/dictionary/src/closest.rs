//! "Did you mean": the known word nearest to one that is not known.

/// Words that mean the same to people who write maps. Primitives of one family call an element `target`, others `locator`.
const SYNONYMS: &[(&str, &str)] = &[("target", "locator"), ("locator", "target")];

/// A shorter word is no evidence that a longer one, which begins with it, was meant.
const SHORTEST_STEM: usize = 5;

/// A longer ending is a word of its own.
const LONGEST_ENDING: usize = 3;

/// Only so many known words are looked at: a map may have thousands of names and as many mistakes.
const MOST_SEEN: usize = 1000;

/// Only so many of those are compared letter by letter, which is far slower than the look at length and letters.
const MOST_COMPARED: usize = 64;

/// More typing errors make another word.
const MOST_ERRORS: usize = 3;

/// Finds the candidate a person most likely meant, if any is near enough: a typing error, a longer or shorter form of the
/// same word, or a synonym.
///
/// Words are compared without regard to case, `_`, `-` and `.`, so that `textContent` meets `text_content`.
///
/// ```
/// use actions_dictionary::closest;
///
/// assert_eq!(closest("extractors", ["extract", "projection"]), Some("extract"));
/// assert_eq!(closest("teleport", ["extract", "projection"]), None);
/// ```
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = plain(word);
    let shape = Shape::of(word);
    let rank = |candidate: &'a str| {
        let known = plain(candidate);
        let rank = typing_errors(&wanted, &known)
            .or_else(|| same_stem(&wanted, &known))
            .or_else(|| SYNONYMS.contains(&(word, candidate)).then_some(usize::MAX))?;
        Some((rank, candidate))
    };
    let seen = candidates.into_iter().take(MOST_SEEN);
    let similar = seen
        .filter(|candidate| Shape::of(candidate).may_be_near(shape) || SYNONYMS.contains(&(word, candidate)));
    let ranked = similar.take(MOST_COMPARED).filter_map(rank);
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, candidate)| candidate)
}

/// What a look at a word tells without comparing it: how long it is, and which letters it has.
#[derive(Clone, Copy)]
struct Shape {
    length: usize,
    /// One bit for each letter; letters may share a bit.
    letters: u64,
}

impl Shape {
    fn of(word: &str) -> Self {
        letters(word).fold(Self { length: 0, letters: 0 }, |shape, letter| Self {
            length: shape.length + 1,
            letters: shape.letters | 1 << (u32::from(letter) % u64::BITS),
        })
    }

    /// False only if the two words are not near each other. A typing error changes at most two letters of the set.
    fn may_be_near(self, other: Self) -> bool {
        let differing = (self.letters ^ other.letters).count_ones() as usize;
        self.length.abs_diff(other.length) <= MOST_ERRORS.max(LONGEST_ENDING) && differing <= 2 * MOST_ERRORS
    }
}

/// How many letters are wrong, if few enough are.
fn typing_errors(wanted: &str, known: &str) -> Option<usize> {
    let length = wanted.chars().count();
    let allowed = (length / 4).clamp(1, MOST_ERRORS);
    // Comparing costs the product of the lengths; what differs much in length need not be compared.
    if known.chars().count().abs_diff(length) > allowed {
        return None;
    }
    let distance = strsim::osa_distance(wanted, known);
    (distance <= allowed).then_some(distance)
}

/// How long the ending of the longer word is, if it begins with the other word.
fn same_stem(wanted: &str, known: &str) -> Option<usize> {
    let (shorter, longer) = if wanted.len() < known.len() { (wanted, known) } else { (known, wanted) };
    let ending = longer.strip_prefix(shorter).filter(|_| shorter.len() >= SHORTEST_STEM)?;
    (ending.len() <= LONGEST_ENDING).then_some(ending.len())
}

fn plain(word: &str) -> String {
    letters(word).collect()
}

/// The letters by which words are compared.
fn letters(word: &str) -> impl Iterator<Item = char> {
    word.chars().filter(|letter| !matches!(letter, '_' | '-' | '.')).flat_map(char::to_lowercase)
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

    #[test]
    fn a_longer_form_finds_its_word() {
        assert_eq!(closest("extractors", ["extract", "projection"]), Some("extract"));
        assert_eq!(closest("max_kilobytes", ["max_bytes", "max"]), None);
    }

    #[test]
    fn a_word_is_found_among_thousands_of_others() {
        let names: Vec<String> = (0..900).map(|n| format!("state{n}")).collect();
        let names = || names.iter().map(String::as_str).chain(["checkout_open"]);
        assert_eq!(closest("checkout_opne", names()), Some("checkout_open"));
        assert_eq!(closest("checkuot_opned", names()), Some("checkout_open"));
    }

    #[test]
    fn a_synonym_finds_its_word() {
        assert_eq!(closest("target", ["x", "y", "locator"]), Some("locator"));
        assert_eq!(closest("locator", ["text", "target"]), Some("target"));
    }
}
