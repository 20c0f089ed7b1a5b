//! Findings about a map, and the report that collects them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::document::{NodeId, Position, Source, Span, Spot};
use crate::rule::{Rule, Severity};
use crate::slot::Slot;

/// How strictly a manifest is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Every rejection rule of the format is an error.
    #[default]
    Strict,
    /// What published maps commonly get wrong is a warning.
    Lenient,
}

/// A second place that a finding points at.
#[derive(Clone, Debug)]
pub struct Related {
    /// The text the place is in.
    pub source: Arc<Source>,
    /// The bytes of the place.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong, or could be better, in a manifest.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// How much it matters, under the profile in force.
    pub severity: Severity,
    /// The text the place is in.
    pub source: Arc<Source>,
    /// The JSON pointer of the place.
    pub pointer: String,
    /// The bytes of the place.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that explain the finding.
    pub related: Vec<Related>,
    /// Whether the lenient profile leaves the part out that the finding names.
    pub left_out: bool,
}

impl Finding {
    /// The line and column where the place begins.
    pub fn position(&self) -> Position {
        self.source.position(self.span.start)
    }
}

/// Collects findings about a document.
///
/// The validator of maps uses it, and so do readers of other documents that want the same findings.
///
/// ```
/// use actions_manifest::{Profile, Report, Rule, read_document};
///
/// static NAMED: Rule = Rule::error("X999", "//! A person has a name.");
///
/// let mut report = Report::new(Profile::Strict);
/// let document = read_document("person.json", br#"{ "age": 36 }"#, &mut report).expect("JSON");
/// if document.root().get("name").is_none() {
///     report.find(&NAMED, document.root(), "the person has no name").help("add `name`");
/// }
/// let findings = report.into_list();
/// assert_eq!(findings[0].rule.code, "X999");
/// assert_eq!(findings[0].position().line, 1);
/// ```
#[derive(Debug)]
pub struct Report {
    profile: Profile,
    findings: Vec<Finding>,
    slots: Slots,
    /// The length of all pointers and messages.
    text: usize,
    /// How many findings are not kept.
    left_over: usize,
    /// The last of those.
    last_left_over: Option<Finding>,
}

/// Only so many findings are kept. A megabyte of text can have half a million mistakes.
const MOST_FINDINGS: usize = 20_000;

/// When the pointers and messages are longer than this, further findings are reported at the root, in the words of their
/// rule: a key of half a megabyte with thousands of mistakes in it would fill the memory.
const MOST_TEXT: usize = 32 << 20;

/// The compiled slots of one document by the string they stand in, those of elements the model leaves out included.
pub(crate) type Slots = HashMap<NodeId, Slot>;

impl Report {
    /// An empty report under a profile.
    pub fn new(profile: Profile) -> Self {
        let (findings, slots) = (Vec::new(), Slots::new());
        Self { profile, findings, slots, text: 0, left_over: 0, last_left_over: None }
    }

    /// Keeps a slot for the rules: it compiled, even if what it stands in is broken elsewhere.
    pub(crate) fn keep_slot(&mut self, slot: Slot) {
        self.slots.insert(slot.at, slot);
    }

    /// Hands over the slots of the document that has just been read.
    pub(crate) fn take_slots(&mut self) -> Slots {
        std::mem::take(&mut self.slots)
    }

