//! The rules that are broken while a map is read: the reader itself reports them, where it meets them.
//!
//! A rule is a file. Its leading comment is its story, as `actions explain CODE` prints it.

pub(crate) mod c001_import_not_loaded;
pub(crate) mod c002_import_cycle;
pub(crate) mod c003_imports_too_deep;
pub(crate) mod c004_import_without_namespace;
pub(crate) mod c005_network_import;
pub(crate) mod c007_import_outside;
pub(crate) mod c008_composition_too_large;
pub(crate) mod e001_partial_slot;
pub(crate) mod e002_invalid_expression;
pub(crate) mod e003_disallowed_function;
pub(crate) mod j001_not_json;
pub(crate) mod j002_duplicate_key;
pub(crate) mod j003_not_utf8;
pub(crate) mod j004_byte_order_mark;
pub(crate) mod j005_file_too_large;
pub(crate) mod j006_nested_too_deep;
pub(crate) mod j007_root_not_object;
pub(crate) mod j008_too_many_findings;
pub(crate) mod m001_protocol;
pub(crate) mod m002_version;
pub(crate) mod m003_tools;
pub(crate) mod m004_legacy_shape;
pub(crate) mod n001_unsafe_identifier;
pub(crate) mod p001_snapshot_version;
pub(crate) mod s001_missing_key;
pub(crate) mod s002_wrong_type;
pub(crate) mod s003_unknown_key;
pub(crate) mod s004_unknown_word;
pub(crate) mod s005_out_of_bounds;
pub(crate) mod s006_empty_text;
pub(crate) mod t002_schema_not_object;
pub(crate) mod w001_workflow_version;
pub(crate) mod w002_expression_language;
pub(crate) mod w009_settle_one_wait;
pub(crate) mod w010_unknown_field;
pub(crate) mod w011_condition_not_a_slot;
pub(crate) mod x001_attachment_without_target;
pub(crate) mod x002_attachment_without_lifecycle;

use crate::rule::Rule;

/// The rules of this folder, by code.
pub(crate) static RULES: &[&Rule] = &[
    &c001_import_not_loaded::RULE,
    &c002_import_cycle::RULE,
    &c003_imports_too_deep::RULE,
    &c004_import_without_namespace::RULE,
    &c005_network_import::RULE,
    &c007_import_outside::RULE,
    &c008_composition_too_large::RULE,
    &e001_partial_slot::RULE,
    &e002_invalid_expression::RULE,
    &e003_disallowed_function::RULE,
    &j001_not_json::RULE,
    &j002_duplicate_key::RULE,
    &j003_not_utf8::RULE,
    &j004_byte_order_mark::RULE,
    &j005_file_too_large::RULE,
    &j006_nested_too_deep::RULE,
    &j007_root_not_object::RULE,
    &j008_too_many_findings::RULE,
    &m001_protocol::RULE,
    &m002_version::RULE,
    &m003_tools::RULE,
    &m004_legacy_shape::RULE,
    &n001_unsafe_identifier::RULE,
    &p001_snapshot_version::RULE,
    &s001_missing_key::RULE,
    &s002_wrong_type::RULE,
    &s003_unknown_key::RULE,
    &s004_unknown_word::RULE,
    &s005_out_of_bounds::RULE,
    &s006_empty_text::RULE,
    &t002_schema_not_object::RULE,
    &w001_workflow_version::RULE,
    &w002_expression_language::RULE,
    &w009_settle_one_wait::RULE,
    &w010_unknown_field::RULE,
    &w011_condition_not_a_slot::RULE,
    &x001_attachment_without_target::RULE,
    &x002_attachment_without_lifecycle::RULE,
];
