//! A length of time in milliseconds.

use std::{fmt, time::Duration};

use serde::Serialize;

/// A length of time in milliseconds, as maps and messages count it.
///
/// ```
/// use actions_protocol::Millis;
/// assert_eq!(Millis(8000).duration(), std::time::Duration::from_secs(8));
/// assert_eq!(Millis(8000).to_string(), "8000 ms");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Millis(pub u64);

impl Millis {
    /// The same length as a `Duration`.
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }

    /// The requested time, or this one if it is smaller or none is requested.
    pub fn cap(self, requested: Option<Millis>) -> Millis {
        requested.map_or(self, |requested| requested.min(self))
    }
}

impl From<Duration> for Millis {
    /// Rounds down, and holds the largest number there is when the duration is longer than that.
    fn from(duration: Duration) -> Self {
        Self(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }
}

crate::whole_number::whole_number!(Millis(u64), "a whole number of milliseconds");

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_caps_a_request_and_applies_when_there_is_none() {
        assert_eq!(Millis(60_000).cap(None), Millis(60_000));
        assert_eq!(Millis(60_000).cap(Some(Millis(10))), Millis(10));
        assert_eq!(Millis(60_000).cap(Some(Millis(90_000))), Millis(60_000));
    }

    #[test]
    fn any_whole_number_is_read_and_nothing_else() {
        let read = |text: &str| serde_json::from_str::<Millis>(text);
        for text in ["8000", "8000.0", "8e3"] {
            assert_eq!(read(text).unwrap(), Millis(8000), "{text}");
        }
        assert_eq!(read("0").unwrap(), Millis(0));
        assert_eq!(read("18446744073709551615").unwrap(), Millis(u64::MAX));
        let errors: Vec<String> = ["-1", "0.5", "1e300", "null", "\"10\"", "true"]
            .into_iter()
            .map(|text| read(text).unwrap_err().to_string())
            .collect();
        insta::assert_snapshot!(errors.join("\n"), @r#"
        invalid type: integer `-1`, expected a whole number of milliseconds at line 1 column 2
        invalid value: floating point `0.5`, expected a whole number of milliseconds at line 1 column 3
        invalid value: floating point `1e+300`, expected a whole number of milliseconds at line 1 column 5
        invalid type: null, expected a whole number of milliseconds at line 1 column 4
        invalid type: string "10", expected a whole number of milliseconds at line 1 column 4
        invalid type: boolean `true`, expected a whole number of milliseconds at line 1 column 4
        "#);
    }

    #[test]
    fn a_duration_beyond_the_range_becomes_the_longest_length() {
        assert_eq!(Millis::from(Duration::MAX), Millis(u64::MAX));
        assert_eq!(Millis::from(Duration::from_micros(1999)), Millis(1));
    }
}
