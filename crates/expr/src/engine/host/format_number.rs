//! `$formatNumber`, as in XPath's fn:format-number and with what jsonata.js makes of irregular groups.

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::JValue;

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime, groups, javascript};
use crate::engine::meter::Stop;

/// The longest picture.
const MAX_PICTURE: usize = 1_000;
/// The most decimal places that JavaScript writes.
const MAX_PLACES: usize = 100;

pub(super) fn format_number(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (number, picture) = (arguments.number(0)?, arguments.string(1)?);
    let symbols = Symbols::of(arguments)?;
    let (Some(number), Some(picture)) = (number, picture) else {
        return arguments.undefined_if_first_is();
    };
    if picture.len() > MAX_PICTURE {
        return Err(runtime.meter.stop(Stop::Memory));
    }
    let pictures: Vec<&str> = picture.split(&symbols.pattern_separator).collect();
    if pictures.len() > 2 {
        return Err(failed("D3080: a picture has at most one pattern separator"));
    }
    // Both pictures must be valid, whichever is used.
    let mut pictures = pictures
        .into_iter()
        .map(|picture| SubPicture::parse(picture, &symbols))
        .collect::<Result<Vec<_>, _>>()?;
    let is_positive = number >= 0.0;
    let sub = match pictures.pop() {
        Some(negative) if !is_positive && !pictures.is_empty() => negative,
        Some(mut only) if pictures.is_empty() => {
            if !is_positive {
                only.prefix = format!("{}{}", symbols.minus_sign, only.prefix);
            }
            only
        }
        _ => pictures.remove(0),
    };
    sub.write(number, &symbols).map(JValue::string)
}

/// The characters that have a meaning in a picture.
struct Symbols {
    decimal_separator: String,
    grouping_separator: String,
    exponent_separator: String,
    minus_sign: String,
    percent: String,
    per_mille: String,
    zero_digit: String,
    digit: String,
    pattern_separator: String,
}

impl Symbols {
    /// The usual symbols, with those that the third argument replaces.
    fn of(arguments: Arguments<'_>) -> Result<Symbols, EvaluatorError> {
        let options = match arguments.get(2) {
            JValue::Undefined => None,
            JValue::Object(options) => Some(options),
            _ => return Err(arguments.mismatch(2)),
        };
        let symbol = |name: &str, usual: &str| match options.and_then(|options| options.get(name)) {
            None => Ok(usual.to_owned()),
            Some(JValue::String(symbol)) if !symbol.is_empty() => Ok(symbol.to_string()),
            Some(_) => Err(arguments.mismatch(2)),
        };
        Ok(Symbols {
            decimal_separator: symbol("decimal-separator", ".")?,
            grouping_separator: symbol("grouping-separator", ",")?,
            exponent_separator: symbol("exponent-separator", "e")?,
            minus_sign: symbol("minus-sign", "-")?,
            percent: symbol("percent", "%")?,
            per_mille: symbol("per-mille", "\u{2030}")?,
            zero_digit: symbol("zero-digit", "0")?,
            digit: symbol("digit", "#")?,
            pattern_separator: symbol("pattern-separator", ";")?,
        })
    }

    /// The character of a decimal digit.
    fn decimal_digit(&self, value: u32) -> Option<char> {
        char::from_u32(u32::from(self.zero_digit.chars().next()?) + value)
    }

    fn is_decimal_digit(&self, char: char) -> bool {
        (0..10).any(|value| self.decimal_digit(value) == Some(char))
    }

    /// Tells whether a character holds the place of a digit.
    fn is_place(&self, char: char) -> bool {
        self.is_decimal_digit(char) || is(&self.digit, char)
    }

    fn is_active(&self, char: char) -> bool {
        self.is_place(char)
            || [
                &self.decimal_separator,
                &self.exponent_separator,
                &self.grouping_separator,
                &self.pattern_separator,
            ]
            .into_iter()
            .any(|symbol| is(symbol, char))
    }
}

/// Tells whether a symbol is just this character.
fn is(symbol: &str, char: char) -> bool {
    let mut chars = symbol.chars();
    chars.next() == Some(char) && chars.next().is_none()
}

