//! What to do next, in the words of the command line.

use actions_engine::{CallError, FailureClass};
use actions_protocol::ErrorCode;

/// What must be true of a failure for a hint to be of use.
enum When {
    Always,
    Unchanged,
    /// There is evidence of this name.
    Seen(&'static str),
    /// The evidence of this name says this.
    SeenAs(&'static str, &'static str),
}

use When::{Always, Seen, SeenAs, Unchanged};

/// Where the general advice is not for somebody whose page is closed when the command ends.
const HINTS: &[(ErrorCode, When, &str)] = &[
    (
        ErrorCode::StateMismatch,
        Always,
        "every command opens a page of its own; `--url` names one the tool applies to",
    ),
    (
        ErrorCode::StateProjectionNotFound,
        Seen("url_matches"),
        "every command opens a page of its own; `--url` names one the projection applies to",
    ),
    (
        ErrorCode::TargetNotFound,
        Unchanged,
        "`--url` names another page to start on; if this is the right one, the site has left its map",
    ),
    (
        ErrorCode::PermissionDenied,
        SeenAs("policy", "allow_debug"),
        "`--allow-debug` lets debug primitives run",
    ),
    (
        ErrorCode::CapabilityUnavailable,
        SeenAs("policy", "allow_debug"),
        "`--allow-debug` lets debug primitives run",
    ),
    (
        ErrorCode::PermissionDenied,
        SeenAs("policy", "allow_handlers"),
        "`--allow-handlers` lets functions of the page be called",
    ),
    (ErrorCode::UploadDenied, Always, "`--upload-from DIR` lets files of a folder be uploaded"),
    (ErrorCode::UnsafeState, Always, "if it belongs to the site, allow its origin with --allow-origin"),
    (ErrorCode::HandlerTimeout, Unchanged, "give it more time with `--timeout`; nothing was changed"),
    (ErrorCode::Cancelled, Unchanged, "run it again when you like; nothing was changed"),
    (
        ErrorCode::NavigationFailed,
        Unchanged,
        "check that the address can be reached, or name another with `--url`",
    ),
    (ErrorCode::PageCrashed, Unchanged, "run it again; nothing was changed"),
    (ErrorCode::PageClosed, Unchanged, "run it again; nothing was changed"),
    (ErrorCode::BrowserLost, Unchanged, "run it again; nothing was changed"),
    (ErrorCode::BrowserNotFound, Always, "install Chromium, or name one with `--browser` or ACTIONS_BROWSER"),
];

/// What to do after a call that may have done something, when the cause does not lie in what was asked for.
const LOOK_FIRST: &str = "look at the site before you run it again";

/// What to do next.
pub(crate) fn hint(error: &CallError) -> &'static str {
    let cause = error.cause.as_deref().map(|cause| cause.code);
    let mut codes = std::iter::once(error.code).chain(cause);
    let own = codes.find_map(|code| HINTS.iter().find(|(of, when, _)| *of == code && holds(when, error)));
    if let Some((.., text)) = own {
        return text;
    }
    match error.class() {
        FailureClass::InvalidInput
        | FailureClass::Refused
        | FailureClass::MapDefect
        | FailureClass::Defect => error.safe_recovery(),
        FailureClass::PostconditionFailed => LOOK_FIRST,
        _ if error.mutated => LOOK_FIRST,
        _ => error.safe_recovery(),
    }
}

fn holds(when: &When, error: &CallError) -> bool {
    let cause = error.cause.as_ref().map(|cause| &cause.evidence);
    let mut evidence = cause.into_iter().chain([&error.evidence]);
    match when {
        When::Always => true,
        When::Unchanged => !error.mutated,
        When::Seen(key) => evidence.any(|seen| seen.contains_key(*key)),
        When::SeenAs(key, value) => evidence.any(|seen| seen.get(*key).is_some_and(|seen| seen == value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: ErrorCode) -> CallError {
        CallError::new(code, "")
    }

    #[test]
    fn the_option_that_would_allow_it_is_named() {
        let debug = failed(ErrorCode::PermissionDenied).with_evidence("policy", "allow_debug");
        assert!(hint(&debug).contains("--allow-debug"));
        let handler = failed(ErrorCode::PermissionDenied).with_evidence("policy", "allow_handlers");
        assert!(hint(&handler).contains("--allow-handlers"));
        let trust = failed(ErrorCode::PermissionDenied);
        assert_eq!(hint(&trust), trust.safe_recovery());
        assert!(hint(&failed(ErrorCode::UploadDenied)).contains("--upload-from"));
    }

    #[test]
    fn nobody_is_sent_to_a_page_that_is_closed() {
        for code in ErrorCode::ALL {
            for mutated in [false, true] {
                let error = CallError { mutated, ..failed(*code) };
                assert!(!hint(&error).contains("the state of the page"), "{code}: {}", hint(&error));
            }
        }
    }
}
