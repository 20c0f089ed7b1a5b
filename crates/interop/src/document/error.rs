//! Why a document has not become a map.

use actions_engine::{CallError, ErrorCode};
use actions_manifest::{Finding, Severity};

use crate::classify::System;
use crate::record::Unfit;

/// Why a document has not become a map.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It is not JSON.
    #[error("{name} is not JSON: {reason}")]
    NotJson {
        /// The document.
        name: String,
        /// Why.
        reason: String,
    },
    /// It is JSON of something else.
    #[error("{name} is {what}, and describes no actions of a system that is known here")]
    Unrelated {
        /// The document.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// It is of a known system that this program does not import.
    #[error("{name} is a document of `{system}`, which is not imported")]
    NotImported {
        /// The document.
        name: String,
        /// Its system.
        system: System,
    },
    /// It is not of the system that the caller named.
    #[error("{name} is not a document of `{wanted}`{}", found.map(|found| format!(" but of `{found}`")).unwrap_or_default())]
    OtherSystem {
        /// The document.
        name: String,
        /// The system that was named.
        wanted: System,
        /// The system it is of.
        found: Option<System>,
    },
    /// It breaks the rules of its system.
    #[error("{name} breaks the rules of its format: {}", first(findings))]
    Invalid {
        /// The document.
        name: String,
        /// Everything that is wrong with it.
        findings: Vec<Finding>,
    },
    /// It speaks for another site than the one that serves it.
    #[error("{name} speaks for `{domain}`, and was not served by it")]
    OtherSite {
        /// The document.
        name: String,
        /// The site it speaks for.
        domain: String,
    },
    /// An intermediary made it, and the caller has not agreed to that.
    #[error("{name} was made by an intermediary and not by the site")]
    Synthetic {
        /// The document.
        name: String,
    },
    /// The file does not say for which site it speaks.
    #[error("{name} does not say which site it belongs to")]
    NoSite {
        /// The document.
        name: String,
    },
    /// Its actions do not make a valid map.
    #[error("{0}")]
    Unfit(#[from] Unfit),
}

fn first(findings: &[Finding]) -> String {
    let error = findings.iter().find(|finding| finding.severity == Severity::Error);
    error.map(|finding| format!("{} {}", finding.rule.code, finding.message)).unwrap_or_default()
}

impl ImportError {
    /// Everything that is wrong with the document, if that is why.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Invalid { findings, .. } => findings,
            _ => &[],
        }
    }

    /// What to do about it.
    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Synthetic { .. } => Some("pass `--allow-synthetic` if you trust the intermediary"),
            Self::NoSite { .. } => Some("import it from its address, or add `baseUrl` to the file"),
            Self::OtherSystem { .. } => Some("leave out `--system`; the content decides"),
            Self::Unrelated { .. } => Some("`actions discover URL` lists what the site publishes for agents"),
            Self::NotJson { .. }
            | Self::NotImported { .. }
            | Self::Invalid { .. }
            | Self::OtherSite { .. }
            | Self::Unfit(_) => None,
        }
    }
}

impl From<&ImportError> for CallError {
    fn from(error: &ImportError) -> Self {
        let code = match error {
            ImportError::Unfit(unfit) => return unfit.into(),
            ImportError::OtherSite { .. } => ErrorCode::CrossOriginDenied,
            ImportError::Synthetic { .. } => ErrorCode::PermissionDenied,
            ImportError::NotImported { .. } => ErrorCode::CapabilityUnavailable,
            ImportError::OtherSystem { .. } | ImportError::NoSite { .. } => ErrorCode::WrongUsage,
            ImportError::Invalid { findings, .. } => match findings.iter().any(is_about_version) {
                true => ErrorCode::ManifestUnsupportedVersion,
                false => ErrorCode::ManifestInvalid,
            },
            ImportError::NotJson { .. } | ImportError::Unrelated { .. } => ErrorCode::ManifestInvalid,
        };
        let hint = error.hint();
        let made = CallError::new(code, error.to_string());
        hint.into_iter().fold(made, |made, hint| made.with_evidence("hint", hint))
    }
}

/// Whether a finding says that the version of the document is not read.
fn is_about_version(finding: &Finding) -> bool {
    finding.severity == Severity::Error && ["AWAS010", "WAB003"].contains(&finding.rule.code)
}