    /// Adds a finding at a place of a document.
    pub fn find<'d>(
        &mut self,
        rule: &'static Rule,
        spot: impl Into<Spot<'d>>,
        message: impl Into<String>,
    ) -> Draft<'_> {
        let spot = spot.into();
        let pointer = if self.text > MOST_TEXT { String::new() } else { spot.node().pointer() };
        self.find_in(rule, spot.node().source_arc(), pointer, spot.span(), message)
    }

    /// Adds a finding at a place of a text that may not even be JSON.
    pub(crate) fn find_in(
        &mut self,
        rule: &'static Rule,
        source: &Arc<Source>,
        pointer: String,
        span: Span,
        message: impl Into<String>,
    ) -> Draft<'_> {
        let profile = self.profile;
        let message = if self.text > MOST_TEXT { rule.title().to_owned() } else { message.into() };
        self.text += pointer.len() + message.len();
        let (severity, source) = (rule.severity, Arc::clone(source));
        let (help, related, left_out) = (None, Vec::new(), false);
        let finding = Finding { rule, severity, source, pointer, span, message, help, related, left_out };
        let finding = if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding);
            self.findings.last_mut().expect("a finding was pushed")
        } else {
            self.left_over += 1;
            self.last_left_over.insert(finding)
        };
        Draft { finding, profile }
    }

    /// Whether published maps are to be taken as they are.
    pub fn is_lenient(&self) -> bool {
        self.profile == Profile::Lenient
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub(crate) fn finding_mut(&mut self, number: usize) -> &mut Finding {
        &mut self.findings[number]
    }

    /// Takes back the findings of these numbers.
    pub(crate) fn remove(&mut self, numbers: &HashSet<usize>) {
        let mut number = 0..;
        self.findings.retain(|_| !numbers.contains(&number.next().expect("numbers never end")));
    }

    /// Whether the map is rejected. What is wrong with it is not known if findings were left over.
    pub fn has_errors(&self) -> bool {
        self.left_over > 0 || self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The findings in the order of the text, each place once per rule.
    pub fn into_list(self) -> Vec<Finding> {
        self.into_findings(&crate::reading::j008_too_many_findings::RULE)
    }

    /// The findings in the order of the text, each place once per rule. `too_many` says that some are not listed.
    pub(crate) fn into_findings(mut self, too_many: &'static Rule) -> Vec<Finding> {
        if let Some(last) = self.last_left_over.take() {
            let message = format!("{} more findings are not listed", self.left_over);
            self.findings.push(Finding {
                rule: too_many,
                severity: Severity::Error,
                message,
                help: Some("mend what is listed, then validate again".to_owned()),
                related: Vec::new(),
                ..last
            });
        }
        self.findings.sort_by(|a, b| {
            (a.source.name(), a.span.start, a.severity, a.rule.code).cmp(&(
                b.source.name(),
                b.span.start,
                b.severity,
                b.rule.code,
            ))
        });
        self.findings.dedup_by(|a, b| {
            a.rule.code == b.rule.code
                && a.span == b.span
                && a.message == b.message
                && a.source.name() == b.source.name()
        });
        self.findings
    }
}

/// A finding that is still being worded.
pub struct Draft<'r> {
    finding: &'r mut Finding,
    profile: Profile,
}

impl Draft<'_> {
    /// Adds a hint: what to do about it.
    pub fn help(self, help: impl Into<String>) -> Self {
        self.finding.help = Some(help.into());
        self
    }

    /// Adds the hint if there is one.
    pub fn maybe_help(self, help: Option<String>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Points at a second place.
    pub fn related<'d>(self, spot: impl Into<Spot<'d>>, message: impl Into<String>) -> Self {
        let spot = spot.into();
        let source = Arc::clone(spot.node().source_arc());
        self.finding.related.push(Related { source, span: spot.span(), message: message.into() });
        self
    }

    /// Points at a second place given by its bytes in the same text.
    pub(crate) fn related_span(self, span: Span, message: impl Into<String>) -> Self {
        let source = Arc::clone(&self.finding.source);
        self.finding.related.push(Related { source, span, message: message.into() });
        self
    }

    /// Gives it another severity than its rule usually has.
    pub fn severity(self, severity: Severity) -> Self {
        self.finding.severity = severity;
        self
    }

    /// Makes it a warning in the lenient profile, because published maps do it.
    pub fn tolerated(self) -> Self {
        if self.profile == Profile::Lenient {
            self.finding.severity = self.finding.severity.max(Severity::Warning);
        }
        self
    }
}
