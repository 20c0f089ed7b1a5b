//! Tells that the start page sent the session somewhere else, such as to a login page.

use std::sync::PoisonError;

use actions_protocol::ErrorCode;

use super::Session;
use crate::failure::CallError;

/// The codes that a page other than the expected one leads to.
const ELSEWHERE: &[ErrorCode] = &[
    ErrorCode::StateMismatch,
    ErrorCode::TargetNotFound,
    ErrorCode::StateProjectionNotFound,
    ErrorCode::AuthLost,
];

/// Where a session was to begin and where its page went.
#[derive(Debug)]
pub(super) struct Redirect {
    from: String,
    to: String,
}

impl Session {
    /// Remembers the address the session is opened with.
    pub(super) fn set_start(&self, url: String) {
        *self.pages.start.lock().unwrap_or_else(PoisonError::into_inner) = Some(url);
    }

    /// The redirect that everything before the first call finds itself behind.
    pub(super) fn redirect(&self) -> Option<Redirect> {
        let from = self.pages.start.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let to = self.page().url();
        (path_of(&from) != path_of(&to)).then_some(Redirect { from, to })
    }

    /// The same for the first call. From then on the page is where calls brought it.
    pub(super) fn take_redirect(&self) -> Option<Redirect> {
        let redirect = self.redirect();
        self.pages.start.lock().unwrap_or_else(PoisonError::into_inner).take();
        redirect
    }

    /// Adds the redirect to an error that it explains, if the page is still where it went.
    pub(super) fn explained(&self, error: CallError, redirect: Option<Redirect>) -> CallError {
        match redirect {
            Some(Redirect { from, to }) if ELSEWHERE.contains(&error.code) && self.page().url() == to => {
                error.with_evidence("redirected_from", from).with_evidence("url", to)
            }
            _ => error,
        }
    }
}

/// An address without its query, its fragment and the slash at its end.
fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/')
}
