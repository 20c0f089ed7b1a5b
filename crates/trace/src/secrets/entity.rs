//! The named character references of HTML that encoders write: those of markup and of Latin-1.

/// The names of the characters from U+00A0 to U+00FF, in order.
const LATIN: &[&str] = &[
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf", "laquo",
    "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para", "middot",
    "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",
    "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute",
    "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
    "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave", "aacute", "acirc", "atilde",
    "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc",
    "iuml", "eth", "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave",
    "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml",
];

/// The names of ASCII characters. Only the first five are common; `&sol;` and the like come from careful escapers.
const ASCII: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("verbar", '|'),
    ("rcub", '}'),
    ("excl", '!'),
];

/// The character of a name.
pub(super) fn named(name: &str) -> Option<char> {
    if let Some((_, c)) = ASCII.iter().find(|(known, _)| *known == name) {
        return Some(*c);
    }
    let at = LATIN.iter().position(|known| *known == name)?;
    char::from_u32(0xa0 + u32::try_from(at).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_their_characters() {
        assert_eq!(LATIN.len(), 96);
        for (name, c) in [("amp", '&'), ("nbsp", '\u{a0}'), ("szlig", 'ß'), ("auml", 'ä'), ("yuml", 'ÿ')] {
            assert_eq!(named(name), Some(c), "{name}");
        }
        assert_eq!(named("AMP"), None);
    }
}
