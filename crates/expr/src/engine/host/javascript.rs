//! How JavaScript writes, reads and rounds numbers.

/// The number as `String(number)` writes it.
pub(super) fn number_to_string(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&number.abs()) {
        return number.to_string();
    }
    let written = format!("{number:e}");
    match written.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => format!("{mantissa}e+{exponent}"),
        _ => written,
    }
}

/// `parseInt(text)`: white space, a sign and the digits at the start; NaN if there are none.
pub(super) fn parse_int(text: &str) -> f64 {
    let text = text.trim_start_matches(|char: char| char.is_whitespace() || char == '\u{feff}');
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (text, radix) = hexadecimal.map_or((text, 10), |digits| (digits, 16));
    let end = text.find(|char: char| !char.is_digit(radix)).unwrap_or(text.len());
    match (&text[..end], radix) {
        ("", _) => f64::NAN,
        (digits, 10) => sign * digits.parse().unwrap_or(f64::NAN),
        (digits, _) => {
            let value = |char: char| f64::from(char.to_digit(radix).unwrap_or(0));
            sign * digits.chars().fold(0.0, |number, char| number * f64::from(radix) + value(char))
        }
    }
}

/// `Math.round`: halves go up.
fn round_up(number: f64) -> f64 {
    let floor = number.floor();
    if number - floor >= 0.5 { floor + 1.0 } else { floor }
}

/// Rounds to a whole number; halves go to the even one.
pub(super) fn round(number: f64) -> f64 {
    let rounded = round_up(number);
    let is_odd_half = (rounded - number).abs() == 0.5 && (rounded % 2.0).abs() == 1.0;
    // The sum turns minus zero into zero.
    (if is_odd_half { rounded - 1.0 } else { rounded }) + 0.0
}

/// Rounds to a number of decimal places. As in jsonata.js, places that are not whole make it NaN.
pub(super) fn round_to(number: f64, places: f64) -> f64 {
    if places == 0.0 || places.is_nan() {
        return round(number);
    }
    shift(round(shift(number, places)), -places) + 0.0
}

/// Multiplies by a power of ten in decimal notation, which loses nothing.
fn shift(number: f64, places: f64) -> f64 {
    let written = number_to_string(number);
    let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    let exponent = exponent.parse::<f64>().unwrap_or(f64::NAN) + places;
    if !number.is_finite() || exponent.fract() != 0.0 || exponent.abs() >= 1e21 {
        return f64::NAN;
    }
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// A whole number that is not negative, in a base from 2 to 36, as `toString` writes it.
fn digits_in_base(mut number: f64, base: u32) -> String {
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    let radix = f64::from(base);
    let mut digits = Vec::new();
    // Digits that a number of this size does not have are zeros.
    while number >= MAX_EXACT {
        number /= radix;
        digits.push('0');
    }
    loop {
        let digit = number % radix;
        digits.push(char::from_digit(digit as u32, base).unwrap_or('0'));
        number = (number - digit) / radix;
        if number <= 0.0 {
            return digits.iter().rev().collect();
        }
    }
}

/// A whole number as `toString(base)` writes it.
pub(super) fn number_in_base(number: f64, base: u32) -> String {
    if base == 10 || !number.is_finite() {
        return number_to_string(number);
    }
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", digits_in_base(number.abs(), base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_in_javascript() {
        for (number, written) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1e21, "1e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1.5e-7, "1.5e-7"),
            (0.000_001, "0.000001"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(number_to_string(number), written);
        }
    }

    #[test]
    fn halves_are_rounded_to_even() {
        for (number, places, rounded) in [
            (2.5, 0.0, 2.0),
            (3.5, 0.0, 4.0),
            (-2.5, 0.0, -2.0),
            (1.005, 2.0, 1.0),
            (1.015, 2.0, 1.02),
            (125.0, -1.0, 120.0),
        ] {
            assert_eq!(round_to(number, places), rounded, "{number} {places}");
        }
        assert!(round_to(1.0, 1.5).is_nan());
        assert!(round_to(1.0, 400.0).is_nan());
    }

    #[test]
    fn whole_numbers_have_digits_in_any_base() {
        assert_eq!(number_in_base(255.0, 16), "ff");
        assert_eq!(number_in_base(-35.0, 36), "-z");
        assert_eq!(number_in_base(0.0, 2), "0");
        assert_eq!(number_in_base(1e21, 16), "3635c9adc5dea00000");
    }
}
