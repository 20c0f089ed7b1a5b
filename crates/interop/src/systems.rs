//! The systems whose documents can be validated: one row each.

use actions_manifest::{Finding, Profile, Rule};

use crate::classify::System;
use crate::{a2wf, awas, awp, wab};

/// How the documents of a system are validated.
pub struct Validator {
    /// The system.
    pub system: System,
    /// Reports everything that is wrong with a document. The name is a path or an address, for people.
    pub validate: fn(name: &str, bytes: &[u8], options: ValidateOptions) -> Vec<Finding>,
    /// The rules that it checks, with their stories.
    pub rules: &'static [&'static Rule],
}

/// How a document is validated.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValidateOptions {
    /// Whether mistakes that are common in published documents are warnings.
    pub lenient: bool,
    /// Whether the draft of A2WF 1.1 is read.
    pub draft_a2wf_1_1: bool,
    /// The time in milliseconds since the Unix epoch, to say what has expired.
    pub now: Option<u64>,
}

impl ValidateOptions {
    /// How strictly a document is read.
    fn profile(self) -> Profile {
        if self.lenient { Profile::Lenient } else { Profile::Strict }
    }
}

impl std::fmt::Debug for Validator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").field("system", &self.system).finish_non_exhaustive()
    }
}

/// Every system whose documents can be validated, apart from maps of ours.
pub static VALIDATORS: &[Validator] = &[
    Validator {
        system: System::A2wf,
        validate: |name, bytes, options| {
            let options = a2wf::ReadOptions { draft_1_1: options.draft_a2wf_1_1, now: options.now };
            a2wf::read(name, bytes, options).findings
        },
        rules: a2wf::RULES,
    },
    Validator {
        system: System::Awas,
        validate: |name, bytes, options| awas::check(name, bytes, options.profile()).1,
        rules: awas::rules::RULES,
    },
    Validator {
        system: System::Awp,
        validate: |name, bytes, options| awp::check(name, bytes, options.profile()).1,
        rules: awp::rules::RULES,
    },
    Validator {
        system: System::Wab,
        validate: |name, bytes, options| wab::check(name, bytes, options.profile()).1,
        rules: wab::rules::RULES,
    },
];

/// The validator of a system.
pub fn validator(system: System) -> Option<&'static Validator> {
    VALIDATORS.iter().find(|validator| validator.system == system)
}

/// The rule of a code, of any system.
pub fn rule(code: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// Every rule of every system.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    VALIDATORS.iter().flat_map(|validator| validator.rules.iter().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_of_all_systems_differ_and_every_rule_has_a_story() {
        let mut seen = BTreeSet::new();
        for rule in rules() {
            assert!(seen.insert(rule.code), "{} stands twice", rule.code);
            assert!(rule.story().len() > rule.title().len() + 40, "{} needs a story", rule.code);
            assert!(rule.title().ends_with('.'), "{}: {}", rule.code, rule.title());
        }
        assert!(seen.len() >= 18);
    }
}