/// A picture for the positive or the negative numbers.
struct SubPicture {
    picture: String,
    prefix: String,
    suffix: String,
    /// How many digits stand behind each separator of the integer part.
    integer_groups: Vec<usize>,
    /// The distance of separators that repeat for ever.
    regular_group: Option<usize>,
    /// How many digits stand before each separator of the fraction.
    fraction_groups: Vec<usize>,
    min_integer: usize,
    /// How many digits stand before the point of a number with an exponent.
    scale: usize,
    min_fraction: usize,
    max_fraction: usize,
    min_exponent: usize,
}

impl SubPicture {
    fn parse(picture: &str, symbols: &Symbols) -> Result<SubPicture, EvaluatorError> {
        let parts = Parts::split(picture, symbols);
        parts.check(picture, symbols)?;
        let count_digits = |part: &str| part.chars().filter(|char| symbols.is_decimal_digit(*char)).count();
        let integer_groups = parts.groups(parts.integer, false, symbols);
        let scale = count_digits(parts.integer);
        let (mut min_integer, mut min_fraction) = (scale, count_digits(parts.fraction));
        let mut max_fraction = parts.fraction.chars().filter(|char| symbols.is_place(*char)).count();
        if min_integer == 0 && max_fraction == 0 {
            if parts.exponent.is_some() {
                (min_fraction, max_fraction) = (1, 1);
            } else {
                min_integer = 1;
            }
        }
        if parts.exponent.is_some() && min_integer == 0 && parts.integer.contains(&symbols.digit) {
            min_integer = 1;
        }
        if min_integer == 0 && min_fraction == 0 {
            min_fraction = 1;
        }
        if max_fraction > MAX_PLACES {
            return Err(failed("D3080: the picture has too many decimal places"));
        }
        Ok(SubPicture {
            picture: picture.to_owned(),
            prefix: parts.prefix.to_owned(),
            suffix: parts.suffix.to_owned(),
            regular_group: groups::distance(&integer_groups),
            integer_groups,
            fraction_groups: parts.groups(parts.fraction, true, symbols),
            min_integer,
            scale,
            min_fraction,
            max_fraction,
            min_exponent: parts.exponent.map_or(0, count_digits),
        })
    }

    fn write(&self, number: f64, symbols: &Symbols) -> Result<String, EvaluatorError> {
        let number = match self.picture.as_str() {
            picture if picture.contains(&symbols.percent) => number * 100.0,
            picture if picture.contains(&symbols.per_mille) => number * 1000.0,
            _ => number,
        };
        let (mantissa, exponent) = if self.min_exponent == 0 { (number, None) } else { self.scaled(number)? };
        let rounded = javascript::round_to(mantissa, self.max_fraction as f64);
        let mut written = self.written(rounded, symbols);
        self.group(&mut written, symbols);
        let point = position(&written, &symbols.decimal_separator);
        if !self.picture.contains(&symbols.decimal_separator)
            || point.is_some_and(|at| at + 1 == written.len())
        {
            written.pop();
        }
        let mut written: String = written.into_iter().collect();
        if let Some(exponent) = exponent {
            let digits = translated(&format!("{:.0}", exponent.abs()), symbols);
            let zeros = self.min_exponent.saturating_sub(digits.chars().count());
            let sign = if exponent < 0.0 { symbols.minus_sign.as_str() } else { "" };
            let zeros = symbols.zero_digit.repeat(zeros);
            written = format!("{written}{}{sign}{zeros}{digits}", symbols.exponent_separator);
        }
        Ok(format!("{}{written}{}", self.prefix, self.suffix))
    }

    /// The mantissa and the exponent of a number.
    fn scaled(&self, number: f64) -> Result<(f64, Option<f64>), EvaluatorError> {
        if number.is_infinite() {
            return Err(failed("D3080: infinity has no exponent"));
        }
        let scale = self.scale as f64;
        let (max, min) = (10_f64.powf(scale), 10_f64.powf(scale - 1.0));
        let (mut mantissa, mut exponent) = (number, 0.0);
        if mantissa != 0.0 {
            while mantissa.abs() < min {
                mantissa *= 10.0;
                exponent -= 1.0;
            }
            while mantissa.abs() > max && mantissa.is_finite() {
                mantissa /= 10.0;
                exponent += 1.0;
            }
        }
        Ok((mantissa, Some(exponent)))
    }

