use crate::compose::{Composition, Part};
use crate::document::Document;
use crate::finding::{Finding, Profile, Report, Severity};
use crate::load::{Load, NoImports};
use crate::model::Manifest;
use crate::rules::RULES;
use crate::view::View;
use crate::{CheckedManifest, compose};

/// How a manifest is checked.
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

/// What came of checking: every finding, and the manifest when none of them is an error.
#[derive(Debug)]
pub struct Checked {
    /// Every finding, in the order of the text.
    pub findings: Vec<Finding>,
    /// The manifest; absent when it is rejected.
    pub manifest: Option<CheckedManifest>,
}

impl Checked {
    /// The number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// One map as the rules see it.
pub(crate) struct Subject<'a> {
    /// The text with positions.
    pub(crate) document: &'a Document,
    /// The typed model; elements that could not be read are left out of it.
    pub(crate) manifest: &'a Manifest,
    /// The map among those it is composed with.
    pub(crate) part: &'a Part,
    /// All maps that are composed, this one and its imports included.
    pub(crate) composition: &'a Composition,
    /// What several rules look at.
    pub(crate) view: View<'a>,
}

/// Checks the bytes of a manifest: the only way from text to a [`CheckedManifest`].
///
/// ```
/// use actions_manifest::{check, Options};
///
/// let text = br#"{ "protocol": "actions.json", "version": 1, "tools": [] }"#;
/// let checked = check("actions.json", text, &Options::default());
/// assert!(checked.findings.is_empty());
/// assert!(checked.manifest.is_some());
/// ```
pub fn check(name: &str, bytes: &[u8], options: &Options<'_>) -> Checked {
    let mut report = Report::new(options.profile);
    let composition = compose::read(name, bytes, options.imports, &mut report);
    for part in composition.parts() {
        let Some(manifest) = part.manifest() else { continue };
        let view = View::of(part);
        let subject = Subject { document: part.document(), manifest, part, composition: &composition, view };
        for check in RULES.iter().filter_map(|rule| rule.check) {
            check(&subject, &mut report);
        }
    }
    let accepted = !report.has_errors();
    let manifest = accepted.then(|| CheckedManifest::new(composition)).flatten();
    Checked { findings: report.into_findings(), manifest }
}
