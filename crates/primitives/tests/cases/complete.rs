//! Nothing that is promised is left without a case.

use std::collections::BTreeSet;

use actions_protocol::ErrorCode;

use crate::case::{folders, read_all};
use crate::common::COMMON;

/// Codes the engine gives around a primitive: it alone knows of callers, policies, origins and recordings.
const OF_THE_ENGINE: [ErrorCode; 4] =
    [ErrorCode::Cancelled, ErrorCode::PermissionDenied, ErrorCode::UnsafeState, ErrorCode::ReplayMiss];

#[test]
fn every_family_is_tested() {
    let tested: BTreeSet<&str> = crate::FAMILIES.iter().copied().collect();
    let known: BTreeSet<String> =
        folders().map(|(_, folder)| folder.split('/').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(tested, known.iter().map(String::as_str).collect());
}

#[test]
fn every_declared_code_has_a_case() {
    let mut missing = Vec::new();
    for cases in read_all() {
        let own: BTreeSet<ErrorCode> = cases.file.cases.iter().filter_map(|case| case.error).collect();
        for declared in &cases.primitive.errors {
            let code = declared.code;
            let covered = own.contains(&code)
                || OF_THE_ENGINE.contains(&code)
                || COMMON.iter().any(|(common, _)| *common == code)
                || code == ErrorCode::InvalidInput;
            if !covered {
                missing.push(format!("{} {code}", cases.primitive.name));
            }
        }
    }
    assert!(missing.is_empty(), "no case for:\n{}", missing.join("\n"));
}

#[test]
fn every_primitive_has_a_success_first_and_arguments_that_do_not_fit() {
    for cases in read_all() {
        assert!(
            cases.file.cases.first().is_some_and(|case| case.error.is_none()),
            "{}",
            cases.primitive.name
        );
        assert!(!cases.file.invalid.is_empty(), "{} has no invalid arguments", cases.primitive.name);
    }
}
