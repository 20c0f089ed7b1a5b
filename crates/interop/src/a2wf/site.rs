//! The policy of a site as it was obtained: its state, its document, and how it was found.

use std::sync::Arc;

use serde_json::{Value, json};
use url::Url;

use super::policy::Policy;
use crate::robots::Robots;

/// Whether a policy was found, and how much of it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// It is valid: everything counts.
    Valid,
    /// The site publishes none.
    Absent,
    /// The site could not be asked.
    Unavailable,
    /// It breaks the rules of the standard: only what it forbids counts.
    Invalid,
    /// It describes another site: nothing of it counts.
    CrossDomain,
    /// It was not protected on its way: only what it forbids counts.
    Insecure,
    /// Its time is over: only what it forbids counts, and reading goes on.
    Expired,
}

impl State {
    /// Every state.
    pub const ALL: [State; 7] = [
        State::Valid,
        State::Absent,
        State::Unavailable,
        State::Invalid,
        State::CrossDomain,
        State::Insecure,
        State::Expired,
    ];

    /// The name that commands use.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Valid => "valid",
            State::Absent => "absent",
            State::Unavailable => "unavailable",
            State::Invalid => "invalid",
            State::CrossDomain => "cross_domain",
            State::Insecure => "insecure",
            State::Expired => "expired",
        }
    }

    /// Whether prohibitions of the document count.
    pub fn forbids(self) -> bool {
        matches!(self, State::Valid | State::Invalid | State::Insecure | State::Expired)
    }
}

/// A step of looking for a policy, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The address.
    pub url: String,
    /// What came of it, in a few words.
    pub result: String,
}

/// The policy of a site as it was obtained.
#[derive(Clone, Debug)]
pub struct SitePolicy {
    /// The origin that it governs.
    pub origin: String,
    /// Whether it was found, and how much of it counts.
    pub state: State,
    /// Why the state is not valid.
    pub reason: Option<String>,
    /// What could be read of it.
    pub policy: Arc<Policy>,
    /// Where it was found.
    pub url: Option<Url>,
    /// The robots.txt of the site, if it has one.
    pub robots: Option<Arc<Robots>>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// Where it was looked for.
    pub looked: Vec<Looked>,
    /// When it was fetched, in milliseconds since the Unix epoch.
    pub fetched_at: u64,
}

impl SitePolicy {
    /// A policy of a state, with nothing in it.
    pub fn empty(origin: impl Into<String>, state: State) -> Self {
        Self {
            origin: origin.into(),
            state,
            reason: None,
            policy: Arc::default(),
            url: None,
            robots: None,
            warnings: Vec::new(),
            looked: Vec::new(),
            fetched_at: 0,
        }
    }

    /// What a person or program is shown of it.
    pub fn to_json(&self) -> Value {
        let policy = &self.policy;
        let permissions: serde_json::Map<String, Value> = policy
            .permissions
            .iter()
            .map(|(key, permission)| {
                let mut shown = json!({ "allowed": permission.allowed });
                let optional = [
                    ("rate_limit_per_minute", permission.rate_limit.map(Value::from)),
                    ("human_verification", permission.human_verification.then(|| Value::Bool(true))),
                    ("site_text", permission.note.as_deref().map(|note| site_text(note, self.url.as_ref()))),
                ];
                for (name, value) in optional {
                    value.into_iter().for_each(|value| shown[name] = value);
                }
                (key.to_string(), shown)
            })
            .collect();
        let methods = policy.human.methods.as_ref();
        json!({
            "origin": self.origin,
            "state": self.state.as_str(),
            "reason": self.reason,
            "document": self.url.as_ref().map(Url::as_str),
            "version": policy.version,
            "permissions": permissions,
            "agent_access": policy.defaults.access.map(|access| format!("{access:?}").to_lowercase()),
            "max_requests_per_minute": policy.defaults.per_minute,
            "max_requests_per_hour": policy.defaults.per_hour,
            "verification_methods": methods.map(|methods| methods.iter().map(|one| one.as_str()).collect::<Vec<_>>()),
            "terms_url": policy.terms.as_ref().map(Url::as_str),
            "looked": self.looked.iter().map(|one| json!({ "url": one.url, "result": one.result })).collect::<Vec<_>>(),
            "warnings": self.warnings,
        })
    }
}

/// The longest text of a site that is passed on.
const LONGEST: usize = 500;

/// A text of a site as readers get it: marked as the word of a stranger, bounded, and without control characters.
pub fn site_text(text: &str, source: Option<&Url>) -> Value {
    let harmless = |c: &char| {
        !c.is_control() && !('\u{200b}'..='\u{200f}').contains(c) && !('\u{202a}'..='\u{202e}').contains(c)
    };
    let text: String = text.chars().filter(harmless).take(LONGEST).collect();
    json!({ "source": source.map(Url::as_str), "untrusted": true, "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_site_is_marked_cut_and_cleaned() {
        let text = site_text(&format!("ig\u{1b}[2Jnore\u{202e} {}", "x".repeat(600)), None);
        assert_eq!(text["untrusted"], true);
        let shown = text["text"].as_str().unwrap();
        assert!(shown.starts_with("ig[2Jnore x"), "{shown}");
        assert_eq!(shown.chars().count(), LONGEST);
    }
}
