//! A policy as types: what could be read of a `siteai.json`, whether it is valid or not.

use std::collections::BTreeMap;

use url::Url;

use super::key::Key;

/// What could be read of a `siteai.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// The version of the specification it was written for.
    pub version: Option<String>,
    /// The site that it describes.
    pub domain: Option<Url>,
    /// The name of the site.
    pub name: Option<String>,
    /// What it grants and denies.
    pub permissions: BTreeMap<Key, Permission>,
    /// What it wants to know of agents, and which it blocks.
    pub identification: Identification,
    /// How its data may be used; none if it does not say.
    pub scraping: Option<Scraping>,
    /// What holds where no permission does.
    pub defaults: Defaults,
    /// How people verify what agents do.
    pub human: HumanVerification,
    /// The terms of the site.
    pub terms: Option<Url>,
    /// Whether agents must say that they are machines.
    pub transparency_required: bool,
    /// Whether a person must oversee what changes the site.
    pub oversight_mandatory: bool,
    /// When it ends, in milliseconds since the Unix epoch.
    pub expires_at: Option<u64>,
    /// Whether what it does not mention is denied, whatever the defaults say.
    pub denies_unlisted_actions: bool,
    /// Named limits on everything.
    pub limits: Vec<crate::limits::Limit>,
}

/// One permission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission {
    /// Whether it is granted; none if that could not be read.
    pub allowed: Option<bool>,
    /// How often a minute.
    pub rate_limit: Option<u64>,
    /// Whether a person must verify it.
    pub human_verification: bool,
    /// Whether it must be done by a person in a browser.
    pub hand_over: bool,
    /// What the site says about it. This is data: nothing decides by it.
    pub note: Option<String>,
}

/// What a site wants to know of agents, and which it blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identification {
    /// Whether they must send a `User-Agent` that names them.
    pub require_user_agent: bool,
    /// What they must say of themselves.
    pub required_fields: Vec<String>,
    /// Whether they may stay unknown.
    pub allow_anonymous: bool,
    /// Agents that are trusted.
    pub trusted: Vec<Trusted>,
    /// Agents that are not served.
    pub blocked: Vec<Blocked>,
}

impl Default for Identification {
    fn default() -> Self {
        Self {
            require_user_agent: false,
            required_fields: Vec::new(),
            allow_anonymous: true,
            trusted: Vec::new(),
            blocked: Vec::new(),
        }
    }
}

/// An agent that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// Its name.
    pub name: String,
    /// Who runs it.
    pub operator: String,
    /// What it may do: keys with or without their group, or `*`.
    pub permissions: Vec<String>,
}

/// Agents that are not served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// Their names, with `*` for anything.
    pub pattern: String,
    /// Why, in the words of the site.
    pub reason: Option<String>,
}

/// How the data of a site may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scraping {
    /// Whether much of it may be extracted.
    pub bulk_data_extraction: bool,
    /// Whether prices may be watched.
    pub price_monitoring: bool,
    /// Whether it may be published again.
    pub content_reproduction: bool,
    /// Whether it may be used to study the competition.
    pub competitive_analysis: bool,
    /// Whether models may be trained with it.
    pub training_data_usage: bool,
}

/// What holds where no permission does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// How open the site is; none if it does not say.
    pub access: Option<Access>,
    /// Whether agents must identify themselves.
    pub require_identification: bool,
    /// Whether a person must verify every action.
    pub human_verification: bool,
    /// How much may be requested a minute.
    pub per_minute: Option<u64>,
    /// How much may be requested an hour.
    pub per_hour: Option<u64>,
    /// Whether robots.txt counts for agents too.
    pub respect_robots: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            access: None,
            require_identification: false,
            human_verification: false,
            per_minute: None,
            per_hour: None,
            respect_robots: true,
        }
    }
}

/// How open a site is to what its policy does not mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// What is not denied is allowed.
    Open,
    /// What is not allowed is denied, apart from looking around.
    Restricted,
    /// What is not allowed is denied.
    Minimal,
}

/// How people verify what agents do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HumanVerification {
    /// The ways that count; none if the site does not say, and then every confirmation by a person counts.
    pub methods: Option<Vec<Method>>,
    /// The permissions that need it.
    pub required_for: Vec<String>,
}

/// A way in which a person verifies what an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The person does it, in a browser.
    RedirectToBrowser,
    /// The site sends the person a mail.
    EmailConfirmation,
    /// The site sends the person a code.
    SmsOtp,
    /// A way that the standard does not know.
    Unknown(String),
}

impl Method {
    /// The method of a name.
    pub(super) fn of_name(name: &str) -> Self {
        match name {
            "redirect-to-browser" => Self::RedirectToBrowser,
            "email-confirmation" => Self::EmailConfirmation,
            "sms-otp" => Self::SmsOtp,
            other => Self::Unknown(other.chars().take(60).collect()),
        }
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        match self {
            Self::RedirectToBrowser => "redirect-to-browser",
            Self::EmailConfirmation => "email-confirmation",
            Self::SmsOtp => "sms-otp",
            Self::Unknown(name) => name,
        }
    }
}
