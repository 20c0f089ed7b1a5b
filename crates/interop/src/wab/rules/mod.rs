//! The rules of a discovery document of WAB, one file each. The leading comment of a rule is its story, as `actions explain CODE` prints it.

pub(crate) mod wab001_missing_member;
pub(crate) mod wab002_wrong_type;
pub(crate) mod wab003_unsupported_version;
pub(crate) mod wab004_unfit_name;
pub(crate) mod wab005_duplicate_command;
pub(crate) mod wab006_unknown_word;
pub(crate) mod wab007_not_a_country;
pub(crate) mod wab008_out_of_range;
pub(crate) mod wab009_no_transport;
pub(crate) mod wab010_transport_without_place;
pub(crate) mod wab011_not_an_address;
pub(crate) mod wab012_other_dialect;
pub(crate) mod wab013_needs_more;
pub(crate) mod wab014_not_described;
pub(crate) mod wab015_trust_envelope;
pub(crate) mod wab016_foreign_place;
pub(crate) mod wab017_too_many_commands;
pub(crate) mod wab018_unknown_permission;
pub(crate) mod wab019_insecure_place;

use actions_manifest::Rule;

/// The rules of this folder, by code.
pub static RULES: &[&Rule] = &[
    &wab001_missing_member::RULE,
    &wab002_wrong_type::RULE,
    &wab003_unsupported_version::RULE,
    &wab004_unfit_name::RULE,
    &wab005_duplicate_command::RULE,
    &wab006_unknown_word::RULE,
    &wab007_not_a_country::RULE,
    &wab008_out_of_range::RULE,
    &wab009_no_transport::RULE,
    &wab010_transport_without_place::RULE,
    &wab011_not_an_address::RULE,
    &wab012_other_dialect::RULE,
    &wab013_needs_more::RULE,
    &wab014_not_described::RULE,
    &wab015_trust_envelope::RULE,
    &wab016_foreign_place::RULE,
    &wab017_too_many_commands::RULE,
    &wab018_unknown_permission::RULE,
    &wab019_insecure_place::RULE,
];
