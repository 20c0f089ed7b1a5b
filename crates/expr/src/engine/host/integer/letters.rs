//! Numbers as the letters of spreadsheet columns: a, b, …, z, aa, ab, …

use super::picture::Case;

/// Zero, and what is not a number, is no letter at all.
pub(super) fn write(mut number: f64, case: Case) -> String {
    let mut letters = Vec::new();
    while number > 0.0 && number.is_finite() {
        // The remainder is below 26.
        letters.push(char::from(first(case) + ((number - 1.0) % 26.0) as u8));
        number = ((number - 1.0) / 26.0).floor();
    }
    letters.iter().rev().collect()
}

/// Any character counts by its distance from the first letter.
pub(super) fn read(text: &str, case: Case) -> f64 {
    let units: Vec<u16> = text.encode_utf16().collect();
    let values = units.iter().rev().map(|unit| f64::from(*unit) - f64::from(first(case)) + 1.0);
    values.enumerate().map(|(place, value)| value * 26_f64.powf(place as f64)).sum()
}

const fn first(case: Case) -> u8 {
    match case {
        Case::Upper => b'A',
        Case::Lower | Case::Title => b'a',
    }
}
