//! The only door from text to a [`CheckedManifest`].

use crate::checked::CheckedManifest;
use crate::compose;
use crate::finding::{Finding, Profile, Report};
use crate::leave_out::leave_out;
use crate::load::{Load, NoImports};
use crate::reading::j008_too_many_findings;
use crate::rule::Severity;
use crate::rules;
use crate::view::{Subject, View};

/// How a manifest is validated.
#[derive(Clone, Copy)]
pub struct Options<'o> {
    /// How strictly.
    pub profile: Profile,
    /// Where imports come from.
    pub imports: &'o dyn Load,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { profile: Profile::Strict, imports: &NoImports }
    }
}

/// The result of a validation: every finding, and the manifest when none of them is an error.
#[derive(Debug)]
pub struct Validation {
    /// Every finding, in the order of the text.
    pub findings: Vec<Finding>,
    /// The manifest; absent when it is rejected.
    pub manifest: Option<CheckedManifest>,
}

impl Validation {
    /// The number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Validates the bytes of a manifest: the only way from text to a [`CheckedManifest`].
///
/// ```
/// use actions_manifest::{Options, validate};
///
/// let text = br#"{ "protocol": "actions.json", "version": 1, "tools": [] }"#;
/// let validation = validate("actions.json", text, &Options::default());
/// assert!(validation.findings.is_empty());
/// assert!(validation.manifest.is_some());
/// ```
pub fn validate(name: &str, bytes: &[u8], options: &Options<'_>) -> Validation {
    let mut report = Report::new(options.profile);
    let mut composition = compose::read(name, bytes, options.imports, &mut report);
    for part in composition.parts() {
        let Some(manifest) = part.manifest() else { continue };
        let view = View::of(part);
        let subject = Subject { document: part.document(), manifest, part, composition: &composition, view };
        rules::validate(&subject, &mut report);
    }
    if options.profile == Profile::Lenient {
        leave_out(&mut composition, &mut report);
    }
    let accepted = !report.has_errors();
    let manifest = accepted.then(|| CheckedManifest::new(composition)).flatten();
    Validation { findings: report.into_findings(&j008_too_many_findings::RULE), manifest }
}
