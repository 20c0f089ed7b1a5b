//! An agent as policies see it: who it says it is, and what it wants data for.

use super::operation::Use;
use crate::identity::Identity;

/// An agent as policies see it. It is this program before the policies of sites, and a client before ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The `User-Agent` that it sends.
    pub user_agent: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// Who runs it.
    pub operator: Option<String>,
    /// What it is for.
    pub purpose: Option<String>,
    /// Where to reach its operator.
    pub contact: Option<String>,
}

impl Agent {
    /// What the agent wants data for, if that is a use that policies name.
    pub fn intended_use(&self) -> Option<Use> {
        Use::of_purpose(self.purpose.as_deref()?)
    }

    /// The part of it that a policy means by the name of a field.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        let value = match name {
            "agentName" => &self.name,
            "agentOperator" => &self.operator,
            "agentPurpose" => &self.purpose,
            "agentContact" | "contact" => &self.contact,
            "userAgent" => &self.user_agent,
            _ => return None,
        };
        value.as_deref().filter(|value| !value.trim().is_empty())
    }

    /// Whether a pattern of blocked agents means it. Patterns ignore case; one without `*` means every text it stands in.
    pub(super) fn matches(&self, pattern: &str) -> bool {
        let pattern = pattern.trim().to_lowercase();
        if pattern.is_empty() {
            return false;
        }
        let names = [&self.user_agent, &self.name, &self.operator];
        let names = names.into_iter().flatten().map(|name| name.to_lowercase());
        names.into_iter().any(|name| match pattern.contains('*') {
            true => glob(pattern.as_bytes(), name.as_bytes()),
            false => name.contains(&pattern),
        })
    }
}

impl From<&Identity> for Agent {
    fn from(identity: &Identity) -> Self {
        Self {
            user_agent: Some(identity.user_agent()),
            name: Some(identity.name.clone()),
            operator: identity.operator.clone(),
            purpose: identity.purpose.clone(),
            contact: identity.contact.clone(),
        }
    }
}

/// Whether a text has the form of a pattern in which `*` stands for anything. It takes at most as many steps as both are
/// long together, times one another.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(byte) if *byte == text[t] => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, t) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_blocked_agents_are_texts_or_have_stars() {
        let identity = Identity::default().name("Clerk").operator("Example Ltd");
        let agent = Agent::from(&identity);
        for pattern in ["clerk", "CLERK", "act*", "*", "example*", "actions/*", "*tions*", "ltd"] {
            assert!(agent.matches(pattern), "{pattern}");
        }
        for pattern in ["", " ", "badbot", "clerk*s", "*zz*", "tions*"] {
            assert!(!agent.matches(pattern), "{pattern}");
        }
    }
}
