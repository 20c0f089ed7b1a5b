//! How long a response may be used again, by its own headers.

use std::time::Duration;

use actions_protocol::Timestamp;

use super::Response;

/// No response is used longer than this without asking again.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a response that says that there is nothing is used.
const NOTHING: Duration = Duration::from_secs(300);

/// How long a response may be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freshness {
    /// It is not kept.
    Never,
    /// It is used for this long, and asked about afterwards.
    For(Duration),
}

/// How long a response may be used: as its headers say, else for `otherwise`.
pub(super) fn of(response: &Response, otherwise: Duration) -> Freshness {
    let control: Vec<String> = response
        .headers
        .iter()
        .filter(|(name, _)| name == "cache-control")
        .map(|(_, value)| value.to_ascii_lowercase())
        .collect();
    let control = control.join(",");
    let directives: Vec<&str> = control.split(',').map(str::trim).collect();
    if directives.contains(&"no-store") || response.header("vary").is_some_and(|vary| vary.trim() == "*") {
        return Freshness::Never;
    }
    if directives.contains(&"no-cache") {
        return Freshness::For(Duration::ZERO);
    }
    let seconds = |text: &str| text.trim_matches('"').parse().ok().map(Duration::from_secs);
    let max_age = directives.iter().find_map(|directive| seconds(directive.strip_prefix("max-age=")?));
    let age = response.header("age").and_then(|age| seconds(age.trim())).unwrap_or_default();
    let otherwise = if response.is_success() { otherwise } else { NOTHING };
    let fresh = match (max_age, response.header("expires")) {
        (Some(max_age), _) => max_age.saturating_sub(age),
        // What cannot be read has expired.
        (None, Some(expires)) => {
            let now = response.header("date").and_then(http_date).unwrap_or(response.fetched_at);
            Duration::from_millis(http_date(expires).unwrap_or(0).saturating_sub(now))
        }
        (None, None) => otherwise,
    };
    Freshness::For(fresh.min(LONGEST))
}

/// A date as HTTP writes it, `Sun, 06 Nov 1994 08:49:37 GMT`, in milliseconds since the Unix epoch.
fn http_date(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words.as_slice() else { return None };
    let month = MONTHS.find(month).filter(|_| month.len() == 3)? / 3 + 1;
    Some(Timestamp::parse(&format!("{year}-{month:02}-{day}T{time}Z")).ok()?.unix_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, headers: &[(&str, &str)]) -> Response {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let url = "https://example.com/".parse().unwrap();
        Response { status, url, headers, body: Vec::new(), truncated: false, fetched_at: 1_000 }
    }

    fn seconds(status: u16, headers: &[(&str, &str)]) -> Option<u64> {
        match of(&response(status, headers), Duration::from_secs(3_600)) {
            Freshness::Never => None,
            Freshness::For(time) => Some(time.as_secs()),
        }
    }

    #[test]
    fn headers_come_first() {
        assert_eq!(seconds(200, &[]), Some(3_600));
        assert_eq!(seconds(404, &[]), Some(300));
        assert_eq!(seconds(200, &[("cache-control", "public, max-age=60")]), Some(60));
        assert_eq!(seconds(404, &[("cache-control", "max-age=0")]), Some(0));
        assert_eq!(seconds(200, &[("cache-control", "max-age=60"), ("age", "20")]), Some(40));
        assert_eq!(seconds(200, &[("cache-control", "no-cache")]), Some(0));
        assert_eq!(seconds(200, &[("cache-control", "No-Store")]), None);
        assert_eq!(seconds(200, &[("vary", "*")]), None);
    }

    #[test]
    fn a_date_of_expiry_counts_from_the_date_of_the_response() {
        let date = ("date", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(seconds(200, &[date, ("expires", "Sun, 06 Nov 1994 08:50:37 GMT")]), Some(60));
        assert_eq!(seconds(200, &[date, ("expires", "0")]), Some(0));
    }

    #[test]
    fn nothing_is_used_for_more_than_a_day() {
        assert_eq!(seconds(200, &[("cache-control", "max-age=99999999")]), Some(86_400));
    }
}
