//! The one table of the error codes of the Web Agent Bridge: their HTTP status, and the codes of ours on either side.

use crate::ErrorCode;

macro_rules! wab_codes {
    ($( $variant:ident $wire:literal $status:literal $agent:ident [$($answered:ident)*]; )*) => {
        /// An error code of the Web Agent Bridge.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum WabCode {
            $(#[doc = concat!("`", $wire, "`")] $variant,)*
        }

        impl WabCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [WabCode] = &[$(WabCode::$variant,)*];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(WabCode::$variant => $wire,)* }
            }

            /// The HTTP status of a response with this error.
            pub const fn status(self) -> u16 {
                match self { $(WabCode::$variant => $status,)* }
            }

            /// The code that callers of ours get when a bridge answers with this one.
            pub const fn seen_by_agents(self) -> ErrorCode {
                match self { $(WabCode::$variant => ErrorCode::$agent,)* }
            }

            /// The code that our bridge answers with when a call ends with this error.
            pub const fn answered_for(code: ErrorCode) -> Self {
                match code { $($(ErrorCode::$answered => WabCode::$variant,)*)* }
            }
        }
    };
}

// A row: variant, wire name, HTTP status, what agents of ours see, and then in brackets the errors of ours that our bridge
// answers with this code. Each of our codes stands in exactly one row; the compiler sees to that.
wab_codes! {
    InvalidCommand "INVALID_COMMAND" 400 TransportFailed [];
    InvalidParams "INVALID_PARAMS" 400 InvalidInput [
        InvalidInput InvalidSelector MissingCoordinates PointOutOfViewport InvalidKey InvalidTask WrongUsage
        TransferFormatUnsupported
    ];
    InvalidMethod "INVALID_METHOD" 400 TransportFailed [];
    AuthenticationRequired "AUTHENTICATION_REQUIRED" 401 AuthRequired [AuthRequired AuthLost];
    InvalidToken "INVALID_TOKEN" 401 AuthInvalid [AuthInvalid];
    SessionExpired "SESSION_EXPIRED" 401 AuthExpired [AuthExpired];
    PermissionDenied "PERMISSION_DENIED" 403 PermissionDenied [
        PermissionDenied ConfirmationRequired ConfirmationRejected HumanVerificationRequired
        HumanVerificationUnsupported PolicyDenied PolicyUnavailable PolicyInvalid PolicyExpired RobotsDisallowed
        ScrapingDenied AgentBlocked AgentIdentificationRequired PaymentRequired CrossOriginDenied ClipboardReadDenied
        ClipboardWriteDenied UploadDenied DownloadDenied PageFetchCrossOrigin
    ];
    OriginMismatch "ORIGIN_MISMATCH" 403 OriginMismatch [OriginMismatch];
    ActionNotFound "ACTION_NOT_FOUND" 404 UnknownAction [UnknownAction];
    SelectorNotFound "SELECTOR_NOT_FOUND" 404 TargetNotFound [
        TargetNotFound DriftDetected IdentityDrift ShadowUnreachable FrameNotFound OptionNotFound NoSelectTarget
        NoPasteTarget MarkerNotFound
    ];
    RateLimited "RATE_LIMITED" 429 RateLimited [RateLimited];
    DuplicateCommandId "DUPLICATE_COMMAND_ID" 409 DuplicateCommandId [DuplicateCommandId];
    SelectorBlocked "SELECTOR_BLOCKED" 403 SelectorBlocked [SelectorBlocked];
    ExecutionFailed "EXECUTION_FAILED" 500 HandlerFailed [
        HandlerFailed StateMismatch InvalidResult RemoteError DependencyUnmet SurfaceUnavailable ActionDegraded
        WorkflowStepFailed WorkflowRetryExhausted WorkflowOutputFailed WorkflowOutputTooLarge WorkflowLimitExceeded
        ExpressionEvaluationFailed ExpressionOutputTooLarge ExpressionBudgetExceeded StateProjectionFailed StateNotReady DownloadFailed
        StateSummaryFailed StatePayloadTooLarge StateSchemaValidationFailed StatePostconditionFailed
        StateMarkersFailed MultipleTargets TargetNotActionable TargetNotEditable TargetNotFocusable
        TargetNotScrollable TargetDetached FrameDetached ClickNotReceived InputNotReceived ScrollFailed FileNotFound
        AssertionFailed PayloadTooLarge PageFetchFailed NavigationFailed DialogOpen NoDialog ScreenshotFailed
        ScriptFailed MarkerTypeMismatch MarkerRecipeStepFailed MarkerPromiseUnkept TransferLabelNotFound
        TransferExpired TransferPayloadTooLarge TransferAppendIncompatible TransferItemSelectorInvalid NoActiveTask
        UnknownTask StorageFileNotFound StorageFileAmbiguousId Cancelled
    ];
    BridgeError "BRIDGE_ERROR" 500 RemoteError [
        RuntimeNotReady MissingHandler CapabilityUnavailable AmbiguousRuntime RuntimeNotFound ManifestNotFound
        ManifestInvalid ManifestUnsupportedVersion NameCollision InvalidWorkflow InvalidExpression
        DisallowedExpressionFunction PartialExpressionUnsupported InvalidStateProjection StateProjectionNotFound
        StateProjectionAmbiguous StateSummaryNotFound StateDiffRequiresFullState InvalidStatePostcondition
        InvalidStateMarkers SiteActionAmbiguous UnsupportedExecutionMode PageCrashed PageClosed BrowserNotFound
        BrowserLaunchFailed BrowserLost BrowserProtocolError ReplayMiss InternalError
    ];
    TransportError "TRANSPORT_ERROR" 502 TransportFailed [TransportFailed];
    Timeout "TIMEOUT" 504 HandlerTimeout [HandlerTimeout Timeout];
    UnsupportedVersion "UNSUPPORTED_VERSION" 400 ManifestUnsupportedVersion [];
    SandboxViolation "SANDBOX_VIOLATION" 403 UnsafeState [UnsafeState];
    SignatureInvalid "SIGNATURE_INVALID" 401 AuthInvalid [];
}

