//! Suggests what to do after an error, in terms of command line options.

use actions_engine::{CallError, FailureClass};
use actions_protocol::ErrorCode;

/// The condition under which a hint applies.
enum When {
    Always,
    Unchanged,
    /// The error has evidence under this key.
    Seen(&'static str),
    /// The error has this evidence under this key.
    SeenAs(&'static str, &'static str),
}

use When::{Always, Seen, SeenAs, Unchanged};

/// Hints that replace the general advice of the engine: a command closes its page when it ends.
const HINTS: &[(ErrorCode, When, &str)] = &[
    (
        ErrorCode::StateMismatch,
        Always,
        "each command opens a new page; pass the address of a page that the tool applies to with `--url`",
    ),
    (
        ErrorCode::StateProjectionNotFound,
        Seen("url_matches"),
        "each command opens a new page; pass the address of a page that the projection applies to with `--url`",
    ),
    (
        ErrorCode::TargetNotFound,
        Unchanged,
        "start on another page with `--url`; if this is the right page, the site has changed since the map was written",
    ),
    (ErrorCode::PermissionDenied, SeenAs("policy", "allow_debug"), "`--allow-debug` allows debug primitives"),
    (
        ErrorCode::CapabilityUnavailable,
        SeenAs("policy", "allow_debug"),
        "`--allow-debug` allows debug primitives",
    ),
    (
        ErrorCode::PermissionDenied,
        SeenAs("policy", "allow_handlers"),
        "`--allow-handlers` allows calls to functions of the page",
    ),
    (ErrorCode::UploadDenied, Always, "`--upload-from DIR` allows uploads from a folder"),
    (ErrorCode::DownloadDenied, Always, "`--download-to DIR` allows downloads, and saves them in a folder"),
    (
        ErrorCode::UnsafeState,
        Always,
        "if the address belongs to the site, allow its origin with `--allow-origin`",
    ),
    (ErrorCode::HandlerTimeout, Unchanged, "nothing was changed; allow more time with `--timeout`"),
    (ErrorCode::Cancelled, Unchanged, "nothing was changed; you can run it again"),
    (
        ErrorCode::NavigationFailed,
        Seen("http_status"),
        "check the address; `--allow-http-error` accepts an error page at the start, and `allow_http_error: true` in a step",
    ),
    (
        ErrorCode::NavigationFailed,
        Unchanged,
        "check that the address is reachable, or pass another with `--url`",
    ),
    (ErrorCode::PageCrashed, Unchanged, "nothing was changed; run it again"),
    (ErrorCode::PageClosed, Unchanged, "nothing was changed; run it again"),
    (ErrorCode::BrowserLost, Unchanged, "nothing was changed; run it again"),
    (
        ErrorCode::BrowserNotFound,
        Always,
        "install Chromium, or pass its path with `--browser` or ACTIONS_BROWSER",
    ),
];

/// Advice after a call that may have changed something, unless the request itself was wrong.
const LOOK_FIRST: &str = "check the site before you run it again";

/// Returns the advice for an error.
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
    fn a_refusal_names_the_option_that_allows_it() {
        let debug = failed(ErrorCode::PermissionDenied).with_evidence("policy", "allow_debug");
        assert!(hint(&debug).contains("--allow-debug"));
        let handler = failed(ErrorCode::PermissionDenied).with_evidence("policy", "allow_handlers");
        assert!(hint(&handler).contains("--allow-handlers"));
        let trust = failed(ErrorCode::PermissionDenied);
        assert_eq!(hint(&trust), trust.safe_recovery());
        assert!(hint(&failed(ErrorCode::UploadDenied)).contains("--upload-from"));
    }

    #[test]
    fn a_target_that_can_never_do_it_is_not_tried_again() {
        for code in
            [ErrorCode::TargetNotScrollable, ErrorCode::TargetNotEditable, ErrorCode::TargetNotFocusable]
        {
            assert!(!hint(&failed(code)).contains("call again"), "{code}: {}", hint(&failed(code)));
        }
        assert!(!hint(&failed(ErrorCode::CapabilityUnavailable)).contains("allow"));
    }

    #[test]
    fn no_hint_refers_to_the_page_that_the_command_has_closed() {
        for code in ErrorCode::ALL {
            for mutated in [false, true] {
                let mut error = failed(*code);
                error.mutated = mutated;
                assert!(!hint(&error).contains("the state of the page"), "{code}: {}", hint(&error));
            }
        }
    }
}
