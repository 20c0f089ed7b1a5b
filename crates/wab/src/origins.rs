//! Which web pages may talk to the bridge.

/// Which web pages may talk to the bridge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins {
    /// Whether a page of another origin is refused.
    pub(crate) must_match: bool,
    pub(crate) allowed: Vec<String>,
}

impl Origins {
    /// Whether a command may come from here. A program that is no browser names no origin.
    pub(crate) fn accept(&self, origin: Option<&str>) -> bool {
        match origin {
            None => true,
            Some(origin) => !self.must_match || self.is_allowed(origin),
        }
    }

    fn is_allowed(&self, origin: &str) -> bool {
        self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }

    /// The value of `Access-Control-Allow-Origin` for a request.
    pub(crate) fn shared_with(&self, origin: Option<&str>) -> Option<String> {
        match (self.must_match, origin) {
            (false, _) => Some("*".to_owned()),
            (true, Some(origin)) if self.is_allowed(origin) => Some(origin.to_owned()),
            (true, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g11_only_pages_of_known_origins_are_accepted_and_programs_always_are() {
        let narrow = Origins { must_match: true, allowed: vec!["https://shop.example".to_owned()] };
        assert!(narrow.accept(None) && narrow.accept(Some("https://shop.example")));
        assert!(!narrow.accept(Some("https://evil.example")) && !narrow.accept(Some("null")));
        assert_eq!(narrow.shared_with(Some("https://evil.example")), None);
        let wide = Origins { must_match: false, ..narrow };
        assert!(wide.accept(Some("https://evil.example")));
        assert_eq!(wide.shared_with(None).as_deref(), Some("*"));
    }
}
