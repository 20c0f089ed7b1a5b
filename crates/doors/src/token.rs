//! The token that clients show.

use sha2::{Digest, Sha256};

/// The token that clients show. Only its digest is kept for comparison, so the time of a comparison says nothing of it.
#[derive(Clone)]
pub struct Token {
    text: String,
    digest: [u8; 32],
}

/// Why a text is no token.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It is too short or too long.
    #[error("a token has 16 to 512 characters")]
    Length,
    /// It has characters that cannot stand in a header.
    #[error("a token has only ASCII letters, digits, `-`, `_`, `.` and `~`")]
    Character,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    NoRandomness(getrandom::Error),
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// Reads a token.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        if !(16..=512).contains(&text.len()) {
            return Err(TokenError::Length);
        }
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)) {
            return Err(TokenError::Character);
        }
        Ok(Self { text: text.to_owned(), digest: Sha256::digest(text).into() })
    }

    /// Makes a token of 256 random bits.
    pub fn random() -> Result<Self, TokenError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(TokenError::NoRandomness)?;
        Self::parse(&data_encoding::HEXLOWER.encode(&bytes))
    }

    /// The text, to hand it to a client.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a client shows this token.
    pub(crate) fn is(&self, given: &str) -> bool {
        let given: [u8; 32] = Sha256::digest(given).into();
        given == self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_long_random_and_never_shown_by_accident() {
        let (one, two) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.as_str().len(), 64);
        assert!(one.is(one.as_str()) && !one.is(two.as_str()));
        assert_eq!(format!("{one:?}"), "Token");
        assert!(matches!(Token::parse("short"), Err(TokenError::Length)));
        assert!(matches!(Token::parse("a token with spaces"), Err(TokenError::Character)));
    }
}
