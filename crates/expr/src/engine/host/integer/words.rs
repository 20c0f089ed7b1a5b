//! Numbers in English words, cardinal and ordinal.

#[rustfmt::skip]
const SMALL: [(&str, &str); 20] = [
    ("Zero", "Zeroth"), ("One", "First"), ("Two", "Second"), ("Three", "Third"), ("Four", "Fourth"),
    ("Five", "Fifth"), ("Six", "Sixth"), ("Seven", "Seventh"), ("Eight", "Eighth"), ("Nine", "Ninth"),
    ("Ten", "Tenth"), ("Eleven", "Eleventh"), ("Twelve", "Twelfth"), ("Thirteen", "Thirteenth"),
    ("Fourteen", "Fourteenth"), ("Fifteen", "Fifteenth"), ("Sixteen", "Sixteenth"), ("Seventeen", "Seventeenth"),
    ("Eighteen", "Eighteenth"), ("Nineteen", "Nineteenth"),
];

/// The tens from twenty on. Reading knows ten times ten by the word "hundred", which only multiplies.
const TENS: [&str; 9] =
    ["Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety", "Hundred"];

/// The powers of a thousand.
const POWERS: [&str; 4] = ["Thousand", "Million", "Billion", "Trillion"];

/// Writes a whole number that is finite and not negative.
pub(super) fn write(number: f64, is_ordinal: bool) -> String {
    let mut words = String::new();
    append(&mut words, number, false, is_ordinal);
    words
}

/// Appends a number; `follows` tells whether a larger part of the same number stands before it. Every level of the
/// recursion takes three digits off, so that it is at most a hundred deep.
fn append(words: &mut String, number: f64, follows: bool, is_ordinal: bool) {
    if number < 100.0 {
        words.push_str(if follows { " and " } else { "" });
        return append_below_hundred(words, number, is_ordinal);
    }
    words.push_str(if follows { ", " } else { "" });
    let rest = if number < 1000.0 {
        // The index is at most nine.
        words.push_str(SMALL[(number / 100.0) as usize].0);
        words.push_str(" Hundred");
        number % 100.0
    } else {
        let power = ((number.log10() / 3.0).floor() as usize).clamp(1, POWERS.len());
        let unit = 1000_f64.powi(power as i32);
        let count = (number / unit).floor();
        append(words, count, false, false);
        words.push(' ');
        words.push_str(POWERS[power - 1]);
        number - count * unit
    };
    if rest > 0.0 {
        append(words, rest, true, is_ordinal);
    } else if is_ordinal {
        words.push_str("th");
    }
}

fn append_below_hundred(words: &mut String, number: f64, is_ordinal: bool) {
    // The number is below a hundred. The cast drops what little fraction large numbers leave.
    let number = number as usize;
    let small = |number: usize| if is_ordinal { SMALL[number].1 } else { SMALL[number].0 };
    if number < 20 {
        return words.push_str(small(number));
    }
    let tens = TENS[number / 10 - 2];
    match (number % 10, is_ordinal) {
        (0, false) => words.push_str(tens),
        (0, true) => {
            words.push_str(tens.trim_end_matches('y'));
            words.push_str("ieth");
        }
        (ones, _) => {
            words.push_str(tens);
            words.push('-');
            words.push_str(small(ones));
        }
    }
}

/// Reads words in lower case. A word that is no number makes the whole NaN.
pub(super) fn read(text: &str) -> f64 {
    let (mut parts, mut last) = (0.0, 0.0_f64);
    for word in split(text) {
        let value = value(word).unwrap_or(f64::NAN);
        if value < 100.0 {
            if last >= 1000.0 {
                parts += last;
                last = 0.0;
            }
            last += value;
        } else {
            last *= value;
        }
    }
    parts + last
}

/// Splits at ", ", " and ", white space, hyphens and backslashes.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(char) = text[at..].chars().next() {
        let len = separator(&text[at..], char);
        if len == 0 {
            at += char.len_utf8();
            continue;
        }
        words.push(&text[start..at]);
        at += len;
        start = at;
    }
    words.push(&text[start..]);
    words
}

/// The length of the separator at the start of a text; 0 if there is none.
fn separator(text: &str, first: char) -> usize {
    let space_after =
        |len: usize| text.get(len..).and_then(|rest| rest.chars().next()).filter(|c| c.is_whitespace());
    match first {
        ',' => space_after(1).map_or(0, |space| 1 + space.len_utf8()),
        '-' | '\\' => 1,
        space if space.is_whitespace() => {
            let and = space.len_utf8() + "and".len();
            let is_and = text[space.len_utf8()..].starts_with("and");
            space_after(and).filter(|_| is_and).map_or(space.len_utf8(), |space| and + space.len_utf8())
        }
        _ => 0,
    }
}

fn value(word: &str) -> Option<f64> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    if let Some(at) = SMALL.iter().position(|(cardinal, ordinal)| is(cardinal) || is(ordinal)) {
        return Some(at as f64);
    }
    let tens = TENS
        .iter()
        .position(|tens| is(tens) || word.strip_suffix("ieth").is_some_and(|stem| is_stem(tens, stem)));
    if let Some(at) = tens {
        return Some((at as f64 + 2.0) * 10.0);
    }
    if word == "hundredth" {
        return Some(100.0);
    }
    let power = POWERS.iter().position(|power| {
        is(power) || word.strip_suffix("th").is_some_and(|stem| power.eq_ignore_ascii_case(stem))
    });
    power.map(|at| 1000_f64.powi(at as i32 + 1))
}

/// Tells whether a stem is a word without its last letter.
fn is_stem(word: &str, stem: &str) -> bool {
    word[..word.len() - 1].eq_ignore_ascii_case(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for number in [0.0, 7.0, 12.0, 20.0, 42.0, 100.0, 115.0, 999.0, 1000.0, 1_001.0, 987_654_321.0, 3e12]
        {
            assert_eq!(read(&write(number, false).to_lowercase()), number);
            assert_eq!(read(&write(number, true).to_lowercase()), number);
        }
    }

    #[test]
    fn any_finite_number_has_words() {
        assert_eq!(write(1e15, false), "One Thousand Trillion");
        assert!(write(f64::MAX, true).ends_with("th"));
    }
}
