//! A rule of the validator: its code, its severity and its story.

/// How much a breach of a rule matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The manifest is rejected.
    Error,
    /// The manifest is accepted, but this is most likely wrong.
    Warning,
    /// The manifest is fine; this would make it better.
    Advice,
}

impl Severity {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Advice => "advice",
        }
    }
}

/// A rule of the validator: a code for ever, a severity, and its story.
pub struct Rule {
    /// The code, such as `W009`. It never changes its meaning.
    pub code: &'static str,
    /// How much a breach matters under the strict profile.
    pub severity: Severity,
    /// The text of the rule's own file; its leading comment is the story.
    file: &'static str,
    /// Whether the JSON Schema for editors refuses a breach as well.
    shape: bool,
}

impl Rule {
    /// A rule whose breach rejects the document. `file` is the text of its own file.
    pub const fn error(code: &'static str, file: &'static str) -> Self {
        Self { code, severity: Severity::Error, file, shape: false }
    }

    /// A rule whose breach is most likely a mistake.
    pub const fn warning(code: &'static str, file: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, file) }
    }

    /// A rule whose breach could be better.
    pub const fn advice(code: &'static str, file: &'static str) -> Self {
        Self { severity: Severity::Advice, ..Self::error(code, file) }
    }

    /// Is refused by the JSON Schema for editors too.
    pub(crate) const fn shape(self) -> Self {
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
