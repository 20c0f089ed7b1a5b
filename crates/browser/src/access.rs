//! What a context shows to servers that guard their pages: headers and logins by HTTP authentication.

use std::collections::BTreeSet;
use std::fmt;

use crate::{Confinement, origin_of};

/// A text that is never shown: not in messages, traces or recordings.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretText(String);

impl SecretText {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// A header that is added to requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtraHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: SecretText,
}

/// A login by HTTP authentication, basic or digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpLogin {
    /// The only origin that gets it.
    pub origin: String,
    /// The name of the user.
    pub user: String,
    /// The password.
    pub password: SecretText,
}

/// What a context shows to servers that guard their pages.
///
/// ```
/// use actions_browser::{Access, SecretText};
///
/// let access = Access::default()
///     .header("X-Api-Key", SecretText::new("k3jf8sdf"))
///     .login("https://staging.example", "ada", SecretText::new("sesame"));
/// assert!(!format!("{access:?}").contains("sesame"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    headers: Vec<ExtraHeader>,
    origins: BTreeSet<String>,
    logins: Vec<HttpLogin>,
}

impl Access {
    /// Adds a header to requests for the origins that the context is confined to, and for [`Access::origin`]. No other
    /// origin gets it, even after a redirect.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: SecretText) -> Self {
        self.headers.push(ExtraHeader { name: name.into(), value });
        self
    }

    /// Sends the headers to this origin too. Ignores what is no http or https origin.
    #[must_use]
    pub fn origin(mut self, origin: &str) -> Self {
        self.origins.extend(origin_of(origin));
        self
    }

    /// Answers this origin, and no other, when it asks for HTTP authentication. Ignores what is no http or https origin.
    #[must_use]
    pub fn login(mut self, origin: &str, user: impl Into<String>, password: SecretText) -> Self {
        if let Some(origin) = origin_of(origin) {
            self.logins.push(HttpLogin { origin, user: user.into(), password });
        }
        self
    }

    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.logins.is_empty()
    }

    /// The headers.
    pub fn headers(&self) -> &[ExtraHeader] {
        &self.headers
    }

    /// Every value that must not be seen.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter().map(|header| header.value.reveal());
        headers
            .chain(self.logins.iter().map(|login| login.password.reveal()))
            .filter(|secret| !secret.is_empty())
    }

    /// The origins that get anything.
    pub(crate) fn concerned(&self, confinement: Option<&Confinement>) -> BTreeSet<String> {
        let headed = (!self.headers.is_empty()).then(|| self.headed(confinement));
        headed.into_iter().flatten().chain(self.logins.iter().map(|login| login.origin.clone())).collect()
    }

    /// The origins that get the headers.
    fn headed(&self, confinement: Option<&Confinement>) -> BTreeSet<String> {
        let confined = confinement.into_iter().flat_map(Confinement::origins).map(str::to_owned);
        self.origins.iter().cloned().chain(confined).collect()
    }

    /// The headers that a request to an address gets.
    pub(crate) fn headers_for(&self, url: &str, confinement: Option<&Confinement>) -> &[ExtraHeader] {
        let gets_them = !self.headers.is_empty()
            && origin_of(url).is_some_and(|origin| self.headed(confinement).contains(&origin));
        if gets_them { &self.headers } else { &[] }
    }

    /// Whether any server is answered when it asks for authentication.
    pub(crate) fn answers(&self) -> bool {
        !self.logins.is_empty()
    }

    /// The login for an origin.
    pub(crate) fn login_for(&self, origin: &str) -> Option<&HttpLogin> {
        let origin = origin_of(origin)?;
        self.logins.iter().find(|login| login.origin == origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_and_logins_go_to_their_origins_alone() {
        let access = Access::default()
            .header("X-Key", SecretText::new("k"))
            .origin("https://a.example/start")
            .login("https://b.example", "ada", SecretText::new("p"))
            .login("ftp://c.example", "ada", SecretText::new("p"));
        let confinement = Confinement::to(["https://d.example"]);
        let gets = |url: &str| !access.headers_for(url, Some(&confinement)).is_empty();
        assert!(gets("https://a.example/x") && gets("https://d.example/"));
        assert!(!gets("https://b.example/") && !gets("http://a.example/") && !gets("data:,x"));
        assert!(access.login_for("https://b.example/").is_some());
        assert!(access.login_for("https://a.example").is_none());
        let concerned = access.concerned(Some(&confinement));
        assert_eq!(concerned.len(), 3, "{concerned:?}");
        assert_eq!(access.secrets().collect::<Vec<_>>(), ["k", "p"]);
    }
}
