//! A sender of requests that a recording answers, so that nothing leaves the machine.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::{Deadline, Error, Refused, Replay, WhyRefused};
use actions_engine::{ErrorCode, Failure, HttpAuth, HttpCall, HttpCaller, HttpReply};
use async_trait::async_trait;

/// A sender of requests that a recording answers. It has no credentials and sends nothing.
#[derive(Debug)]
pub struct ReplayCaller {
    replay: Arc<Replay>,
}

impl ReplayCaller {
    /// Answers by a recording.
    pub fn new(replay: Arc<Replay>) -> Self {
        Self { replay }
    }
}

#[async_trait]
impl HttpCaller for ReplayCaller {
    async fn send(&self, call: HttpCall, _deadline: Deadline) -> Result<HttpReply, Failure> {
        let (content_type, body) = call.body.unwrap_or_default();
        let content_type = Some(content_type).filter(|kind| !kind.is_empty());
        let answer = self.replay.direct(&call.method, &call.url, &body, content_type.as_deref());
        let answer = answer.map_err(|miss| {
            let refused = Refused {
                url: call.url.clone(),
                method: call.method.clone(),
                resource: "Fetch".to_owned(),
                is_navigation: false,
                why: WhyRefused::NotRecorded(*miss),
            };
            Failure::from(Error::RequestRefused(Box::new(refused)))
        })?;
        let Some(status) = answer.status else {
            let message = "the request failed when it was recorded";
            return Err(Failure::new(ErrorCode::TransportFailed, message).with_evidence("url", call.url));
        };
        Ok(HttpReply {
            status,
            url: call.url,
            headers: answer.headers,
            body: answer.body,
            authenticated: call.auth.is_some(),
        })
    }

    async fn refresh(
        &self,
        _auth: &HttpAuth,
        _url: &str,
        _origins: Option<BTreeSet<String>>,
        _deadline: Deadline,
    ) -> Result<bool, Failure> {
        Ok(false)
    }

    /// The same key every time, so that a request is found again.
    fn idempotency_key(&self) -> Result<String, Failure> {
        Ok("00000000-0000-4000-8000-000000000000".to_owned())
    }

    fn blocked_for(&self, _url: &str) -> Duration {
        Duration::ZERO
    }
}
