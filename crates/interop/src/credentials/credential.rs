//! Credentials for one site, and the header that carries them.

use std::str::FromStr;

use actions_engine::HttpAuth;
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use super::Secret;

/// How credentials are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// `Authorization: Bearer TOKEN`.
    Bearer,
    /// The key in a header of its own, `X-API-Key` if the site names none.
    ApiKey,
    /// `Authorization: Basic`, of `USER:PASSWORD`.
    Basic,
    /// The key by which an agent authenticates to a bridge.
    Wab,
}

/// A text that names no scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write bearer, api-key, basic or wab")]
pub struct UnknownScheme;

impl Scheme {
    /// Every scheme.
    pub const ALL: &'static [Scheme] = &[Scheme::Bearer, Scheme::ApiKey, Scheme::Basic, Scheme::Wab];

    /// The name that commands use.
    pub fn as_str(self) -> &'static str {
        match self {
            Scheme::Bearer => "bearer",
            Scheme::ApiKey => "api-key",
            Scheme::Basic => "basic",
            Scheme::Wab => "wab",
        }
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|scheme| scheme.as_str() == text).ok_or(UnknownScheme)
    }
}

/// Credentials for one site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// How they are sent.
    pub scheme: Scheme,
    /// The token, the key, or `USER:PASSWORD`.
    pub secret: Secret,
    /// The header of an API key, if the site wants one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
}

impl Credential {
    /// The header that carries them. What the user has stored decides; what a document says fills in the rest.
    pub fn header(&self, auth: Option<&HttpAuth>) -> (String, String) {
        let secret = self.secret.expose();
        match self.scheme {
            Scheme::Bearer => ("authorization".to_owned(), format!("Bearer {secret}")),
            Scheme::Basic => {
                ("authorization".to_owned(), format!("Basic {}", BASE64.encode(secret.as_bytes())))
            }
            Scheme::ApiKey | Scheme::Wab => {
                let named = auth.and_then(|auth| auth.header.clone());
                (self.header.clone().or(named).unwrap_or_else(|| "x-api-key".to_owned()), secret.to_owned())
            }
        }
    }

    /// The texts by which they could be recognised.
    pub fn texts(&self) -> Vec<&str> {
        let secret = self.secret.expose();
        let password = secret.split_once(':').map(|(_, password)| password);
        std::iter::once(secret).chain(password.filter(|_| self.scheme == Scheme::Basic)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scheme_has_its_header() {
        let header = |scheme, secret: &str, own: Option<&str>| {
            Credential { scheme, secret: Secret::new(secret), header: own.map(str::to_owned) }.header(None)
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(header(Scheme::Bearer, "t", None), pair("authorization", "Bearer t"));
        assert_eq!(header(Scheme::Basic, "ada:pw", None), pair("authorization", "Basic YWRhOnB3"));
        assert_eq!(header(Scheme::ApiKey, "k", None), pair("x-api-key", "k"));
        assert_eq!(header(Scheme::ApiKey, "k", Some("X-Key")), pair("X-Key", "k"));
    }
}
