//! The rules of an AWAS manifest, one file each. The leading comment of a rule is its story, as `actions explain CODE` prints it.

pub(crate) mod awas001_missing_member;
pub(crate) mod awas002_wrong_type;
pub(crate) mod awas003_duplicate_id;
pub(crate) mod awas004_invalid_selector;
pub(crate) mod awas005_invalid_address;
pub(crate) mod awas006_unreadable_limit;
pub(crate) mod awas007_empty_enum;
pub(crate) mod awas008_unknown_word;
pub(crate) mod awas009_alias;
pub(crate) mod awas010_unknown_dialect;
pub(crate) mod awas011_action_left_out;
pub(crate) mod awas012_no_description;
pub(crate) mod awas013_doubtful_effect;
pub(crate) mod awas014_too_many_actions;
pub(crate) mod awas015_odd_id;
pub(crate) mod awas016_null_default;
pub(crate) mod awas017_too_large;

use actions_manifest::Rule;

/// The rules of this folder, by code.
pub static RULES: &[&Rule] = &[
    &awas001_missing_member::RULE,
    &awas002_wrong_type::RULE,
    &awas003_duplicate_id::RULE,
    &awas004_invalid_selector::RULE,
    &awas005_invalid_address::RULE,
    &awas006_unreadable_limit::RULE,
    &awas007_empty_enum::RULE,
    &awas008_unknown_word::RULE,
    &awas009_alias::RULE,
    &awas010_unknown_dialect::RULE,
    &awas011_action_left_out::RULE,
    &awas012_no_description::RULE,
    &awas013_doubtful_effect::RULE,
    &awas014_too_many_actions::RULE,
    &awas015_odd_id::RULE,
    &awas016_null_default::RULE,
    &awas017_too_large::RULE,
];
