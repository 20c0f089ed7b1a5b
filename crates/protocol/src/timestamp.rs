//! Moments on the wire: RFC 3339 text.

use thiserror::Error;

/// A moment as RFC 3339 text, such as `2026-06-04T16:25:00Z`. It is kept as it was written.
///
/// This crate reads no clock; callers pass the milliseconds.
///
/// ```
/// use actions_protocol::Timestamp;
/// assert_eq!(Timestamp::from_unix_millis(1_780_590_300_250).as_str(), "2026-06-04T16:25:00.250Z");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Timestamp(String);

/// Why a text is not a moment.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not an RFC 3339 date and time: {reason}")]
pub struct TimestampError {
    text: String,
    reason: &'static str,
}

const MILLIS_PER_DAY: u64 = 86_400_000;
/// The last millisecond of year 9999; RFC 3339 has no form for what comes after.
const LAST_MILLI: u64 = 253_402_300_799_999;

impl Timestamp {
    /// Reads a moment: date, `T`, time with seconds, and `Z` or an offset.
    pub fn parse(text: &str) -> Result<Self, TimestampError> {
        match check(text.as_bytes()) {
            Ok(()) => Ok(Self(text.to_owned())),
            // The text may come from anywhere; an error quotes only its beginning.
            Err(reason) => Err(TimestampError { text: text.escape_debug().take(40).collect(), reason }),
        }
    }

    /// The moment this many milliseconds after the beginning of 1970, in UTC; the end of year 9999 is the last one.
    pub fn from_unix_millis(millis: u64) -> Self {
        let millis = millis.min(LAST_MILLI);
        let (year, month, day) = civil_date(millis / MILLIS_PER_DAY);
        let of_day = millis % MILLIS_PER_DAY;
        let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
        let (second, milli) = (of_day / 1_000 % 60, of_day % 1_000);
        Self(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z"))
    }
}

impl Timestamp {
    /// The milliseconds since the beginning of 1970; 0 for what was before. Digits after the third of a second are dropped.
    ///
    /// ```
    /// use actions_protocol::Timestamp;
    /// assert_eq!(Timestamp::parse("2026-06-04T18:25:00.25+02:00").unwrap().unix_millis(), 1_780_590_300_250);
    /// ```
    pub fn unix_millis(&self) -> u64 {
        let text = self.0.as_bytes();
        // The text was checked when it was made.
        let number = |from: usize, to: usize| {
            text[from..to]
                .iter()
                .fold(0_i64, |number, digit| number * 10 + i64::from(digit.wrapping_sub(b'0')))
        };
        let days = days_since_1970(number(0, 4), number(5, 7), number(8, 10));
        let seconds = ((days * 24 + number(11, 13)) * 60 + number(14, 16)) * 60 + number(17, 19);
        let fraction: Vec<u8> = match text.get(19) {
            Some(b'.') => text[20..].iter().copied().take_while(u8::is_ascii_digit).collect(),
            _ => Vec::new(),
        };
        let digit = |at: usize| fraction.get(at).map_or(0, |digit| i64::from(digit - b'0'));
        let millis = digit(0) * 100 + digit(1) * 10 + digit(2);
        let offset = match text.get(text.len() - 6) {
            Some(sign @ (b'+' | b'-')) => {
                let minutes =
                    number(text.len() - 5, text.len() - 3) * 60 + number(text.len() - 2, text.len());
                if *sign == b'+' { minutes } else { -minutes }
            }
            _ => 0,
        };
        u64::try_from((seconds - offset * 60) * 1_000 + millis).unwrap_or(0)
    }
}

crate::text::checked_text!(Timestamp, TimestampError);

/// The day of a date, counted from the beginning of 1970: the inverse of [`civil_date`].
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

/// Date of the proleptic Gregorian calendar for a day counted from the beginning of 1970.
fn civil_date(days: u64) -> (u64, u64, u64) {
    // Years are counted from 1 March, so that the leap day is the last of its year; 719_468 days lie between
    // 1 March of year 0 and the beginning of 1970, and 146_097 days make 400 years.
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

fn check(text: &[u8]) -> Result<(), &'static str> {
    const FORM: &str = "the form is `2026-06-04T16:25:00Z`";
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let (head, tail) = text.split_at_checked(SHAPE.len()).ok_or(FORM)?;
    let fits = head.iter().zip(SHAPE).all(|(&byte, &shape)| match shape {
        b'0' => byte.is_ascii_digit(),
        _ => byte.eq_ignore_ascii_case(&shape),
    });
    if !fits {
        return Err(FORM);
    }
    let number =
        |from: usize, to: usize| head[from..to].iter().fold(0, |n, digit| n * 10 + u32::from(digit - b'0'));
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return Err("there is no such day");
    }
    // A leap second is written as second 60.
    if number(11, 13) > 23 || number(14, 16) > 59 || number(17, 19) > 60 {
        return Err("there is no such time of day");
    }
    let tail = match tail.strip_prefix(b".") {
        None => tail,
        Some(fraction) => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return Err("a decimal point needs digits after it");
            }
            &fraction[digits..]
        }
    };
    check_offset(tail)
}

fn check_offset(offset: &[u8]) -> Result<(), &'static str> {
    match offset {
        b"Z" | b"z" => Ok(()),
        [b'+' | b'-', h1 @ b'0'..=b'2', h2 @ b'0'..=b'9', b':', b'0'..=b'5', b'0'..=b'9']
            if *h1 < b'2' || *h2 < b'4' =>
        {
            Ok(())
        }
        _ => Err("it must end with `Z` or an offset such as `+02:00`"),
    }
}

const fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_3339_moments_are_kept_as_written() {
        for text in [
            "2026-06-04T16:25:00Z",
            "2026-06-04t16:25:00z",
            "2024-02-29T00:00:00.123456789+05:30",
            "2016-12-31T23:59:60Z",
            "2000-02-29T23:59:59-23:59",
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_reason() {
        let texts = [
            "",
            "yesterday",
            "2026-06-04",
            "2026-06-04 16:25:00Z",
            "2026-06-04T16:25:00",
            "2026-13-04T16:25:00Z",
            "2100-02-29T16:25:00Z",
            "2026-06-04T24:00:00Z",
            "2026-06-04T16:25:00.Z",
            "2026-06-04T16:25:00+24:00",
            "2026-06-04T16:25:00Zulu",
            "２026-06-04T16:25:00Z",
            "2026-06-04T16:25:00Z and a very long tail \u{1b}[2J that nobody needs to read",
        ];
        let table: Vec<String> =
            texts.iter().map(|text| Timestamp::parse(text).unwrap_err().to_string()).collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn milliseconds_become_dates_across_leap_years_and_centuries() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (u64::MAX, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(Timestamp::from_unix_millis(millis).as_str(), text);
            assert_eq!(Timestamp::parse(text).unwrap().unix_millis(), millis.min(LAST_MILLI));
        }
    }

    #[test]
    fn moments_become_milliseconds_whatever_their_form() {
        for (text, millis) in [
            ("2000-03-01t00:00:00z", 951_868_800_000),
            ("2000-03-01T00:00:00.1239Z", 951_868_800_123),
            ("2000-03-01T05:30:00+05:30", 951_868_800_000),
            ("2000-02-29T23:00:00-01:00", 951_868_800_000),
            ("1969-12-31T23:59:59Z", 0),
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().unix_millis(), millis, "{text}");
        }
    }
}
