//! Why a request to a site has no response.

use std::time::Duration;

use actions_engine::{CallError, ErrorCode};

/// Why a request to a site has no response that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is not one of the web.
    #[error("`{url}` is not an http or https address")]
    NotWeb {
        /// The address.
        url: String,
    },
    /// The name has no address, no one listens there, TLS failed, or the connection broke.
    #[error("{origin} cannot be reached: {reason}")]
    Unreachable {
        /// The origin.
        origin: String,
        /// Why, by the library.
        reason: String,
    },
    /// The response did not arrive in time.
    #[error("{origin} did not answer completely within {limit:?}")]
    TimedOut {
        /// The origin.
        origin: String,
        /// The time it had.
        limit: Duration,
    },
    /// The body is larger than allowed, decompressed.
    #[error("the response of {origin} is larger than {limit} bytes")]
    TooLarge {
        /// The origin.
        origin: String,
        /// How many bytes are allowed.
        limit: usize,
    },
    /// The body is compressed in a way that was not asked for, or not as it says.
    #[error("the response of {origin} is not encoded as it says: {reason}")]
    Encoding {
        /// The origin.
        origin: String,
        /// What is wrong.
        reason: String,
    },
    /// There are more redirects than allowed, or they go in a circle.
    #[error("{origin} redirects more than {limit} times")]
    TooManyRedirects {
        /// The origin of the last redirect.
        origin: String,
        /// How many are allowed.
        limit: usize,
    },
    /// A redirect goes where it may not go.
    #[error("{origin} redirects to {to}: {reason}")]
    BadRedirect {
        /// The origin of the redirect.
        origin: String,
        /// Where it goes.
        to: String,
        /// Why it is not followed.
        reason: &'static str,
    },
    /// A header of the request cannot be sent.
    #[error("the header `{name}` cannot be sent")]
    BadHeader {
        /// Its name.
        name: String,
    },
    /// This program could not make a client.
    #[error("no HTTP client: {reason}")]
    NoClient {
        /// Why.
        reason: String,
    },
}

impl FetchError {
    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotWeb { .. } => ErrorCode::WrongUsage,
            Self::Unreachable { .. } => ErrorCode::TransportFailed,
            Self::TimedOut { .. } => ErrorCode::HandlerTimeout,
            Self::TooLarge { .. } | Self::Encoding { .. } | Self::TooManyRedirects { .. } => {
                ErrorCode::RemoteError
            }
            Self::BadRedirect { .. } => ErrorCode::CrossOriginDenied,
            Self::BadHeader { .. } => ErrorCode::InvalidInput,
            Self::NoClient { .. } => ErrorCode::InternalError,
        }
    }
}

impl From<&FetchError> for CallError {
    fn from(error: &FetchError) -> Self {
        CallError::new(error.code(), error.to_string())
    }
}

impl From<FetchError> for CallError {
    fn from(error: FetchError) -> Self {
        Self::from(&error)
    }
}
