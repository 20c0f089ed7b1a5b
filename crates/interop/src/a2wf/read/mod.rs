//! From the bytes of a `siteai.json` to a policy and everything that is wrong with it.

mod draft;
mod members;
mod permissions;
mod sections;

use actions_manifest::document::{Node, Spot};
use actions_manifest::{Finding, Profile, Report, Severity, read_document};
use actions_protocol::Timestamp;

use super::policy::Policy;
use super::rules::{
    a2wf001_missing_member, a2wf002_unsupported_version, a2wf012_unknown_member, a2wf018_expired,
};
use members::Members;

/// What is read beside version 1.0 of the standard, and when.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Whether the draft of version 1.1 is read too.
    pub draft_1_1: bool,
    /// The time in milliseconds since the Unix epoch, to say that a policy has expired; none if that does not matter.
    pub now: Option<u64>,
}

/// A `siteai.json` as it was read.
#[derive(Debug)]
pub struct Reading {
    /// What could be read of it.
    pub policy: Policy,
    /// Everything that is wrong with it, in the order of the text.
    pub findings: Vec<Finding>,
}

impl Reading {
    /// Whether agents may rely on it.
    pub fn is_valid(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// The first reason why it is not valid.
    pub fn first_error(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.severity == Severity::Error)
    }
}

/// Reads a `siteai.json`. `name` is a path or an address, for people.
///
/// ```
/// use actions_interop::a2wf::{ReadOptions, read};
///
/// let text = br#"{ "specVersion": "1.0", "identity": { "domain": "example.com" } }"#;
/// let reading = read("siteai.json", text, ReadOptions::default());
/// assert!(!reading.is_valid());
/// assert_eq!(reading.first_error().unwrap().rule.code, "A2WF001");
/// ```
pub fn read(name: &str, bytes: &[u8], options: ReadOptions) -> Reading {
    let mut report = Report::new(Profile::Strict);
    let policy = match read_document(name, bytes, &mut report) {
        Some(document) => {
            let mut members = Members::new(document.root(), &mut report);
            root(&mut members, options)
        }
        None => Policy::default(),
    };
    Reading { policy, findings: report.into_list() }
}

/// The members of a policy that the standard names, its extensions included.
const KNOWN: &[&str] = &[
    "@context",
    "specVersion",
    "identity",
    "permissions",
    "agentIdentification",
    "scraping",
    "defaults",
    "humanVerification",
    "legal",
    "discovery",
    "metadata",
    "search",
    "forms",
];

/// Further members of the draft.
const DRAFT: &[&str] = &["rateLimits", "fallback"];

fn root(members: &mut Members<'_, '_>, options: ReadOptions) -> Policy {
    let mut policy = Policy { version: version(members, options), ..Policy::default() };
    let is_draft = policy.version.as_deref() == Some("1.1") && options.draft_1_1;
    sections::identity(members, &mut policy, is_draft);
    match is_draft {
        true => draft::permissions(members, &mut policy),
        false => permissions::read(members, &mut policy),
    }
    sections::identification(members, &mut policy);
    sections::scraping(members, &mut policy);
    sections::defaults(members, &mut policy);
    sections::human_verification(members, &mut policy);
    sections::legal(members, &mut policy);
    sections::discovery(members);
    sections::metadata(members, &mut policy);
    sections::extensions(members, &policy);
    unknown_members(members, is_draft);
    if let (Some(end), Some(now)) = (policy.expires_at, options.now)
        && end < now
    {
        let node = members.node.at("/metadata/expiresAt").unwrap_or(members.node);
        let message = format!("the policy expired at {}", Timestamp::from_unix_millis(end));
        members.report.find(&a2wf018_expired::RULE, node, message).help("review it and move the date");
    }
    policy
}

fn version(members: &mut Members<'_, '_>, options: ReadOptions) -> Option<String> {
    let version = members.required("specVersion", "add `\"specVersion\": \"1.0\"`")?;
    let text = members.text_of(version)?;
    let known = text == "1.0" || text == "1.1" && options.draft_1_1;
    if !known {
        let message = format!("version `{}` of the standard is not read", shown(text));
        let help = match text {
            "1.1" => "that version is a draft; read it with `--experimental a2wf-1.1`",
            _ => "write \"1.0\"",
        };
        members.report.find(&a2wf002_unsupported_version::RULE, version, message).help(help);
    }
    Some(text.chars().take(20).collect())
}

fn unknown_members(members: &mut Members<'_, '_>, is_draft: bool) {
    let node = members.node;
    for (key, value) in node.members() {
        let is_known = KNOWN.contains(&key) || key.starts_with("x-") || is_draft && DRAFT.contains(&key);
        if is_known || key == "$schema" {
            continue;
        }
        let message = format!("`{}` is no member of a policy", shown(key));
        members
            .report
            .find(&a2wf012_unknown_member::RULE, Spot::Key(value), message)
            .help("agents ignore it; correct its name, or begin it with `x-`");
    }
}

/// Reports a member that is required and absent.
fn missing(report: &mut Report, node: Node<'_>, key: &str, help: &str) {
    let message = format!("the required member `{key}` is missing");
    report.find(&a2wf001_missing_member::RULE, node, message).help(help);
}

/// The beginning of a text of the document, for a sentence.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
