//! Roman numerals.

use super::picture::Case;

const NUMERALS: [(f64, &str); 13] = [
    (1000.0, "m"),
    (900.0, "cm"),
    (500.0, "d"),
    (400.0, "cd"),
    (100.0, "c"),
    (90.0, "xc"),
    (50.0, "l"),
    (40.0, "xl"),
    (10.0, "x"),
    (9.0, "ix"),
    (5.0, "v"),
    (4.0, "iv"),
    (1.0, "i"),
];

pub(super) fn write(mut number: f64, case: Case) -> String {
    let mut written = String::new();
    for (value, letters) in NUMERALS {
        while number >= value {
            written.push_str(letters);
            number -= value;
        }
    }
    if case == Case::Upper { written.to_uppercase() } else { written }
}

/// Adds from the right what is not smaller than everything before it, and subtracts the rest. Other characters make the
/// number NaN.
pub(super) fn read(text: &str) -> f64 {
    let (mut number, mut largest) = (0.0, 1.0);
    for letter in text.chars().rev() {
        let value = value(letter);
        if value < largest {
            number -= value;
        } else {
            largest = value;
            number += value;
        }
    }
    number
}

fn value(letter: char) -> f64 {
    match letter {
        'M' => 1000.0,
        'D' => 500.0,
        'C' => 100.0,
        'L' => 50.0,
        'X' => 10.0,
        'V' => 5.0,
        'I' => 1.0,
        _ => f64::NAN,
    }
}
