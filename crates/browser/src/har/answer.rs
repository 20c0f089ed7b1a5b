//! A recorded response in the form in which it is replayed.

use data_encoding::BASE64;

use super::body::answer_bytes;
use super::charset::of_utf8;
use super::{Header, Response};

/// A recorded response in the form in which it is replayed.
#[derive(Debug)]
pub(crate) enum Answer {
    /// Status, headers and body.
    Given {
        status: u16,
        phrase: String,
        headers: Vec<(String, String)>,
        /// In base64, as the protocol requires.
        body: String,
    },
    /// There was no response; the replayed request fails too.
    Failed,
    /// There was a response, but the recorder did not keep its body.
    WithoutBody,
}

/// Headers about the transfer of the body or about the connection. They do not apply to the replayed body.
const NOT_REPLAYED: &[&str] = &[
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "connection",
    "keep-alive",
    "alt-svc",
    // These would make the browser send reports.
    "nel",
    "report-to",
    "reporting-endpoints",
];

impl Answer {
    pub(super) fn of(response: &Response, method: &str) -> Result<Self, String> {
        let Some(status) = u16::try_from(response.status).ok().filter(|status| (100..600).contains(status))
        else {
            return Ok(Answer::Failed);
        };
        let bytes = answer_bytes(&response.content)?;
        let bodiless =
            matches!(status, 100..=199 | 204 | 205 | 304 | 301..=303 | 307 | 308) || method == "HEAD";
        if bytes.is_none() && response.content.size != 0 && !bodiless {
            return Ok(Answer::WithoutBody);
        }
        // The recorder decoded a body that is stored as text, so it is sent as UTF-8 whatever its original encoding
        // was.
        let text = response.content.text.as_deref().filter(|_| response.content.encoding.is_none());
        let typed = |mime: &str| text.map_or_else(|| mime.to_owned(), |text| of_utf8(mime, text));
        let mut headers = headers(&response.headers, typed);
        let has = |headers: &[(String, String)], wanted: &str| {
            headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted))
        };
        if !response.redirect_url.is_empty() && !has(&headers, "location") {
            headers.push(("location".to_owned(), response.redirect_url.clone()));
        }
        if !response.content.mime_type.is_empty() && !has(&headers, "content-type") {
            headers.push(("content-type".to_owned(), typed(&response.content.mime_type)));
        }
        headers.retain(|(name, value)| is_token(name) && is_field_text(value));
        Ok(Answer::Given {
            status,
            phrase: Some(&response.status_text)
                .filter(|phrase| is_field_text(phrase))
                .cloned()
                .unwrap_or_default(),
            headers,
            body: BASE64.encode(&bytes.unwrap_or_default()),
        })
    }

    /// Whether it can be replayed: any response of the server, except 304, which needs a cached body.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Answer::Given { status, .. } if *status != 304)
    }
}

/// Whether a text can be the name of a header. No server can send another one, and the browser refuses a whole response
/// that has one.
fn is_token(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// Whether a text can be the value of a header, or the phrase of a status.
fn is_field_text(text: &str) -> bool {
    !text.contains(['\r', '\n', '\0'])
}

fn headers(recorded: &[Header], typed: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let mut headers = Vec::new();
    for Header { name, value } in recorded {
        let lower = name.to_ascii_lowercase();
        if lower.starts_with(':') || NOT_REPLAYED.contains(&lower.as_str()) {
            continue;
        }
        // Multiple values of one name are separated by newlines, because cookies cannot be joined by commas.
        for value in value.split('\n') {
            let value = if lower == "content-type" { typed(value) } else { value.to_owned() };
            headers.push((name.clone(), value));
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::har::Har;

    fn answer(response: &str) -> Answer {
        let text = format!(
            r#"{{"log": {{"entries": [{{"request": {{"method": "GET", "url": "http://a/"}}, "response": {response}}}]}}}}"#
        );
        let har = Har::parse("a.har", text.as_bytes()).unwrap();
        Answer::of(&har.log.entries[0].response, "GET").unwrap()
    }

    #[test]
    fn a_decoded_body_loses_its_content_encoding_and_gets_its_charset() {
        let answer = answer(
            r#"{"status": 200, "content": {"text": "ä", "mimeType": "text/html"}, "headers": [
              {"name": ":status", "value": "200"}, {"name": "Content-Encoding", "value": "br"},
              {"name": "Content-Length", "value": "9"}, {"name": "Content-Type", "value": "text/html; charset=ISO-8859-1"},
              {"name": "Set-Cookie", "value": "a=1\nb=2"}]}"#,
        );
        insta::assert_debug_snapshot!(answer, @r#"
        Given {
            status: 200,
            phrase: "",
            headers: [
                (
                    "Content-Type",
                    "text/html; charset=utf-8",
                ),
                (
                    "Set-Cookie",
                    "a=1",
                ),
                (
                    "Set-Cookie",
                    "b=2",
                ),
            ],
            body: "w6Q=",
        }
        "#);
    }

    #[test]
    fn a_header_that_no_server_can_send_is_left_out() {
        let answer = answer(
            r#"{"status": 200, "statusText": "O\r\nK", "headers": [
              {"name": "a", "value": "1\r"}, {"name": "b", "value": "\u0000"}, {"name": "", "value": "2"},
              {"name": "ä", "value": "3"}, {"name": "c d", "value": "4"}, {"name": "e\r\nf", "value": "5"},
              {"name": "g", "value": "ä"}]}"#,
        );
        let Answer::Given { headers, phrase, .. } = answer else { panic!("{answer:?}") };
        assert_eq!(headers, [("g".to_owned(), "ä".to_owned())]);
        assert_eq!(phrase, "");
    }

    #[test]
    fn a_redirect_without_a_location_header_uses_the_redirect_url() {
        let answer = answer(r#"{"status": 302, "redirectURL": "/there", "content": {"size": 5}}"#);
        insta::assert_debug_snapshot!(answer, @r#"
        Given {
            status: 302,
            phrase: "",
            headers: [
                (
                    "location",
                    "/there",
                ),
            ],
            body: "",
        }
        "#);
    }

    #[test]
    fn a_response_whose_body_was_not_kept_is_not_an_empty_response() {
        assert!(matches!(answer(r#"{"status": 200, "content": {"size": 10}}"#), Answer::WithoutBody));
        assert!(matches!(answer(r#"{"status": 0, "_error": "net::ERR_FAILED"}"#), Answer::Failed));
        assert!(matches!(answer(r#"{"status": 204}"#), Answer::Given { .. }));
    }
}
