use crate::check::Subject;
use crate::finding::{Report, Severity};

/// A rule of the validator: a code for ever, a severity, and its story.
pub struct Rule {
    /// The code, such as `W009`. It never changes its meaning.
    pub code: &'static str,
    /// How much a breach matters under the strict profile.
    pub severity: Severity,
    /// The text of the rule's own file; its leading comment is the story.
    file: &'static str,
    /// What the rule looks at once the manifest has been read; rules without it speak while reading.
    pub(crate) check: Option<fn(&Subject<'_>, &mut Report)>,
    /// Whether the JSON Schema for editors refuses a breach as well.
    shape: bool,
}

impl Rule {
    pub(super) const fn error(code: &'static str, file: &'static str) -> Self {
        Self { code, severity: Severity::Error, file, check: None, shape: false }
    }

    pub(super) const fn warning(code: &'static str, file: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, file) }
    }

    pub(super) const fn advice(code: &'static str, file: &'static str) -> Self {
        Self { severity: Severity::Advice, ..Self::error(code, file) }
    }

    /// Looks at the manifest once it has been read.
    pub(super) const fn checks(self, check: fn(&Subject<'_>, &mut Report)) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Is refused by the JSON Schema for editors too.
    pub(super) const fn shape(self) -> Self {
        Self { shape: true, ..self }
    }

    /// Whether the JSON Schema for editors refuses a breach as well.
    pub fn is_shape(&self) -> bool {
        self.shape
    }

    /// What the rule wants in one sentence.
    pub fn title(&self) -> &'static str {
        self.file.lines().next().and_then(|line| line.strip_prefix("//! ")).unwrap_or(self.code)
    }

    /// The whole story: what, why, an example, and what to write instead.
    ///
    /// ```
    /// let rule = actions_manifest::rule("W009").expect("a rule");
    /// assert!(rule.story().contains("settle_after"));
    /// ```
    pub fn story(&self) -> String {
        let lines = self.file.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule").field("code", &self.code).field("severity", &self.severity).finish()
    }
}
