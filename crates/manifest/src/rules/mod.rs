//! The rules that are looked at once a map has been read, one file each.
//!
//! The leading comment of a rule is its story, as `actions explain CODE` prints it. To add a rule, write its file, a
//! map in `fixtures/rules/CODE` that breaks it, and its name twice below.

mod a001_broad_selector;
mod a002_geometry_as_identity;
mod a003_missing_postcondition;
mod a004_self_skipping_mutation;
mod a005_null_comparison;
mod a006_ambient_text;
mod a007_optional_precondition;
mod a008_fallbacks_share_a_scope;
mod a009_open_input;
mod a010_retry_of_nothing;
mod c006_import_gave_way;
mod e004_unknown_name;
mod e005_undeclared_input;
mod e006_unknown_output;
mod e007_constant_condition;
mod l001_invalid_css;
mod l002_invalid_xpath;
mod l003_says_nothing;
mod l004_invalid_pattern;
mod n002_name_collision;
mod p002_selector_or_xpath;
mod p003_one_value;
mod p004_duplicate_extract;
mod p005_duplicate_summary;
mod p006_summary_over_budget;
mod p007_marker;
mod p008_postcondition;
mod p009_unknown_record;
mod p010_state_without_schema;
mod p011_required_with_default;
mod p012_ready_one_condition;
mod r001_unknown_state;
mod r002_unknown_tool;
mod r003_unknown_signal;
mod r004_unknown_attachment;
mod r005_unknown_projection;
mod r006_unknown_target;
mod t001_tool_not_executable;
mod t003_invalid_json_schema;
mod t004_schema_reference;
mod t005_default_does_not_fit;
mod t006_unknown_capability;
mod t007_two_result_schemas;
mod t008_binding_without_handler;
mod t009_impossible_input;
mod t010_input_is_an_object;
mod t011_draft_step_incomplete;
mod t012_schema_too_complex;
mod w003_unknown_primitive;
mod w004_arguments_do_not_fit;
mod w005_bounded_loop;
mod w006_bounded_retry;
mod w007_loop_or_retry;
mod w008_after_each_changes;
mod w012_unknown_step;
mod w013_later_step;
mod w014_own_output;
mod w015_too_many_steps;
mod w016_duplicate_step;
mod w017_item_outside_loop;
mod w019_debug_primitive;
mod w020_privileged_import;
mod w021_nested_call;
mod w022_nested_arguments;
mod x003_signal_without_event;
mod x004_file_escapes;
mod x005_private_data;
mod x006_check_asserts_nothing;
mod x007_origin;
mod x008_login_state;

use std::sync::LazyLock;

use crate::finding::Report;
use crate::reading;
use crate::rule::Rule;
use crate::view::Subject;

/// Reports every breach of one rule in a map.
type Validate = fn(&Subject<'_>, &mut Report);

macro_rules! table {
    ($($module:ident,)*) => {
        /// The rules of this folder, by code.
        static TABLE: &[(&Rule, Validate)] = &[$((&$module::RULE, $module::validate)),*];
    };
}

table! {
    a001_broad_selector,
    a002_geometry_as_identity,
    a003_missing_postcondition,
    a004_self_skipping_mutation,
    a005_null_comparison,
    a006_ambient_text,
    a007_optional_precondition,
    a008_fallbacks_share_a_scope,
    a009_open_input,
    a010_retry_of_nothing,
    c006_import_gave_way,
    e004_unknown_name,
    e005_undeclared_input,
    e006_unknown_output,
    e007_constant_condition,
    l001_invalid_css,
    l002_invalid_xpath,
    l003_says_nothing,
    l004_invalid_pattern,
    n002_name_collision,
    p002_selector_or_xpath,
    p003_one_value,
    p004_duplicate_extract,
    p005_duplicate_summary,
    p006_summary_over_budget,
    p007_marker,
    p008_postcondition,
    p009_unknown_record,
    p010_state_without_schema,
    p011_required_with_default,
    p012_ready_one_condition,
    r001_unknown_state,
    r002_unknown_tool,
    r003_unknown_signal,
    r004_unknown_attachment,
    r005_unknown_projection,
    r006_unknown_target,
    t001_tool_not_executable,
    t003_invalid_json_schema,
    t004_schema_reference,
    t005_default_does_not_fit,
    t006_unknown_capability,
    t007_two_result_schemas,
    t008_binding_without_handler,
    t009_impossible_input,
    t010_input_is_an_object,
    t011_draft_step_incomplete,
    t012_schema_too_complex,
    w003_unknown_primitive,
    w004_arguments_do_not_fit,
    w005_bounded_loop,
    w006_bounded_retry,
    w007_loop_or_retry,
    w008_after_each_changes,
    w012_unknown_step,
    w013_later_step,
    w014_own_output,
    w015_too_many_steps,
    w016_duplicate_step,
    w017_item_outside_loop,
    w019_debug_primitive,
    w020_privileged_import,
    w021_nested_call,
    w022_nested_arguments,
    x003_signal_without_event,
    x004_file_escapes,
    x005_private_data,
    x006_check_asserts_nothing,
    x007_origin,
    x008_login_state,
}

/// Every rule, by code.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut rules: Vec<&Rule> = reading::RULES.to_vec();
    rules.extend(TABLE.iter().map(|(rule, _)| rule));
    rules.sort_by_key(|rule| rule.code);
    rules
});

/// The rule of this code, in either case.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code))
}

/// Applies every rule of this folder to a map.
pub(crate) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for (_, validate) in TABLE {
        validate(subject, report);
    }
}
