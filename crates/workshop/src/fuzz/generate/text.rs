//! Strings, by the key they stand under.

use actions_dictionary::Dictionary;

use super::Writer;

const STEP_IDS: &[&str] = &["find", "click", "read", "a", "b", "wait_1", "item"];

const NAMES: &[&str] = &[
    "search.submit",
    "results.read",
    "cart.add",
    "ready",
    "open",
    "a",
    "b",
    "site.board",
    "list",
    "lists",
    "x-y_z.w",
];

const UNSAFE_NAMES: &[&str] =
    &["", ".", "a.", ".a", "a..b", "1a", "a b", "é", "a/b", "a\u{0}", "__proto__", "A~1"];

const SELECTORS: &[&str] = &[
    "button",
    "#id",
    ".class",
    "*",
    "a > b",
    "a + b ~ c",
    "[data-x='y']",
    "[data-x=\"a]b\" i]",
    "a, b",
    "li:nth-child(2n+1)",
    ":is(a, b):not(.c, :has(> d))",
    "form[role='search'] input",
    "::before",
    "a::part(x)",
    ":host(.x)",
    "svg|rect",
    "div:contains('x')",
    ">a",
    "a >",
    "a,,b",
    "[",
    "[a",
    "[a=",
    "(",
    ":not(",
    ":",
    "::",
    "#",
    ".",
    "\\",
    "\\31 23",
    "a\\",
    "/* c */a",
    "a/*",
    "!",
    "a{b}",
    "@media",
    "u+0-7F",
    "<!--a-->",
    "[a=b",
    "'",
    "\"",
    "url(x)",
    "url(",
    "a:nth-child(",
    "-",
    "--",
    "1a",
];

const XPATHS: &[&str] = &[
    "//a",
    "/html/body",
    ".//div[@class='x']",
    "//*[contains(text(), \"it's\")]",
    "(//a)[1]",
    "//a[position() < 3]/..",
    "ancestor::div",
    "//a | //b",
    "count(//a)",
    "//a[",
    "//a[@",
    "//",
    "a b",
    "//a[1",
    "concat('a', \"b\")",
    "'",
    "//a[@b='c]",
    "//svg:rect",
    "//a[not(b) and c or d = 1 + 2 * -3 div 4 mod 5]",
    "$x",
    "//a[.='x']",
    "((((",
    "@",
    "::",
    "a::b",
];

const URLS: &[&str] = &[
    "https://example.com",
    "https://example.com/a?b=c#d",
    "/search",
    "*",
    "https://*.example.com/*",
    "http://[::1]/",
    "file:///etc",
    "javascript:alert(1)",
    "https://user:secret@example.com/",
    "https://example.com:99999/",
    "//x",
    "",
    "https://exa mple.com",
    "data:,x",
];

const PATHS: &[&str] = &[
    "a.html",
    "a/b.js",
    "../x",
    "/etc/passwd",
    "C:\\x",
    "\\\\share\\x",
    "a/../../b",
    "./a",
    "~/x",
    "file:///x",
    "",
    ".",
    "a//b",
    "a\\..\\b",
    "/home/someone/x",
    "/Users/someone/x",
];

const PROSE: &[&str] = &[
    "A short sentence.",
    "",
    " ",
    "\u{feff}",
    "\u{85}",
    "\u{a0}",
    "Bearer abcdef0123456789abcdef0123456789",
    "cookie: session=1234567890abcdef",
    "sk-1234567890abcdef1234567890abcdef",
    "someone@example.com",
    "{% x %}",
    "a {% b %}",
    "%}",
    "{%",
    "é\n\t",
    "true",
    "1",
    "null",
];

/// A source of strings and the keys it serves.
struct Source {
    keys: &'static [&'static str],
    words: &'static [&'static str],
}

const SOURCES: &[Source] = &[
    Source {
        keys: &["selector", "selectors", "fallback_selectors", "closest", "frame", "item_selector"],
        words: SELECTORS,
    },
    Source { keys: &["xpath"], words: XPATHS },
    Source { keys: &["url", "origin", "uri", "url_contains", "url_matches", "url_patterns"], words: URLS },
    Source { keys: &["path", "files"], words: PATHS },
    Source {
        keys: &[
            "name",
            "tool",
            "state",
            "signal",
            "projection",
            "attachment",
            "available_tools",
            "next_states",
            "states",
            "handler",
            "id",
            "namespace",
        ],
        words: NAMES,
    },
];

const PRIMITIVE_KEYS: &[&str] =
    &["primitive", "requires", "required_primitives", "optional_primitives", "blocked_primitives", "handler"];

impl Writer<'_> {
    /// A string as it might stand under this key.
    pub(super) fn text(&mut self, key: &str) -> String {
        if PRIMITIVE_KEYS.contains(&key) && self.random.percent(90) {
            let names: Vec<&str> = Dictionary::builtin().names().collect();
            return self.random.choose(&names).to_string();
        }
        if matches!(key, "expression" | "when" | "for_each" | "retry_until" | "markers") {
            return self.slot();
        }
        let source = SOURCES.iter().find(|source| source.keys.contains(&key));
        let words = match self.random.below(10) {
            0 => self.random.choose(SOURCES).words,
            1 => PROSE,
            2 if key.is_empty() => return self.slot(),
            _ => source.map_or(&PROSE[..1], |source| source.words),
        };
        let word = self.random.pick(words).to_owned();
        if self.random.percent(5) { self.blurred(&word) } else { word }
    }

    /// A name as tools, states and the like have; a safe one, most of the time.
    pub(super) fn name(&mut self) -> String {
        let words = if self.slip() { UNSAFE_NAMES } else { NAMES };
        self.random.pick(words).to_owned()
    }

    pub(super) fn step_id(&mut self) -> String {
        let words = if self.slip() { UNSAFE_NAMES } else { STEP_IDS };
        self.random.pick(words).to_owned()
    }

    /// The text with a character taken out, doubled or replaced.
    pub(super) fn blurred(&mut self, text: &str) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.random.below(3) {
            let at = self.random.below(chars.len());
            match self.random.below(4) {
                _ if chars.is_empty() => chars.push('a'),
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, chars[at]),
                2 => chars.insert(
                    at,
                    *self.random.choose(&[
                        '(', ')', '[', ']', '{', '}', '\'', '"', '\\', '/', '.', ',', '$', '%', '\u{0}', 'é',
                        '😀', '\n', ' ', '`', '|', '~', ':', '?', '*', '^', '@', '#', '&', '!', '<', '>',
                        '=',
                    ]),
                ),
                _ => {
                    let other = self.random.below(chars.len());
                    chars.swap(at, other);
                }
            }
        }
        chars.into_iter().collect()
    }
}
