//! Whatever a page, a server or an address makes of a secret, no masked text contains it.

use actions_trace::Secrets;
use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, HEXLOWER, HEXUPPER};
use serde_json::{Value, json};

/// A sequence of numbers that is the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    /// A secret of printable characters, most of them ASCII.
    fn secret(&mut self) -> String {
        const ODD: &[char] =
            &['ä', 'ß', 'é', 'Ж', '漢', '😀', '"', '\\', '/', '&', '<', '\'', '%', '+', '=', ' '];
        let length = 6 + self.below(24);
        // Its ends are letters: white space at an end is not part of what is looked for.
        let middle: String = (0..length)
            .map(|_| match self.below(4) {
                0 => ODD[self.below(ODD.len())],
                _ => char::from(b'!' + self.below(94) as u8),
            })
            .collect();
        format!("Q{middle}z")
    }
}

/// A way to write a text differently.
type Encoding = (&'static str, fn(&mut Random, &str) -> String);

/// Writes each character by one of these ways, at random.
fn mixed(random: &mut Random, text: &str, ways: &[fn(&mut Random, char) -> String]) -> String {
    text.chars().map(|c| ways[random.below(ways.len())](random, c)).collect()
}

fn percent(random: &mut Random, c: char) -> String {
    let upper = random.below(2) == 0;
    let byte = |byte: &u8| if upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
    c.to_string().as_bytes().iter().map(byte).collect()
}

fn unicode_escape(random: &mut Random, c: char) -> String {
    let upper = random.below(2) == 0;
    let unit = |unit: &mut u16| if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
    c.encode_utf16(&mut [0; 2]).iter_mut().map(unit).collect()
}

fn entity(random: &mut Random, c: char) -> String {
    match random.below(3) {
        0 => format!("&#{};", c as u32),
        1 => format!("&#x{:x};", c as u32),
        _ => format!("&#X{:X};", c as u32),
    }
}

/// A character as markup needs it.
fn markup(_: &mut Random, c: char) -> String {
    match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&#39;".to_owned(),
        c => c.to_string(),
    }
}

/// A character as JSON needs it.
fn json_text(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

const ENCODINGS: &[Encoding] = &[
    ("plain", |_, text| text.to_owned()),
    ("JSON", |_, text| json_text(text)),
    ("JSON in JSON", |_, text| json_text(&json_text(text))),
    ("JSON with escaped slashes", |_, text| json_text(text).replace('/', "\\/")),
    ("Unicode escapes", |random, text| mixed(random, text, &[unicode_escape])),
    ("JSON and Unicode escapes", |random, text| {
        let plain = |_: &mut Random, c: char| json_text(&c.to_string());
        mixed(random, text, &[plain, unicode_escape])
    }),
    ("percent signs", |random, text| mixed(random, text, &[percent])),
    ("percent signs twice", |random, text| {
        let once = mixed(random, text, &[percent]);
        once.replace('%', "%25")
    }),
    ("a form", |random, text| {
        let letter = |random: &mut Random, c: char| match c {
            ' ' => "+".to_owned(),
            c if c.is_ascii_alphanumeric() => c.to_string(),
            c => percent(random, c),
        };
        mixed(random, text, &[letter])
    }),
    ("entities", |random, text| mixed(random, text, &[entity])),
    ("markup", |random, text| mixed(random, text, &[markup])),
    ("markup and entities", |random, text| mixed(random, text, &[markup, entity])),
    ("markup in JSON", |random, text| {
        let markup = mixed(random, text, &[markup]);
        json_text(&markup).replace('<', "\\u003c").replace('&', "\\u0026")
    }),
    ("base64", |_, text| BASE64.encode(text.as_bytes())),
    ("base64 without padding", |_, text| BASE64_NOPAD.encode(text.as_bytes())),
    ("base64 for URLs", |_, text| BASE64URL.encode(text.as_bytes())),
    ("base64 for URLs without padding", |_, text| BASE64URL_NOPAD.encode(text.as_bytes())),
    ("Basic credentials", |random, text| {
        let user = "user".repeat(1 + random.below(3));
        let cut = user.len() - random.below(3);
        BASE64.encode(format!("{}:{text}", &user[..cut]).as_bytes())
    }),
    ("hexadecimal", |_, text| HEXLOWER.encode(text.as_bytes())),
    ("hexadecimal in capitals", |_, text| HEXUPPER.encode(text.as_bytes())),
    ("capitals", |_, text| text.to_uppercase()),
    ("small letters", |_, text| text.to_lowercase()),
    ("reversed", |_, text| text.chars().rev().collect()),
];

#[test]
fn no_masked_text_contains_a_secret_in_any_encoding() {
    let mut random = Random(7);
    for round in 0..200 {
        let secret = random.secret();
        let secrets = Secrets::default();
        secrets.learn(&json!(secret));
        for (name, encode) in ENCODINGS {
            let encoded = encode(&mut random, &secret);
            let text = format!("before={encoded}; after");
            let masked = secrets.mask(text.as_str()).into_inner();
            assert!(!masked.contains(&encoded), "{round}, {name}: {secret:?} in {masked:?}");
            assert!(masked.contains("[secret]"), "{round}, {name}: {secret:?} in {masked:?}");
            assert!(
                masked.len() < "before=; after".len() + 32,
                "{round}, {name}: much of {secret:?} in {masked:?}"
            );
            let value = secrets.mask(&json!({ "a": [text] })).into_inner();
            assert!(
                !value.to_string().contains(&json_text(&encoded)),
                "{round}, {name}: {secret:?} in {value}"
            );
        }
    }
}

#[test]
fn a_text_without_the_secret_stays() {
    let mut random = Random(11);
    let secrets = Secrets::default();
    secrets.learn(&json!("Q-never-said-z"));
    for _ in 0..200 {
        let open = random.secret();
        for (name, encode) in ENCODINGS {
            let encoded = encode(&mut random, &open);
            assert_eq!(*secrets.mask(encoded.as_str()), encoded, "{name}");
        }
    }
}
