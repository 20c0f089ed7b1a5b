//! The rules of an `agent.json` of AWP, one file each. The leading comment of a rule is its story, as `actions explain CODE` prints it.

pub(crate) mod awp001_missing_member;
pub(crate) mod awp002_wrong_type;
pub(crate) mod awp003_action_without_id;
pub(crate) mod awp004_nowhere_to_call;
pub(crate) mod awp005_duplicate_id;
pub(crate) mod awp006_undeclared_protocol;
pub(crate) mod awp007_protocol_without_version;
pub(crate) mod awp008_unusual_word;
pub(crate) mod awp009_incomplete_action;
pub(crate) mod awp010_unknown_type;
pub(crate) mod awp011_unknown_version;
pub(crate) mod awp012_odd_domain;
pub(crate) mod awp013_foreign_endpoint;
pub(crate) mod awp014_unknown_action;
pub(crate) mod awp015_vague_recovery;
pub(crate) mod awp016_unreadable_limit;
pub(crate) mod awp017_synthetic;
pub(crate) mod awp018_too_many_actions;

use actions_manifest::Rule;

/// The rules of this folder, by code.
pub static RULES: &[&Rule] = &[
    &awp001_missing_member::RULE,
    &awp002_wrong_type::RULE,
    &awp003_action_without_id::RULE,
    &awp004_nowhere_to_call::RULE,
    &awp005_duplicate_id::RULE,
    &awp006_undeclared_protocol::RULE,
    &awp007_protocol_without_version::RULE,
    &awp008_unusual_word::RULE,
    &awp009_incomplete_action::RULE,
    &awp010_unknown_type::RULE,
    &awp011_unknown_version::RULE,
    &awp012_odd_domain::RULE,
    &awp013_foreign_endpoint::RULE,
    &awp014_unknown_action::RULE,
    &awp015_vague_recovery::RULE,
    &awp016_unreadable_limit::RULE,
    &awp017_synthetic::RULE,
    &awp018_too_many_actions::RULE,
];
