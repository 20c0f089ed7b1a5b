//! The rules of `actions validate --as a2wf`. A rule is a file; its leading comment is its story.

pub(crate) mod a2wf001_missing_member;
pub(crate) mod a2wf002_unsupported_version;
pub(crate) mod a2wf003_wrong_type;
pub(crate) mod a2wf004_domain_not_an_address;
pub(crate) mod a2wf005_not_a_language;
pub(crate) mod a2wf006_unknown_word;
pub(crate) mod a2wf007_not_a_count;
pub(crate) mod a2wf008_unknown_permission;
pub(crate) mod a2wf009_unknown_verification;
pub(crate) mod a2wf010_verification_not_listed;
pub(crate) mod a2wf011_schema_at_top;
pub(crate) mod a2wf012_unknown_member;
pub(crate) mod a2wf013_other_context;
pub(crate) mod a2wf014_no_date;
pub(crate) mod a2wf015_search_without_permission;
pub(crate) mod a2wf016_relative_address;
pub(crate) mod a2wf017_not_a_date;
pub(crate) mod a2wf018_expired;

use actions_manifest::Rule;

/// Every rule, by code.
pub static RULES: &[&Rule] = &[
    &a2wf001_missing_member::RULE,
    &a2wf002_unsupported_version::RULE,
    &a2wf003_wrong_type::RULE,
    &a2wf004_domain_not_an_address::RULE,
    &a2wf005_not_a_language::RULE,
    &a2wf006_unknown_word::RULE,
    &a2wf007_not_a_count::RULE,
    &a2wf008_unknown_permission::RULE,
    &a2wf009_unknown_verification::RULE,
    &a2wf010_verification_not_listed::RULE,
    &a2wf011_schema_at_top::RULE,
    &a2wf012_unknown_member::RULE,
    &a2wf013_other_context::RULE,
    &a2wf014_no_date::RULE,
    &a2wf015_search_without_permission::RULE,
    &a2wf016_relative_address::RULE,
    &a2wf017_not_a_date::RULE,
    &a2wf018_expired::RULE,
];