    /// The digits, filled up with zeros on both sides of the separator.
    fn written(&self, rounded: f64, symbols: &Symbols) -> Vec<char> {
        let number = rounded.abs();
        let fixed = if number.is_finite() && number < 1e21 {
            format!("{number:.*}", self.max_fraction)
        } else {
            javascript::number_to_string(number)
        };
        let fixed = translated(&fixed, symbols);
        let fixed = match fixed.contains('.') {
            true => fixed.replacen('.', &symbols.decimal_separator, 1),
            false => fixed + &symbols.decimal_separator,
        };
        let trimmed: Vec<char> = fixed.trim_matches(|char| is(&symbols.zero_digit, char)).chars().collect();
        let point = position(&trimmed, &symbols.decimal_separator).unwrap_or(trimmed.len());
        let left = self.min_integer.saturating_sub(point);
        let right = (self.min_fraction + point + 1).saturating_sub(trimmed.len());
        let zeros = |count: usize| {
            symbols.zero_digit.chars().cycle().take(count * symbols.zero_digit.chars().count())
        };
        zeros(left).chain(trimmed).chain(zeros(right)).collect()
    }

    /// Inserts the separators of groups.
    fn group(&self, written: &mut Vec<char>, symbols: &Symbols) {
        let mut point = position(written, &symbols.decimal_separator).map_or(-1, to_offset);
        let separator_len = to_offset(symbols.grouping_separator.chars().count());
        let insert = |written: &mut Vec<char>, at: isize| {
            let at = slice_offset(at, written.len());
            written.splice(at..at, symbols.grouping_separator.chars());
        };
        if let Some(group) = self.regular_group.map(to_offset) {
            for count in 1..=(point - 1).div_euclid(group) {
                insert(written, point - count * group);
            }
        } else {
            for digits in &self.integer_groups {
                insert(written, point - to_offset(*digits));
                // jsonata.js counts one place, however long the separator is.
                point += separator_len.min(1);
            }
        }
        let point = position(written, &symbols.decimal_separator).map_or(-1, to_offset);
        for digits in &self.fraction_groups {
            insert(written, to_offset(*digits) + point + 1);
        }
    }
}

/// The parts of a picture.
struct Parts<'p> {
    prefix: &'p str,
    suffix: &'p str,
    active: &'p str,
    mantissa: &'p str,
    exponent: Option<&'p str>,
    integer: &'p str,
    fraction: &'p str,
}

