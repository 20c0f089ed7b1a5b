//! The rules, one file each. A rule's leading comment is its story, as `actions explain CODE` prints it.

mod rule;

pub use rule::Rule;

macro_rules! rules {
    ($($module:ident)*) => {
        $(pub(crate) mod $module;)*

        /// Every rule, by code.
        pub static RULES: &[&Rule] = &[$(&$module::RULE),*];
    };
}

rules! {
    c001_import_not_loaded
    c002_import_cycle
    c003_imports_too_deep
    c004_import_without_namespace
    c005_network_import
    c006_import_gave_way
    e001_partial_slot
    e002_invalid_expression
    e003_disallowed_function
    j001_not_json
    j002_duplicate_key
    j003_not_utf8
    j004_byte_order_mark
    j005_file_too_large
    j006_nested_too_deep
    j007_root_not_object
    m001_protocol
    m002_version
    m003_tools
    m004_legacy_shape
    n001_unsafe_identifier
    n002_name_collision
    p001_snapshot_version
    s001_missing_key
    s002_wrong_type
    s003_unknown_key
    s004_unknown_word
    s005_out_of_bounds
    s006_empty_text
    t002_schema_not_object
    w001_workflow_version
    w002_expression_language
    w009_settle_one_wait
    w010_unknown_field
    w011_condition_not_a_slot
    x001_attachment_without_target
    x002_attachment_without_lifecycle
}

/// The rule of this code, in either case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code))
}
