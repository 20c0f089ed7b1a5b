//! Pictures of whole numbers, as in XPath's fn:format-integer.

use jsonata_core::evaluator::EvaluatorError;

use crate::engine::host::arguments::failed;
use crate::engine::host::{groups, javascript};
use crate::engine::meter::{Meter, Stop};

/// The longest picture.
const MAX_PICTURE: usize = 1_000;

/// The zeros of the families of decimal digits.
#[rustfmt::skip]
const ZEROS: [u32; 37] = [
    0x30, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
];

/// How a whole number is written.
pub(super) struct Picture {
    pub(super) style: Style,
    pub(super) case: Case,
    pub(super) is_ordinal: bool,
}

pub(super) enum Style {
    Letters,
    Roman,
    Words,
    Digits(Digits),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Upper,
    Lower,
    Title,
}

impl Case {
    /// Turns words in title case into this case.
    pub(super) fn of(self, words: String) -> String {
        match self {
            Case::Upper => words.to_uppercase(),
            Case::Lower => words.to_lowercase(),
            Case::Title => words,
        }
    }
}

/// A pattern of digits.
pub(super) struct Digits {
    zero: u32,
    least: usize,
    /// Where separators stand, counted in digits from the right, from right to left.
    separators: Vec<(usize, char)>,
    /// The distance of separators that repeat for ever.
    repeat: Option<usize>,
}

impl Picture {
    pub(super) fn parse(picture: &str, meter: &Meter) -> Result<Picture, EvaluatorError> {
        let (primary, modifier) = picture.rsplit_once(';').unwrap_or((picture, ""));
        let (style, case) = match primary {
            "A" => (Style::Letters, Case::Upper),
            "a" => (Style::Letters, Case::Lower),
            "I" => (Style::Roman, Case::Upper),
            "i" => (Style::Roman, Case::Lower),
            "W" => (Style::Words, Case::Upper),
            "Ww" => (Style::Words, Case::Title),
            "w" => (Style::Words, Case::Lower),
            _ => (Style::Digits(Digits::parse(primary, meter)?), Case::Lower),
        };
        Ok(Picture { style, case, is_ordinal: modifier.starts_with('o') })
    }
}

impl Digits {
    fn parse(picture: &str, meter: &Meter) -> Result<Digits, EvaluatorError> {
        if picture.len() > MAX_PICTURE {
            return Err(meter.stop(Stop::Memory));
        }
        let mut zero = None;
        let (mut least, mut place) = (0, 0);
        let mut separators = Vec::new();
        for char in picture.chars().rev() {
            let code = u32::from(char);
            match ZEROS.into_iter().find(|zero| (*zero..=zero + 9).contains(&code)) {
                Some(family) if zero.is_some_and(|zero| zero != family) => {
                    return Err(failed("D3131: the picture mixes digits of different alphabets"));
                }
                Some(family) => {
                    zero = Some(family);
                    least += 1;
                    place += 1;
                }
                None if char == '#' => place += 1,
                None => separators.push((place, char)),
            }
        }
        let Some(zero) = zero else {
            return Err(failed("D3130: the picture has no digit and no style that is known"));
        };
        let repeat = repeat(&separators);
        Ok(Digits { zero, least, separators, repeat })
    }

    pub(super) fn write(&self, number: f64, is_ordinal: bool) -> String {
        let plain = javascript::number_to_string(number);
        let padded = format!("{}{plain}", "0".repeat(self.least.saturating_sub(plain.len())));
        let shift = |char: char| {
            char::from_u32(u32::from(char) + self.zero - u32::from('0'))
                .unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        let mut written: Vec<char> = padded.chars().map(shift).collect();
        match (self.repeat, self.separators.first()) {
            (Some(distance), Some((_, separator))) => {
                for group in (1..=(written.len() - 1) / distance).rev() {
                    written.insert(written.len() - group * distance, *separator);
                }
            }
            _ => {
                for (place, separator) in self.separators.iter().rev() {
                    let len = written.len();
                    // A place before the first digit counts from the end once more, as in JavaScript's `substr`.
                    let at = if *place <= len { len - place } else { (2 * len).saturating_sub(*place) };
                    if *place <= len {
                        written.insert(at, *separator);
                    } else {
                        // Nothing of the number comes before the separator, and its end comes after it.
                        written = std::iter::once(*separator).chain(written.split_off(at)).collect();
                    }
                }
            }
        }
        if is_ordinal {
            let before_last = written.len().checked_sub(2).map(|at| written[at]);
            let suffix = match written.last() {
                _ if before_last == Some('1') => "th",
                Some('1') => "st",
                Some('2') => "nd",
                Some('3') => "rd",
                _ => "th",
            };
            written.extend(suffix.chars());
        }
        written.into_iter().collect()
    }

    /// The text without an ordinal's ending and without separators, in the digits 0 to 9.
    pub(super) fn plain(&self, text: &str, is_ordinal: bool) -> String {
        let mut chars: Vec<char> = text.chars().collect();
        if is_ordinal {
            chars.truncate(chars.len().saturating_sub(2));
        }
        // jsonata.js takes commas out where the separators repeat, whatever the separator is.
        let is_separator = |char: &char| match self.repeat {
            Some(_) => *char == ',',
            None => self.separators.iter().any(|(_, separator)| separator == char),
        };
        chars.retain(|char| !is_separator(char));
        let shift = |char: char| {
            (u32::from(char) + u32::from('0')).checked_sub(self.zero).and_then(char::from_u32).unwrap_or('x')
        };
        chars.into_iter().map(shift).collect()
    }
}

/// The distance of separators that are all the same and equally far apart.
fn repeat(separators: &[(usize, char)]) -> Option<usize> {
    let (_, separator) = separators.first()?;
    let places: Vec<usize> = separators.iter().map(|(place, _)| *place).collect();
    groups::distance(&places).filter(|_| separators.iter().all(|(_, other)| other == separator))
}
