//! What the caller of a tool has agreed to in advance.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Confirm;
use crate::plan::ConfirmNeed;

/// What the caller of a tool has agreed to in advance, and who is asked about the rest.
///
/// ```
/// use actions_engine::Consent;
///
/// let consent = Consent::default().agreeing(true).confirming(["flights.book".to_owned()]);
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Consent {
    /// Whether the caller agrees to every tool for which a person's yes is only recommended.
    pub agrees: bool,
    /// The tools that a person has agreed to by name.
    pub tools: BTreeSet<String>,
    /// Whether tools are called that their site says do not work well.
    pub accepts_degraded: bool,
    /// Who is asked about a tool that needs a yes and has none.
    pub ask: Option<Arc<dyn Confirm>>,
}

impl Consent {
    /// Agrees to every tool for which a person's yes is only recommended.
    #[must_use]
    pub fn agreeing(mut self, agrees: bool) -> Self {
        self.agrees = agrees;
        self
    }

    /// Agrees to these tools by name.
    #[must_use]
    pub fn confirming(mut self, tools: impl IntoIterator<Item = String>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Accepts tools that their site says do not work well.
    #[must_use]
    pub fn accepting_degraded(mut self, accepts: bool) -> Self {
        self.accepts_degraded = accepts;
        self
    }

    /// Sets who is asked about a tool that needs a yes and has none.
    #[must_use]
    pub fn asking(mut self, ask: impl Confirm + 'static) -> Self {
        self.ask = Some(Arc::new(ask));
        self
    }

    /// Whether nobody has to be asked about a tool.
    pub(crate) fn covers(&self, tool: &str, need: ConfirmNeed) -> bool {
        match need {
            ConfirmNeed::Never => true,
            ConfirmNeed::Recommended => self.agrees || self.tools.contains(tool),
            ConfirmNeed::Mandatory => self.tools.contains(tool),
        }
    }
}

impl std::fmt::Debug for Consent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Consent")
            .field("agrees", &self.agrees)
            .field("tools", &self.tools)
            .field("accepts_degraded", &self.accepts_degraded)
            .field("ask", &self.ask.is_some())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_general_yes_does_not_stand_for_a_yes_to_one_tool() {
        let general = Consent::default().agreeing(true);
        assert!(
            general.covers("book", ConfirmNeed::Recommended)
                && !general.covers("book", ConfirmNeed::Mandatory)
        );
        let named = Consent::default().confirming(["book".to_owned()]);
        assert!(
            named.covers("book", ConfirmNeed::Mandatory) && !named.covers("pay", ConfirmNeed::Recommended)
        );
        assert!(Consent::default().covers("read", ConfirmNeed::Never));
    }
}
