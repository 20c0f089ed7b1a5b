//! Reads the response of a site to a renewal of credentials.

use serde_json::Value;

use crate::credentials::{Credential, Secret};

/// The members that hold a new token.
const TOKENS: &[&str] = &["/access_token", "/token", "/sessionToken", "/data/access_token", "/data/token"];

/// The longest token that is kept.
const LONGEST: usize = 16 << 10;

/// The credentials with the new token of a response; none if it has no token that can be sent.
pub(super) fn renewed(credential: &Credential, body: &[u8]) -> Option<Credential> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let token = TOKENS.iter().find_map(|pointer| value.pointer(pointer)?.as_str())?;
    let can_be_sent =
        !token.is_empty() && token.len() <= LONGEST && token.chars().all(|c| ('!'..='~').contains(&c));
    can_be_sent.then(|| Credential { secret: Secret::new(token), ..credential.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credentials::Scheme;

    #[test]
    fn only_a_token_that_can_be_sent_is_taken() {
        let old = Credential { scheme: Scheme::Bearer, secret: Secret::new("old"), header: None };
        let token = |body: &str| renewed(&old, body.as_bytes()).map(|new| new.secret.expose().to_owned());
        assert_eq!(token(r#"{ "access_token": "new" }"#).as_deref(), Some("new"));
        for body in [r#"{ "access_token": "a\r\nb" }"#, r#"{ "access_token": 7 }"#, "{}", "no"] {
            assert_eq!(token(body), None, "{body}");
        }
    }
}
