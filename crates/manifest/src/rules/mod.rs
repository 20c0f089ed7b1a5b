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
    a001_broad_selector
    a002_geometry_as_identity
    a003_missing_postcondition
    a004_self_skipping_mutation
    a005_null_comparison
    a006_ambient_text
    a007_optional_precondition
    a008_fallbacks_share_a_scope
    a009_open_input
    a010_retry_of_nothing
    c001_import_not_loaded
    c002_import_cycle
    c003_imports_too_deep
    c004_import_without_namespace
    c005_network_import
    c006_import_gave_way
    e001_partial_slot
    e002_invalid_expression
    e003_disallowed_function
    e004_unknown_name
    e005_undeclared_input
    e006_unknown_output
    e007_constant_condition
    j001_not_json
    j002_duplicate_key
    j003_not_utf8
    j004_byte_order_mark
    j005_file_too_large
    j006_nested_too_deep
    j007_root_not_object
    l001_invalid_css
    l002_invalid_xpath
    l003_says_nothing
    m001_protocol
    m002_version
    m003_tools
    m004_legacy_shape
    n001_unsafe_identifier
    n002_name_collision
    p001_snapshot_version
    p002_selector_or_xpath
    p003_one_value
    p004_duplicate_extract
    p005_duplicate_summary
    p006_summary_over_budget
    p007_marker
    p008_postcondition
    p009_unknown_record
    p010_state_without_schema
    p011_required_with_default
    r001_unknown_state
    r002_unknown_tool
    r003_unknown_signal
    r004_unknown_attachment
    r005_unknown_projection
    r006_unknown_target
    s001_missing_key
    s002_wrong_type
    s003_unknown_key
    s004_unknown_word
    s005_out_of_bounds
    s006_empty_text
    t001_tool_not_executable
    t002_schema_not_object
    t003_invalid_json_schema
    t004_schema_reference
    t005_default_does_not_fit
    t006_unknown_capability
    t007_two_result_schemas
    t008_binding_without_handler
    t009_impossible_input
    t010_input_is_an_object
    t011_draft_step_incomplete
    w001_workflow_version
    w002_expression_language
    w003_unknown_primitive
    w004_arguments_do_not_fit
    w005_bounded_loop
    w006_bounded_retry
    w007_loop_or_retry
    w008_after_each_changes
    w009_settle_one_wait
    w010_unknown_field
    w011_condition_not_a_slot
    w012_unknown_step
    w013_later_step
    w014_own_output
    w015_too_many_steps
    w016_duplicate_step
    w017_item_outside_loop
    w018_not_performed
    w019_debug_primitive
    w020_privileged_import
    w021_nested_call
    w022_nested_arguments
    x001_attachment_without_target
    x002_attachment_without_lifecycle
    x003_signal_without_event
    x004_file_escapes
    x005_private_data
    x006_check_asserts_nothing
    x007_origin
}

/// The rule of this code, in either case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code))
}
