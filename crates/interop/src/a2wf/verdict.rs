//! What a policy decides about an operation.

use actions_engine::{Denial, ErrorCode};
use serde_json::{Value, json};
use url::Url;

use super::policy::Method;
use super::site::{SitePolicy, State, site_text};

/// What a policy decides about an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It may run.
    Allow {
        /// What the caller should know.
        warnings: Vec<Warning>,
    },
    /// It may not run.
    Deny(Box<Refusal>),
    /// It may run once a person has verified it.
    Verify(Box<Verification>),
}

/// What the caller of an operation that may run should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Warning {
    /// The site publishes no policy.
    Absent,
    /// The policy could not be fetched.
    Unavailable,
    /// The policy is not valid, or describes another site.
    Invalid,
    /// The policy was not protected on its way.
    Insecure,
    /// The policy has expired.
    Expired,
    /// The policy does not say how its data may be used.
    NoScrapingTerms,
}

impl Warning {
    /// A short name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Warning::Absent => "policy_absent",
            Warning::Unavailable => "policy_unavailable",
            Warning::Invalid => "policy_invalid",
            Warning::Insecure => "policy_insecure",
            Warning::Expired => "policy_expired",
            Warning::NoScrapingTerms => "no_scraping_terms",
        }
    }

    /// What it means, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Warning::Absent => "the site publishes no policy for agents",
            Warning::Unavailable => "the policy of the site could not be fetched; only reading is allowed",
            Warning::Invalid => "the policy of the site is not valid; only reading is allowed",
            Warning::Insecure => "the policy of the site came without TLS; only reading is allowed",
            Warning::Expired => "the policy of the site has expired; only reading is allowed",
            Warning::NoScrapingTerms => "the policy of the site does not say how its data may be used",
        }
    }
}

/// Why an operation may not run.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The stable code.
    pub code: ErrorCode,
    /// The gate that refused, by its number in the order of decisions.
    pub gate: u8,
    /// The permission or the member of the policy that decided.
    pub key: Option<String>,
    /// Why, in our words.
    pub reason: String,
    /// More that helps to understand it.
    pub evidence: Vec<(&'static str, Value)>,
    /// What the site says about it. Nothing decides by it.
    pub note: Option<String>,
}

impl Refusal {
    /// A refusal by a gate.
    pub(super) fn new(code: ErrorCode, gate: u8, reason: impl Into<String>) -> Self {
        Self { code, gate, key: None, reason: reason.into(), evidence: Vec::new(), note: None }
    }

    /// Names what decided.
    pub(super) fn key(mut self, key: impl ToString) -> Self {
        self.key = Some(key.to_string());
        self
    }

    /// Adds a fact.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.evidence.push((name, value.into()));
        self
    }

    /// Adds what the site says about it.
    pub(super) fn note(mut self, note: Option<&str>) -> Self {
        self.note = note.map(str::to_owned);
        self
    }

    /// What the engine tells its callers.
    pub fn denial(&self, site: &SitePolicy) -> Denial {
        let mut denial = Denial::new(self.code, self.reason.clone());
        for (name, value) in self.facts(site) {
            denial = denial.with_evidence(name, value);
        }
        denial
    }

    /// What is known about the refusal: the gate, the key, the document, and what the site says.
    pub fn facts(&self, site: &SitePolicy) -> Vec<(&'static str, Value)> {
        let mut facts = vec![("origin", json!(site.origin)), ("gate", json!(self.gate))];
        facts.extend(self.key.as_ref().map(|key| ("key", json!(key))));
        facts.extend(site.url.as_ref().map(|url| ("document", json!(url.as_str()))));
        if site.state != State::Valid {
            facts.push(("state", json!(site.state.as_str())));
        }
        facts.extend(self.evidence.iter().cloned());
        facts.extend(self.note.as_deref().map(|note| ("site_text", site_text(note, site.url.as_ref()))));
        facts
    }
}

/// How a person can verify an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A person says yes.
    Confirmation,
    /// A person is there and meets the challenge of the site: a code by mail or text message.
    Challenge,
    /// A person does it in a browser. Saying yes is not enough.
    HandOver,
    /// No way that this program can arrange.
    Unsupported,
}

/// What a person must verify, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// How.
    pub way: Way,
    /// The ways that the policy names.
    pub methods: Vec<String>,
    /// The permission or the member of the policy that wants it.
    pub key: String,
    /// Why, in our words.
    pub reason: String,
    /// The terms of the site.
    pub terms: Option<Url>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

impl Verification {
    /// The way that a list of methods leaves open.
    pub(super) fn way(methods: Option<&[Method]>, hand_over: bool) -> Way {
        let Some(methods) = methods.filter(|methods| !methods.is_empty()) else {
            return if hand_over { Way::HandOver } else { Way::Confirmation };
        };
        let has = |wanted: &[Method]| methods.iter().any(|method| wanted.contains(method));
        if hand_over {
            Way::HandOver
        } else if has(&[Method::EmailConfirmation, Method::SmsOtp]) {
            Way::Challenge
        } else if has(&[Method::RedirectToBrowser]) {
            Way::HandOver
        } else {
            Way::Unsupported
        }
    }

    /// Whether a person who is asked can satisfy it.
    pub fn can_be_asked(&self) -> bool {
        matches!(self.way, Way::Confirmation | Way::Challenge)
    }

    /// The refusal where no one verified it.
    pub fn refusal(&self, request: &Request<'_>) -> Refusal {
        let code = match self.way {
            Way::Unsupported => ErrorCode::HumanVerificationUnsupported,
            _ => ErrorCode::HumanVerificationRequired,
        };
        let refusal = Refusal::new(code, 9, self.reason.clone())
            .key(&self.key)
            .with("methods", self.methods.clone())
            .with("request_id", request.id);
        let refusal = match &self.terms {
            Some(terms) => refusal.with("terms_url", terms.as_str()),
            None => refusal,
        };
        match (self.way, request.url) {
            (Way::HandOver, Some(url)) => refusal.with("hand_over_url", url).with(
                "hint",
                "a person must do this in a browser, at `hand_over_url`; a confirmation is not enough",
            ),
            (Way::HandOver, None) => {
                refusal.with("hint", "a person must do this in a browser; a confirmation is not enough")
            }
            (Way::Challenge, _) => refusal.with(
                "hint",
                "the site will send a code to a person: run this where that person can be asked",
            ),
            (Way::Confirmation, _) => refusal.with("hint", "run this where a person can be asked"),
            (Way::Unsupported, _) => refusal,
        }
    }
}

/// The request that a person would verify.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// An id for it.
    pub id: &'r str,
    /// The address where a person would do it.
    pub url: Option<&'r str>,
}
