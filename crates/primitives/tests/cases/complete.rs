//! Checks that the cases cover every performed primitive and every error code it declares.

use std::collections::BTreeSet;
use std::path::PathBuf;

use actions_protocol::ErrorCode;

use crate::case::{fixtures, folders, read_all};
use crate::common::COMMON;

/// Codes that only the engine returns, because primitives know no callers, policies, origins or recordings.
const ENGINE_CODES: [ErrorCode; 4] =
    [ErrorCode::Cancelled, ErrorCode::PermissionDenied, ErrorCode::UnsafeState, ErrorCode::ReplayMiss];

#[test]
fn the_families_of_the_table_are_those_of_its_primitives() {
    let families: BTreeSet<&str> = crate::FAMILIES.iter().copied().collect();
    let performed: BTreeSet<String> =
        folders().map(|(_, folder)| folder.split('/').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(families, performed.iter().map(String::as_str).collect());
}

#[test]
fn every_folder_of_cases_belongs_to_a_performed_primitive() {
    let performed: BTreeSet<PathBuf> = folders().map(|(_, folder)| fixtures().join(folder)).collect();
    let mut open = vec![fixtures()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the fixtures can be listed") {
            let path = entry.expect("the fixtures can be listed").path();
            if path.is_dir() {
                open.push(path);
            } else if path.ends_with("cases.json") {
                assert!(performed.contains(&folder), "no row in the table for {}", folder.display());
            }
        }
    }
}

#[test]
fn every_declared_code_has_a_case() {
    let mut missing = Vec::new();
    for cases in read_all() {
        let own: BTreeSet<ErrorCode> = cases.file.cases.iter().filter_map(|case| case.error).collect();
        for declared in &cases.primitive.errors {
            let code = declared.code;
            let covered = own.contains(&code)
                || ENGINE_CODES.contains(&code)
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
fn every_primitive_has_a_successful_first_case_and_invalid_arguments() {
    for cases in read_all() {
        assert!(
            cases.file.cases.first().is_some_and(|case| case.error.is_none()),
            "{}",
            cases.primitive.name
        );
        assert!(!cases.file.invalid.is_empty(), "{} has no invalid arguments", cases.primitive.name);
    }
}
