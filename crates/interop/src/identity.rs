//! Who this program says it is, to sites that it talks to.

/// Who this program says it is. Nothing here makes it look like a person's browser.
///
/// ```
/// use actions_interop::identity::Identity;
///
/// let identity = Identity::default().operator("Example Ltd").contact("https://example.com/agent");
/// assert!(identity.user_agent().ends_with("(+https://example.com/agent; operator=Example Ltd)"));
/// assert!(identity.user_agent().starts_with("actions/"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name of the agent.
    pub name: String,
    /// Who runs it.
    pub operator: Option<String>,
    /// Where to reach them: an address or a mailbox.
    pub contact: Option<String>,
    /// What it is for.
    pub purpose: Option<String>,
}

/// The name in the `User-Agent` and in groups of robots.txt.
pub const PRODUCT: &str = "actions";

/// The longest part of an identity.
const LONGEST: usize = 120;

/// Why a text cannot be part of an identity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write 1 to {LONGEST} printable ASCII characters, without brackets and semicolons")]
pub struct IdentityError;

impl Default for Identity {
    fn default() -> Self {
        Self { name: PRODUCT.to_owned(), operator: None, contact: None, purpose: None }
    }
}

impl Identity {
    /// Checks that a text can be sent as a part of an identity, whatever header it is sent in.
    pub fn check_part(text: &str) -> Result<(), IdentityError> {
        let fits = |c: char| (' '..='~').contains(&c) && !"()<>;\\\"".contains(c);
        let whole = text.trim() == text && (1..=LONGEST).contains(&text.len());
        if whole && text.chars().all(fits) { Ok(()) } else { Err(IdentityError) }
    }

    /// Sets the name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets who runs it.
    #[must_use]
    pub fn operator(mut self, operator: impl Into<String>) -> Self {
        self.operator = Some(operator.into());
        self
    }

    /// Sets where to reach them.
    #[must_use]
    pub fn contact(mut self, contact: impl Into<String>) -> Self {
        self.contact = Some(contact.into());
        self
    }

    /// Sets what it is for.
    #[must_use]
    pub fn purpose(mut self, purpose: impl Into<String>) -> Self {
        self.purpose = Some(purpose.into());
        self
    }

    /// The `User-Agent` of requests that no browser makes.
    pub fn user_agent(&self) -> String {
        let suffix = self.suffix().map(|suffix| format!(" {suffix}")).unwrap_or_default();
        format!("{PRODUCT}/{}{suffix}", env!("CARGO_PKG_VERSION"))
    }

    /// What stands after the `User-Agent` of the browser, which already names this program.
    pub fn suffix(&self) -> Option<String> {
        let contact = self.contact.as_deref().map(|contact| format!("+{contact}"));
        let operator = self.operator.as_deref().map(|operator| format!("operator={operator}"));
        let parts: Vec<String> = contact.into_iter().chain(operator).collect();
        (!parts.is_empty()).then(|| format!("({})", parts.join("; ")))
    }

    /// The headers that say the same to sites that read them.
    pub fn headers(&self) -> Vec<(&'static str, &str)> {
        let optional = [
            ("x-ai-agent-operator", self.operator.as_deref()),
            ("x-ai-agent-purpose", self.purpose.as_deref()),
        ];
        let given = optional.into_iter().filter_map(|(name, value)| Some((name, value?)));
        [("x-ai-agent", "true"), ("x-ai-agent-name", self.name.as_str())].into_iter().chain(given).collect()
    }

    /// The part of the identity that a policy means by the name of a field, such as `agentOperator`; none if it is not
    /// known or if there is no such field.
    pub fn field(&self, name: &str) -> Option<&str> {
        match name {
            "agentName" => Some(&self.name),
            "agentOperator" => self.operator.as_deref(),
            "agentPurpose" => self.purpose.as_deref(),
            "agentContact" | "contact" => self.contact.as_deref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_agent_names_this_program_and_no_browser() {
        let agent = Identity::default().user_agent();
        assert_eq!(agent, concat!("actions/", env!("CARGO_PKG_VERSION")));
        assert!(!agent.contains("Mozilla"));
    }

    #[test]
    fn headers_repeat_what_is_known() {
        let identity = Identity::default().name("clerk").purpose("booking");
        let expected =
            [("x-ai-agent", "true"), ("x-ai-agent-name", "clerk"), ("x-ai-agent-purpose", "booking")];
        assert_eq!(identity.headers(), expected);
    }

    #[test]
    fn a_part_of_an_identity_cannot_smuggle_headers() {
        for good in ["Example Ltd", "https://example.com/agent", "mail@example.com"] {
            assert_eq!(Identity::check_part(good), Ok(()), "{good}");
        }
        for bad in ["", " x", "a\r\nx: y", "é", "a; operator=b", "(x)", &"x".repeat(121)] {
            assert_eq!(Identity::check_part(bad), Err(IdentityError), "{bad}");
        }
    }
}
