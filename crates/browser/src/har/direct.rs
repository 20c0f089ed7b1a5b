//! Answers of a recording to requests that no page sends.

use data_encoding::BASE64;

use super::{Answer, Replay, ReplayMiss};

/// The recorded answer to a request that no page sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectAnswer {
    /// The status; none if the request failed when it was recorded.
    pub status: Option<u16>,
    /// The headers, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Replay {
    /// The recorded answer to a request that no page sends.
    pub fn direct(
        &self,
        method: &str,
        url: &str,
        body: &[u8],
        content_type: Option<&str>,
    ) -> Result<DirectAnswer, Box<ReplayMiss>> {
        let answer = self.answer(&self.asked_for(method, url, body, content_type))?;
        Ok(match &*answer {
            Answer::Given { status, headers, body, .. } => DirectAnswer {
                status: Some(*status),
                headers: headers
                    .iter()
                    .map(|(name, value)| (name.to_ascii_lowercase(), value.clone()))
                    .collect(),
                body: BASE64.decode(body.as_bytes()).unwrap_or_default(),
            },
            Answer::Failed | Answer::WithoutBody => {
                DirectAnswer { status: None, headers: Vec::new(), body: Vec::new() }
            }
        })
    }
}
