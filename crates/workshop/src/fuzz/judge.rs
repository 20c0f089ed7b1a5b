//! Validates a text and finds the property that the result does not have.

use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use actions_manifest::{NoImports, Options, Profile, json_schema, validate};
use jsonschema::Validator;

use crate::fuzz::plain_json::PlainJson;
use crate::fuzz::properties::{Case, PROPERTIES};

/// A property that does not hold, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The property.
    pub property: &'static str,
    /// The evidence.
    pub detail: String,
}

impl Breach {
    /// What breaches of one cause have in common, most likely.
    pub fn kind(&self) -> String {
        let letters = self.detail.chars().filter(|c| !c.is_ascii_digit()).take(80);
        format!("{}: {}", self.property, letters.collect::<String>())
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.property, self.detail)
    }
}

/// The property that comes before all others.
const NO_PANIC: &str = "no text makes the validator panic";

/// The result of judging a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The first property that does not hold.
    pub breach: Option<Breach>,
    /// Whether the map was given out under the strict profile.
    pub accepted: bool,
    /// The rules that are broken, in the order of the text.
    pub codes: Vec<&'static str>,
}

/// Validates texts and checks the properties of the results.
#[derive(Debug)]
pub struct Judge {
    schema: Validator,
}

thread_local! {
    /// Where and why the text being judged made the validator panic; absent while nothing is judged.
    static JUDGED: RefCell<Option<String>> = const { RefCell::new(None) };
}

impl Judge {
    /// A judge with the JSON Schema of this build.
    pub fn new() -> Self {
        listen_to_panics();
        let schema = jsonschema::draft202012::new(&json_schema()).expect("the schema of the format is valid");
        Self { schema }
    }

    /// The first property that does not hold for this text.
    pub fn judge(&self, bytes: &[u8]) -> Option<Breach> {
        self.verdict(bytes).breach
    }

    /// Judges a text.
    pub fn verdict(&self, bytes: &[u8]) -> Verdict {
        JUDGED.set(Some(String::new()));
        let judged = panic::catch_unwind(AssertUnwindSafe(|| self.answer(bytes)));
        let panicked = JUDGED.take().unwrap_or_default();
        judged.unwrap_or_else(|_| {
            let breach = Some(Breach { property: NO_PANIC, detail: panicked });
            Verdict { breach, ..Verdict::default() }
        })
    }

    fn answer(&self, bytes: &[u8]) -> Verdict {
        let json = serde_json::from_slice::<PlainJson>(bytes).ok();
        let answer = |profile| validate("fuzz.json", bytes, &Options { profile, imports: &NoImports });
        let (strict, lenient) = (answer(Profile::Strict), answer(Profile::Lenient));
        let case =
            Case { bytes, json: json.as_ref(), strict: &strict, lenient: &lenient, schema: &self.schema };
        let breach = PROPERTIES.iter().find_map(|property| {
            (property.breach)(&case).map(|detail| Breach { property: property.name, detail })
        });
        let codes = strict.findings.iter().map(|finding| finding.rule.code).collect();
        Verdict { breach, accepted: strict.manifest.is_some(), codes }
    }
}

impl Default for Judge {
    fn default() -> Self {
        Self::new()
    }
}

/// Keeps what a panic says while a text is judged; other panics are printed as usual.
fn listen_to_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let judged = JUDGED
                .with_borrow_mut(|judged| judged.as_mut().map(|said| *said = panic.to_string()).is_some());
            if !judged {
                usual(panic);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_answer_is_no_breach() {
        let judge = Judge::new();
        for text in ["", "{}", "[1, 2", "{\"protocol\": \"actions.json\", \"version\": 1, \"tools\": []}"] {
            assert_eq!(judge.judge(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_panic_is_a_breach_with_its_place() {
        listen_to_panics();
        JUDGED.set(Some(String::new()));
        let panicked = panic::catch_unwind(|| panic!("out of luck"));
        let said = JUDGED.take().unwrap_or_default();
        assert!(panicked.is_err() && said.contains("out of luck") && said.contains("judge.rs"), "{said}");
    }
}