/// Codes that published bridges use although the protocol does not know them, and what they mean there.
const OTHER_WORDS: &[(&str, ErrorCode)] = &[
    ("auth_required", ErrorCode::AuthRequired),
    ("unauthorized", ErrorCode::AuthRequired),
    ("invalid_argument", ErrorCode::InvalidInput),
    ("not_found", ErrorCode::UnknownAction),
    ("internal", ErrorCode::RemoteError),
    ("human_gate_required", ErrorCode::HumanVerificationRequired),
    ("dry_run_required", ErrorCode::ConfirmationRequired),
    ("intent_blocked", ErrorCode::PermissionDenied),
    ("unknown command", ErrorCode::TransportFailed),
];

impl WabCode {
    /// The code of a word on the wire, as the protocol writes it.
    ///
    /// ```
    /// use actions_protocol::{ErrorCode, WabCode};
    /// assert_eq!(WabCode::from_wire("RATE_LIMITED"), Some(WabCode::RateLimited));
    /// assert_eq!(WabCode::RateLimited.status(), 429);
    /// assert_eq!(WabCode::answered_for(ErrorCode::DriftDetected), WabCode::SelectorNotFound);
    /// ```
    pub fn from_wire(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == word)
    }

    /// What callers of ours see for a word that a bridge answered with: one of the protocol in any case, or one that
    /// published bridges use.
    ///
    /// ```
    /// use actions_protocol::{ErrorCode, WabCode};
    /// assert_eq!(WabCode::meaning("session_expired"), Some(ErrorCode::AuthExpired));
    /// assert_eq!(WabCode::meaning("HUMAN_GATE_REQUIRED"), Some(ErrorCode::HumanVerificationRequired));
    /// assert_eq!(WabCode::meaning("no such word"), None);
    /// ```
    pub fn meaning(word: &str) -> Option<ErrorCode> {
        let known = Self::ALL.iter().find(|code| code.as_str().eq_ignore_ascii_case(word));
        let other = OTHER_WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        known.map(|code| code.seen_by_agents()).or(other.map(|(_, code)| *code))
    }
}

impl std::fmt::Display for WabCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_protocol_has_its_status() {
        let expected = [
            (400, "INVALID_COMMAND INVALID_PARAMS INVALID_METHOD UNSUPPORTED_VERSION"),
            (401, "AUTHENTICATION_REQUIRED INVALID_TOKEN SESSION_EXPIRED SIGNATURE_INVALID"),
            (403, "PERMISSION_DENIED ORIGIN_MISMATCH SELECTOR_BLOCKED SANDBOX_VIOLATION"),
            (404, "ACTION_NOT_FOUND SELECTOR_NOT_FOUND"),
            (409, "DUPLICATE_COMMAND_ID"),
            (429, "RATE_LIMITED"),
            (500, "EXECUTION_FAILED BRIDGE_ERROR"),
            (502, "TRANSPORT_ERROR"),
            (504, "TIMEOUT"),
        ];
        let mut count = 0;
        for (status, words) in expected {
            for word in words.split(' ') {
                assert_eq!(WabCode::from_wire(word).map(WabCode::status), Some(status), "{word}");
                count += 1;
            }
        }
        assert_eq!(WabCode::ALL.len(), count);
    }

    #[test]
    fn a_code_that_came_from_a_bridge_is_passed_on_as_it_was() {
        let lossy =
            ["INVALID_COMMAND", "INVALID_METHOD", "UNSUPPORTED_VERSION", "SIGNATURE_INVALID", "BRIDGE_ERROR"];
        for code in WabCode::ALL.iter().filter(|code| !lossy.contains(&code.as_str())) {
            assert_eq!(WabCode::answered_for(code.seen_by_agents()), *code);
        }
    }

    #[test]
    fn codes_of_ours_are_answered_as_the_table_says() {
        let cases = [
            (ErrorCode::PolicyDenied, WabCode::PermissionDenied),
            (ErrorCode::AgentBlocked, WabCode::PermissionDenied),
            (ErrorCode::ConfirmationRequired, WabCode::PermissionDenied),
            (ErrorCode::HumanVerificationRequired, WabCode::PermissionDenied),
            (ErrorCode::DependencyUnmet, WabCode::ExecutionFailed),
            (ErrorCode::RemoteError, WabCode::ExecutionFailed),
            (ErrorCode::RuntimeNotReady, WabCode::BridgeError),
            (ErrorCode::CapabilityUnavailable, WabCode::BridgeError),
        ];
        for (ours, theirs) in cases {
            assert_eq!(WabCode::answered_for(ours), theirs, "{ours}");
        }
    }
}
