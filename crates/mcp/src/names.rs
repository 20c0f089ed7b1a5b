//! Names that every client of MCP accepts.

/// How long a name may be. Clients put their own name for the server before it, and some models allow 64 characters.
const LONGEST: usize = 48;

/// A name as every client accepts it: ASCII letters, digits, `_` and `-`. Dots become `_`.
pub(crate) fn legal(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    name.chars().take(LONGEST).map(|c| if fits(c) { c } else { '_' }).collect()
}

/// A legal name that is not taken yet: the name itself, else after the name of its map, else with a number.
pub(crate) fn free(name: &str, map: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let candidates = [legal(name), legal(&format!("{map}_{name}"))];
    if let Some(free) = candidates.into_iter().find(|candidate| !is_taken(candidate)) {
        return free;
    }
    let stem: String = legal(name).chars().take(LONGEST - 6).collect();
    let mut numbered = (2..100_000_u32).map(|number| format!("{stem}_{number}"));
    numbered.find(|candidate| !is_taken(candidate)).unwrap_or(stem)
}

/// A short name for a map, from the host and the path of its surface or else from its own name.
pub(crate) fn slug(text: &str) -> String {
    let plain = text.split_once("://").map_or(text, |(_, rest)| rest);
    let mut slug = String::new();
    for c in plain.chars().flat_map(char::to_lowercase).take(40) {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c),
            false if slug.ends_with('-') || slug.is_empty() => {}
            false => slug.push('-'),
        }
    }
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "map".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_short_and_different() {
        assert_eq!(legal("cart.add"), "cart_add");
        assert_eq!(legal(&"x.".repeat(60)).len(), LONGEST);
        let taken = ["cart_add", "shop_cart_add"];
        let is_taken = |name: &str| taken.contains(&name);
        assert_eq!(free("cart.read", "shop", is_taken), "cart_read");
        assert_eq!(free("cart.add", "books", is_taken), "books_cart_add");
        assert_eq!(free("cart.add", "shop", is_taken), "cart_add_2");
    }

    #[test]
    fn a_slug_has_only_lower_case_letters_digits_and_dashes() {
        assert_eq!(slug("https://Board.example/b/"), "board-example-b");
        assert_eq!(slug("Ada's prints"), "ada-s-prints");
        assert_eq!(slug("…"), "map");
    }
}
