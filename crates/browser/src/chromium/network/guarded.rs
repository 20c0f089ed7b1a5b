//! Shows headers and logins to servers that guard their pages.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{
    AuthChallengeResponse, AuthChallengeResponseResponse, ContinueRequestParams, ContinueWithAuthParams,
    HeaderEntry, RequestPattern, RequestStage,
};
use serde::Deserialize;

use super::RequestPaused;
use crate::cdp::Session;
use crate::{Access, Confinement};

/// How many requests are remembered that were shown a login.
const SHOWN_KEPT: usize = 1_000;

/// Shows headers and logins to servers.
#[derive(Debug)]
pub(super) struct Guarded {
    access: Access,
    shown: Mutex<Shown>,
}

/// The requests that were shown a login. One that asks again was refused.
#[derive(Debug, Default)]
struct Shown {
    ids: HashSet<String>,
    order: VecDeque<String>,
}

/// `Fetch.authRequired`, with the fields we use.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthRequired {
    request_id: String,
    auth_challenge: Challenge,
}

#[derive(Debug, Deserialize)]
struct Challenge {
    #[serde(default)]
    source: String,
    origin: String,
}

impl Guarded {
    pub(super) fn new(access: Access) -> Self {
        Self { access, shown: Mutex::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.access.is_empty()
    }

    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        self.access.secrets()
    }

    /// Whether servers are answered that ask for authentication.
    pub(super) fn answers(&self) -> bool {
        self.access.answers()
    }

    /// The requests that must be paused.
    pub(super) fn patterns(&self, confinement: Option<&Confinement>) -> Vec<RequestPattern> {
        let origins = self.access.concerned(confinement).into_iter();
        origins
            .map(|origin| RequestPattern {
                url_pattern: Some(format!("{origin}/*")),
                resource_type: None,
                request_stage: Some(RequestStage::Request),
            })
            .collect()
    }

    /// Continues a request with the headers that its server gets.
    pub(super) fn go_on(&self, session: &Session, paused: &RequestPaused, confinement: Option<&Confinement>) {
        let extra = self.access.headers_for(&paused.request.url, confinement);
        let mut command = ContinueRequestParams::new(paused.request_id.clone());
        if !extra.is_empty() {
            let replaced = |name: &str| extra.iter().any(|header| header.name.eq_ignore_ascii_case(name));
            let kept = paused.request.headers.iter().filter(|(name, _)| !replaced(name));
            let kept = kept.map(|(name, value)| HeaderEntry { name: name.clone(), value: value.clone() });
            let added = extra.iter().map(|header| HeaderEntry {
                name: header.name.clone(),
                value: header.value.reveal().to_owned(),
            });
            command.headers = Some(kept.chain(added).collect());
        }
        // The request may be gone; the response does not matter.
        session.send_then(command, drop);
    }

    /// Answers a server that asks for authentication: with its login, once. Any other gets none, and the page shows what it
    /// says to that.
    pub(super) fn answer(&self, session: &Session, asked: &AuthRequired) {
        let login = self.access.login_for(&asked.auth_challenge.origin);
        let login =
            login.filter(|_| asked.auth_challenge.source != "Proxy" && self.is_first(&asked.request_id));
        let response = match login {
            Some(login) => AuthChallengeResponse {
                response: AuthChallengeResponseResponse::ProvideCredentials,
                username: Some(login.user.clone()),
                password: Some(login.password.reveal().to_owned()),
            },
            None => AuthChallengeResponse::new(AuthChallengeResponseResponse::CancelAuth),
        };
        session.send_then(ContinueWithAuthParams::new(asked.request_id.clone(), response), drop);
    }

    fn is_first(&self, request: &str) -> bool {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if !shown.ids.insert(request.to_owned()) {
            return false;
        }
        shown.order.push_back(request.to_owned());
        if shown.order.len() > SHOWN_KEPT
            && let Some(oldest) = shown.order.pop_front()
        {
            shown.ids.remove(&oldest);
        }
        true
    }
}