impl<'p> Parts<'p> {
    fn split(picture: &'p str, symbols: &Symbols) -> Parts<'p> {
        let is_start = |char: char| symbols.is_active(char) && !is(&symbols.exponent_separator, char);
        let (start, end) = match (picture.find(is_start), picture.rfind(is_start)) {
            (Some(start), Some(end)) => {
                (start, end + picture[end..].chars().next().map_or(0, char::len_utf8))
            }
            _ => (0, picture.len()),
        };
        let (prefix, active, suffix) = (&picture[..start], &picture[start..end], &picture[end..]);
        // jsonata.js counts the exponent's place from the start of the whole picture, prefix included.
        let exponent_at = picture[start..].find(&symbols.exponent_separator).map(|at| at + start);
        let (mantissa, exponent) = match exponent_at.filter(|at| *at <= end) {
            None => (active, None),
            Some(at) => {
                let at_char = picture[..at].chars().count();
                (from_char(active, 0, at_char), Some(from_char(active, at_char + 1, usize::MAX)))
            }
        };
        let (integer, fraction) = match mantissa.split_once(symbols.decimal_separator.as_str()) {
            Some((integer, _)) => {
                let behind = integer.chars().count() + 1;
                (integer, from_char(mantissa, behind, usize::MAX))
            }
            // jsonata.js takes what follows the digits for the fraction.
            None => (mantissa, suffix),
        };
        Parts { prefix, suffix, active, mantissa, exponent, integer, fraction }
    }

    /// Refuses a picture that has no meaning. If it has several faults, the last one counts.
    fn check(&self, picture: &str, symbols: &Symbols) -> Result<(), EvaluatorError> {
        let is_repeated = |symbol: &str| picture.find(symbol) != picture.rfind(symbol);
        let is_scaled = picture.contains(&symbols.percent) || picture.contains(&symbols.per_mille);
        let both = picture.contains(&symbols.percent) && picture.contains(&symbols.per_mille);
        let separator = symbols.grouping_separator.as_str();
        let touches = picture.find(&symbols.decimal_separator).map(|at| {
            let behind = from_char(&picture[at..], 1, 2);
            behind == separator || picture[..at].chars().next_back().is_some_and(|char| is(separator, char))
        });
        let ends_in_separator = self.integer.chars().next_back().is_some_and(|char| is(separator, char));
        let has_digit = |part: &str| part.chars().any(|char| symbols.is_decimal_digit(char));
        let faults = [
            (
                is_repeated(&symbols.decimal_separator),
                "D3081: the picture has more than one decimal separator",
            ),
            (is_repeated(&symbols.percent), "D3082: the picture has more than one percent sign"),
            (is_repeated(&symbols.per_mille), "D3083: the picture has more than one per-mille sign"),
            (both, "D3084: the picture has both a percent and a per-mille sign"),
            (
                !self.mantissa.chars().any(|char| symbols.is_place(char)),
                "D3085: the picture has no place for a digit",
            ),
            (
                self.active.chars().any(|char| !symbols.is_active(char)),
                "D3086: the picture has another character between its digits",
            ),
            (
                touches == Some(true),
                "D3087: the picture has a grouping separator beside the decimal separator",
            ),
            (
                touches.is_none() && ends_in_separator,
                "D3088: the integer part of the picture ends in a grouping separator",
            ),
            (
                picture.contains(&separator.repeat(2)),
                "D3089: the picture has two grouping separators in a row",
            ),
            (
                self.integer.find(&symbols.digit).is_some_and(|at| has_digit(&self.integer[..at])),
                "D3090: the integer part of the picture has a mandatory digit before an optional one",
            ),
            (
                self.fraction.rfind(&symbols.digit).is_some_and(|at| has_digit(&self.fraction[at..])),
                "D3091: the fraction of the picture has an optional digit before a mandatory one",
            ),
            (
                self.exponent.is_some_and(|exponent| !exponent.is_empty()) && is_scaled,
                "D3092: the picture has an exponent beside a percent or per-mille sign",
            ),
            (
                self.exponent.is_some_and(|exponent| {
                    exponent.is_empty() || exponent.chars().any(|char| !symbols.is_decimal_digit(char))
                }),
                "D3093: the exponent of the picture is not just digits",
            ),
        ];
        match faults.into_iter().rev().find(|(is_fault, _)| *is_fault) {
            Some((_, message)) => Err(failed(message)),
            None => Ok(()),
        }
    }

    /// How many digits stand behind each separator of a part, or before it.
    fn groups(&self, part: &str, before: bool, symbols: &Symbols) -> Vec<usize> {
        let part: Vec<char> = part.chars().collect();
        let integer: Vec<char> = self.integer.chars().collect();
        let mut groups = Vec::new();
        let mut next = position(&part, &symbols.grouping_separator);
        while let Some(at) = next {
            let cut = at.min(part.len());
            let counted = if before { &part[..cut] } else { &part[cut..] };
            groups.push(counted.iter().filter(|char| symbols.is_place(**char)).count());
            // jsonata.js looks for further separators in the integer part even when it reads the fraction.
            let rest = integer.get(at + 1..).unwrap_or_default();
            next = position(rest, &symbols.grouping_separator).map(|found| found + at + 1);
        }
        groups
    }
}

/// Writes digits in the family of the zero digit.
fn translated(text: &str, symbols: &Symbols) -> String {
    let digit = |char: char| char.to_digit(10).and_then(|value| symbols.decimal_digit(value)).unwrap_or(char);
    if symbols.zero_digit == "0" { text.to_owned() } else { text.chars().map(digit).collect() }
}

/// The place of a symbol.
fn position(text: &[char], symbol: &str) -> Option<usize> {
    let symbol: Vec<char> = symbol.chars().collect();
    text.windows(symbol.len()).position(|window| window == symbol)
}

/// The characters from one place to another.
fn from_char(text: &str, start: usize, end: usize) -> &str {
    let place = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let (start, end) = (place(start), place(end));
    &text[start..end.max(start)]
}

/// Where JavaScript's `slice` cuts: a negative offset counts from the end.
fn slice_offset(offset: isize, len: usize) -> usize {
    if offset < 0 { len.saturating_sub(offset.unsigned_abs()) } else { offset.unsigned_abs().min(len) }
}

fn to_offset(count: usize) -> isize {
    isize::try_from(count).unwrap_or(isize::MAX)
}
