//! The one table of error codes, with everything that code decides by a code.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Exit, FailureClass, Severity};

/// What a failure is about, where callers treat it differently from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Nothing that needs special treatment.
    Other,
    /// An expression of the map.
    Expression,
    /// Another failure, which caused this one and decides its class and recovery.
    Wrapper,
    /// An element or document that another one has replaced.
    StaleDocument,
    /// A frame that is not in the page, or no longer.
    AbsentFrame,
    /// A page that crashed or was closed.
    LostPage,
    /// A browser that is gone.
    LostBrowser,
}

macro_rules! error_codes {
    ($(
        $variant:ident $wire:literal $severity:ident $recoverable:ident $exit:ident $class:ident
        [$ends:tt $untouched:tt $unmet:tt $again:tt $topic:ident]
        $sentence:literal $(=> $recovery:literal)?;
    )*) => {
        /// A stable error code: what a caller may program against.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(#[doc = $sentence] $variant,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the table.
            pub const ALL: &'static [ErrorCode] = &[$(ErrorCode::$variant,)*];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$variant => $wire,)* }
            }

            /// How much damage the failure may do.
            pub const fn severity(self) -> Severity {
                match self { $(ErrorCode::$variant => Severity::$severity,)* }
            }

            /// Whether a caller can fix the cause and try again.
            pub const fn recoverable(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@recoverable $recoverable),)* }
            }

            /// The exit code of a command that ends with this error.
            pub const fn exit(self) -> Exit {
                match self { $(ErrorCode::$variant => Exit::$exit,)* }
            }

            /// What kind of trouble the failure is.
            pub const fn class(self) -> FailureClass {
                match self { $(ErrorCode::$variant => FailureClass::$class,)* }
            }

            /// Whether a step that fails with this code ends the whole call, whatever its `on_error` says.
            pub const fn ends_call(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@ends $ends),)* }
            }

            /// Whether a primitive that fails with this code has changed nothing on the page.
            pub const fn leaves_page_untouched(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@untouched $untouched),)* }
            }

            /// Whether the code means "the condition was not met in time".
            pub const fn is_unmet_wait(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@unmet $unmet),)* }
            }

            /// Whether reading a page that is still loading again may succeed.
            pub const fn is_worth_another_look(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@again $again),)* }
            }

            /// What the failure is about.
            pub const fn topic(self) -> Topic {
                match self { $(ErrorCode::$variant => Topic::$topic,)* }
            }

            /// One sentence that says what the code means.
            pub const fn sentence(self) -> &'static str {
                match self { $(ErrorCode::$variant => $sentence,)* }
            }

            /// What a caller can do next if nothing was changed, where [`ErrorCode::class`] says too little.
            pub const fn recovery(self) -> Option<&'static str> {
                match self { $(ErrorCode::$variant => error_codes!(@recovery $($recovery)?),)* }
            }
        }
    };
    (@recoverable recoverable) => { true };
    (@recoverable fatal) => { false };
    (@ends ends) => { true };
    (@ends -) => { false };
    (@untouched untouched) => { true };
    (@untouched -) => { false };
    (@unmet unmet) => { true };
    (@unmet -) => { false };
    (@again again) => { true };
    (@again -) => { false };
    (@recovery $recovery:literal) => { Some($recovery) };
    (@recovery) => { None };
}

// A row: variant, wire name, severity, whether a caller can recover, exit code, class, then in brackets (a dash means
// no): the step ends the call whatever `on_error` says; the page is untouched; a wait was not met in time; reading
// again may succeed; the topic. Then what the code means, and optionally what a caller can do next.
error_codes! {
    // The sixteen stable codes of the bridge protocol.
    UnknownAction "unknown_action" Major recoverable Usage InvalidInput [-    -         -     -     Other] "No declared action or primitive has this name.";
    InvalidInput "invalid_input" Minor recoverable Invalid InvalidInput [-    untouched -     -     Other] "The arguments do not fit the declared input schema.";
    RuntimeNotReady "runtime_not_ready" Major recoverable Unavailable Environment [-    -         -     -     Other] "The runtime is not connected or has not loaded a manifest." => "wait until the runtime is connected, then call again";
    PermissionDenied "permission_denied" Critical fatal Refused Refused [ends -         -     -     Other] "Authorization or trust policy forbids the operation.";
    AmbiguousRuntime "ambiguous_runtime" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "The routing keys match more than one runtime.";
    RuntimeNotFound "runtime_not_found" Minor recoverable Unavailable InvalidInput [-    -         -     -     Other] "The routing keys match no runtime.";
    CapabilityUnavailable "capability_unavailable" Major fatal Refused Refused [ends -         -     -     Other] "This host cannot provide a capability the action needs." => "use another tool, or a runtime that performs what this one needs";
    MissingHandler "missing_handler" Major recoverable Failed TargetNotFound [-    untouched -     -     Other] "The handler the tool names is not on the page.";
    HandlerFailed "handler_failed" Major recoverable Failed ControlNotReady [-    -         -     -     Other] "The handler threw or returned an error.";
    HandlerTimeout "handler_timeout" Major recoverable Failed ControlNotReady [ends -         -     -     Other] "The call did not finish within its time.";
    InvalidResult "invalid_result" Major fatal Failed MapDefect [-    -         -     -     Other] "The output does not fit the declared result schema.";
    TargetNotFound "target_not_found" Major recoverable Failed TargetNotFound [-    untouched unmet -     Other] "Nothing on the page matches the target.";
    StateMismatch "state_mismatch" Major recoverable Failed ControlNotReady [-    -         -     -     Other] "The page is not in the state the action needs." => "bring the page to where the tool applies, then call again; nothing was changed";
    DriftDetected "drift_detected" Major fatal Drift MapDefect [-    -         -     -     Other] "The site no longer matches its map.";
    UnsafeState "unsafe_state" Critical fatal Refused Refused [ends -         -     -     Other] "Going on would leave the surface or enter a forbidden context.";
    TransportFailed "transport_failed" Major recoverable Unavailable Environment [-    -         -     -     Other] "The transport broke or could not deliver the item." => "connect again and repeat the call; nothing was changed";

    // A person.
    ConfirmationRequired "confirmation_required" Major recoverable Refused Refused [ends untouched -     -     Other] "A person must confirm the call before it may change the site." => "ask the person, and repeat the call with their confirmation; nothing was changed";
    ConfirmationRejected "confirmation_rejected" Major fatal Refused Refused [ends untouched -     -     Other] "A person was asked and said no.";
    HumanVerificationRequired "human_verification_required" Major recoverable Refused Refused [ends untouched -     -     Other] "The policy of the site wants a person to verify this call." => "have a person do what `methods` asks for, then repeat the call; nothing was changed";
    HumanVerificationUnsupported "human_verification_unsupported" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site wants a verification that this host cannot arrange." => "have a person do this on the site; nothing was changed";

    // The policy that a site publishes.
    PolicyDenied "policy_denied" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site forbids the operation." => "use what the policy allows, or ask the operator of the site; nothing was changed";
    PolicyUnavailable "policy_unavailable" Major recoverable Refused Refused [ends untouched -     -     Other] "The policy of the site could not be fetched, and only reading is allowed without it." => "check that the site can be reached, then call again; nothing was changed";
    PolicyInvalid "policy_invalid" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site is not valid, and only reading is allowed without a valid one." => "ask the operator of the site to correct it; nothing was changed";
    PolicyExpired "policy_expired" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site has expired, and what it allowed is no longer allowed." => "ask the operator of the site to renew it; nothing was changed";
    RobotsDisallowed "robots_disallowed" Major fatal Refused Refused [ends untouched -     -     Other] "The robots.txt of the site disallows the address for this program." => "use another address; nothing was changed";
    ScrapingDenied "scraping_denied" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site forbids this use of its data." => "ask the operator of the site for a licence; nothing was changed";
    AgentBlocked "agent_blocked" Major fatal Refused Refused [ends untouched -     -     Other] "The policy of the site blocks this agent." => "ask the operator of the site; nothing was changed";
    AgentIdentificationRequired "agent_identification_required" Major recoverable Refused Refused [ends untouched -     -     Other] "The policy of the site wants the agent to say who it is." => "set the missing parts of the identity, then call again; nothing was sent";
    RateLimited "rate_limited" Minor recoverable Refused Refused [ends untouched -     -     Other] "A limit on how often this may be done is reached." => "wait for `retry_after_ms`, then call again; nothing was changed";

    // Sites that publish actions.
    AuthRequired "auth_required" Major recoverable Refused Refused [-    untouched -     -     Other] "The action needs credentials, and none are stored for its origin." => "store credentials with `actions auth set`, then call again; nothing was changed";
    AuthInvalid "auth_invalid" Major recoverable Refused Refused [-    untouched -     -     Other] "The site does not accept the stored credentials." => "store other credentials with `actions auth set`, then call again";
    AuthExpired "auth_expired" Major recoverable Refused Refused [-    untouched -     -     Other] "The credentials or the session have expired." => "store new credentials with `actions auth set`, then call again";
    DependencyUnmet "dependency_unmet" Minor recoverable Failed InvalidInput [-    untouched -     -     Other] "An action that this one depends on has not succeeded in this session." => "call the missing actions first; nothing was changed";
    SurfaceUnavailable "surface_unavailable" Major recoverable Unavailable Environment [-    untouched -     -     Other] "The site says that it is not operational." => "call again later; nothing was changed";
    ActionDegraded "action_degraded" Minor recoverable Unavailable Environment [-    untouched -     -     Other] "The site says that the action does not work well at present." => "call again later, or accept it as it is; nothing was changed";
    PaymentRequired "payment_required" Major fatal Refused Refused [-    untouched -     -     Other] "The action costs money, and this program never pays.";
    CrossOriginDenied "cross_origin_denied" Critical fatal Refused Refused [-    untouched -     -     Other] "The address belongs to another origin than the document that names it.";
    OriginMismatch "origin_mismatch" Critical fatal Refused Refused [-    untouched -     -     Other] "The origin of the request is not one that the bridge accepts.";
    SelectorBlocked "selector_blocked" Major fatal Refused Refused [-    untouched -     -     Other] "The site does not let agents use this selector.";
    DuplicateCommandId "duplicate_command_id" Minor recoverable Failed InvalidInput [-    untouched -     -     Other] "A command with this id was already received in the session.";
    RemoteError "remote_error" Major recoverable Failed Environment [-    -         -     -     Other] "The site answered with an error.";

    // Drift.
    IdentityDrift "identity_drift" Major fatal Drift MapDefect [-    -         -     -     Other] "The target matches an element that is not the one it was written for.";

    // Manifests.
    ManifestNotFound "manifest_not_found" Major fatal Usage InvalidInput [-    -         -     -     Other] "There is no manifest at this place.";
    ManifestInvalid "manifest_invalid" Major fatal Invalid MapDefect [-    -         -     -     Other] "The manifest breaks the rules of the format; nothing in it is exposed.";
    ManifestUnsupportedVersion "manifest_unsupported_version" Major fatal Invalid MapDefect [-    -         -     -     Other] "The document is of a version that this program does not read.";
    NameCollision "name_collision" Major fatal Invalid MapDefect [-    -         -     -     Other] "Two actions of a document would get the same tool name.";

    // Workflows.
    InvalidWorkflow "invalid_workflow" Major fatal Invalid MapDefect [-    -         -     -     Other] "The workflow breaks the rules of the format.";
    WorkflowStepFailed "workflow_step_failed" Major recoverable Failed ControlNotReady [-    -         -     -     Wrapper] "A step of the workflow failed.";
    WorkflowRetryExhausted "workflow_retry_exhausted" Major recoverable Failed ControlNotReady [-    -         -     -     Wrapper] "The condition of `retry_until` did not hold within `max_attempts`.";
    WorkflowOutputFailed "workflow_output_failed" Major fatal Failed MapDefect [-    -         -     -     Wrapper] "The output of the workflow could not be computed; its steps have already run.";
    WorkflowOutputTooLarge "workflow_output_too_large" Major fatal Failed MapDefect [-    -         -     -     Other] "The output of the workflow is over its byte budget; its steps have already run.";
    WorkflowLimitExceeded "workflow_limit_exceeded" Major fatal Failed MapDefect [-    -         -     -     Other] "The workflow needs more steps, items, attempts or nesting than the limits allow.";

    // Expressions.
    InvalidExpression "invalid_expression" Major fatal Invalid MapDefect [-    -         -     -     Expression] "The expression is not valid JSONata.";
    ExpressionEvaluationFailed "expression_evaluation_failed" Major fatal Failed MapDefect [-    -         -     -     Expression] "The expression failed while it was evaluated.";
    ExpressionOutputTooLarge "expression_output_too_large" Major fatal Failed MapDefect [-    -         -     -     Expression] "The value of the expression is over its byte budget.";
    ExpressionBudgetExceeded "expression_budget_exceeded" Major fatal Failed MapDefect [-    -         -     -     Expression] "The expression used up its time, depth or sequence budget.";
    DisallowedExpressionFunction "disallowed_expression_function" Major fatal Invalid MapDefect [-    -         -     -     Expression] "The expression uses a function that maps may not use.";
    PartialExpressionUnsupported "partial_expression_unsupported" Major fatal Invalid MapDefect [-    -         -     -     Expression] "A string mixes text with an expression mark; a slot must be the whole string.";

    // State projections.
    InvalidStateProjection "invalid_state_projection" Major fatal Invalid MapDefect [-    -         -     -     Other] "The projection breaks the rules of the format.";
    StateProjectionNotFound "state_projection_not_found" Minor recoverable Usage TargetNotFound [-    -         -     -     Other] "No projection of this name applies to the page.";
    StateProjectionFailed "state_projection_failed" Major recoverable Failed MapDefect [-    -         -     again Other] "The projection could not be read from the page.";
    StateProjectionAmbiguous "state_projection_ambiguous" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "More than one projection of this name applies to the page.";
    StateSummaryNotFound "state_summary_not_found" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "The projection has no summary of this name.";
    StateSummaryFailed "state_summary_failed" Major fatal Failed MapDefect [-    -         -     -     Other] "The summary could not be computed.";
    StatePayloadTooLarge "state_payload_too_large" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The state is over its byte budget; it is never cut short.";
    StateSchemaValidationFailed "state_schema_validation_failed" Major recoverable Failed MapDefect [-    -         -     again Other] "The projected state does not fit its output schema.";
    StateDiffRequiresFullState "state_diff_requires_full_state" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "A difference needs the full state, not a summary.";
    InvalidStatePostcondition "invalid_state_postcondition" Major fatal Invalid MapDefect [-    -         -     -     Other] "The postcondition breaks the rules of the format.";
    StatePostconditionFailed "state_postcondition_failed" Major recoverable Failed PostconditionFailed [-    -         -     -     Other] "The action ran, but its postcondition did not come true.";
    InvalidStateMarkers "invalid_state_markers" Major fatal Failed MapDefect [-    -         -     -     Other] "The markers of the projection break the rules of the format.";
    StateMarkersFailed "state_markers_failed" Major fatal Failed MapDefect [-    -         -     -     Other] "The markers of the projection could not be computed.";

    // The actions.site tool.
    SiteActionAmbiguous "site_action_ambiguous" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "More than one map declares this action for the page.";
    UnsupportedExecutionMode "unsupported_execution_mode" Major fatal Failed MapDefect [-    -         -     -     Other] "The tool declares an execution mode this engine does not perform.";

    // Finding and acting on elements.
    InvalidSelector "invalid_selector" Minor recoverable Invalid InvalidInput [-    untouched -     -     Other] "The selector or XPath does not parse.";
    MultipleTargets "multiple_targets" Major recoverable Failed MapDefect [-    untouched -     -     Other] "A strict locator matches more than one element.";
    TargetNotActionable "target_not_actionable" Major recoverable Failed ControlNotReady [-    untouched unmet -     Other] "The target is there but cannot be acted on: covered, disabled, not rendered or never stable.";
    TargetNotEditable "target_not_editable" Major recoverable Failed ControlNotReady [-    untouched -     -     Other] "The target takes no text." => "name an element that takes text; nothing was changed";
    TargetNotFocusable "target_not_focusable" Major recoverable Failed ControlNotReady [-    -         -     -     Other] "The target cannot hold the focus." => "name an element that can hold the focus; nothing was changed";
    TargetNotScrollable "target_not_scrollable" Minor recoverable Failed ControlNotReady [-    -         -     -     Other] "The target does not scroll on this axis." => "name an element that scrolls on this axis, or none for the page itself; nothing was changed";
    TargetDetached "target_detached" Major recoverable Failed ControlNotReady [-    -         -     again StaleDocument] "The target left the document while it was being acted on.";
    ShadowUnreachable "shadow_unreachable" Major fatal Failed TargetNotFound [-    -         -     -     Other] "The target may be inside a closed shadow root that cannot be entered.";
    FrameNotFound "frame_not_found" Major recoverable Failed TargetNotFound [-    untouched unmet again AbsentFrame] "No frame matches a step of the frame chain.";
    FrameDetached "frame_detached" Major recoverable Failed ControlNotReady [-    -         -     again AbsentFrame] "The frame left the page during the call.";
    ClickNotReceived "click_not_received" Major recoverable Failed OverlayInterference [-    -         -     -     Other] "The click was sent, but the target did not receive it.";
    InputNotReceived "input_not_received" Major recoverable Failed OverlayInterference [-    -         -     -     Other] "The input was sent, but the target did not take it.";
    MissingCoordinates "missing_coordinates" Minor recoverable Invalid InvalidInput [-    untouched -     -     Other] "A point needs both x and y.";
    PointOutOfViewport "point_out_of_viewport" Minor recoverable Failed InvalidInput [-    untouched -     -     Other] "The point lies outside the viewport.";
    InvalidKey "invalid_key" Minor recoverable Invalid InvalidInput [-    untouched -     -     Other] "The key or chord is not in the key table.";
    ScrollFailed "scroll_failed" Minor recoverable Failed ControlNotReady [-    -         -     -     Other] "The page or element did not scroll.";
    OptionNotFound "option_not_found" Major recoverable Failed TargetNotFound [-    untouched -     -     Other] "The select element has no such option.";
    NoSelectTarget "no_select_target" Minor recoverable Failed TargetNotFound [-    -         -     -     Other] "There is no element whose text could be selected.";
    NoPasteTarget "no_paste_target" Minor recoverable Failed TargetNotFound [-    -         -     -     Other] "There is no element that could take the paste.";
    ClipboardReadDenied "clipboard_read_denied" Major fatal Refused Refused [-    -         -     -     Other] "The clipboard may not be read.";
    ClipboardWriteDenied "clipboard_write_denied" Major fatal Refused Refused [-    -         -     -     Other] "The clipboard may not be written.";
    UploadDenied "upload_denied" Critical fatal Refused Refused [-    untouched -     -     Other] "The file is outside the folders that may be uploaded from.";
    FileNotFound "file_not_found" Minor recoverable Failed InvalidInput [-    untouched -     -     Other] "The file does not exist or cannot be read.";
    Timeout "timeout" Major recoverable Failed ControlNotReady [-    -         unmet -     Other] "What was waited for did not come true in time.";
    AssertionFailed "assertion_failed" Major recoverable Failed PostconditionFailed [-    -         -     -     Other] "A condition that the workflow asserts does not hold.";
    PayloadTooLarge "payload_too_large" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The result is over its byte or node limit; narrow the request.";

    // Pages and the browser.
    PageFetchCrossOrigin "page_fetch_cross_origin" Major fatal Refused Refused [-    -         -     -     Other] "The page may fetch only from its own origin.";
    PageFetchFailed "page_fetch_failed" Major recoverable Failed Environment [-    -         -     -     Other] "The page could not fetch the address." => "check that the page can reach the address, then call again; nothing was changed";
    NavigationFailed "navigation_failed" Major recoverable Unavailable Environment [-    -         -     -     Other] "The page could not be loaded." => "check that the address can be reached, then call again; nothing was changed";
    DialogOpen "dialog_open" Major recoverable Failed OverlayInterference [-    -         -     -     Other] "A dialog of the page is open and blocks everything else.";
    NoDialog "no_dialog" Minor recoverable Failed ControlNotReady [-    -         -     -     Other] "There is no open dialog.";
    ScreenshotFailed "screenshot_failed" Minor recoverable Failed ControlNotReady [-    -         -     -     Other] "The browser returned no screenshot.";
    ScriptFailed "script_failed" Major recoverable Failed ControlNotReady [-    -         -     -     Other] "The script threw.";
    PageCrashed "page_crashed" Major recoverable Unavailable Environment [ends -         -     -     LostPage] "The page's process crashed.";
    PageClosed "page_closed" Major fatal Unavailable Environment [ends -         -     -     LostPage] "The page was closed.";
    BrowserNotFound "browser_not_found" Major fatal Unavailable Environment [-    -         -     -     Other] "There is no Chromium on this machine, or none where it was looked for." => "install Chromium, or name one with ACTIONS_BROWSER";
    BrowserLaunchFailed "browser_launch_failed" Major recoverable Unavailable Environment [-    -         -     -     Other] "Chromium did not start." => "fix what keeps Chromium from starting, then call again";
    BrowserLost "browser_lost" Major fatal Unavailable Environment [ends -         -     -     LostBrowser] "The browser or its tab is gone; the call was not repeated elsewhere." => "launch a new browser and call again; nothing was changed";
    BrowserProtocolError "browser_protocol_error" Major fatal Unavailable Environment [ends -         -     -     Other] "The browser refused a command that it should know, or answered with something that its protocol does not allow." => "use a supported version of Chromium; if it is one, report the message";
    ReplayMiss "replay_miss" Major fatal Unavailable Environment [ends -         -     -     Other] "The recording does not hold this request." => "record the site again, with this request, or call without a recording";

    // Logins.
    AuthLost "auth_lost" Major recoverable Refused Refused [-    -         -     -     Other] "The session is not signed in, or no longer." => "sign in again, in the session or with a new storage state, then call again";

    // Markers.
    MarkerNotFound "marker_not_found" Minor recoverable Failed TargetNotFound [-    -         -     -     Other] "No projection has registered a marker of this id.";
    MarkerTypeMismatch "marker_type_mismatch" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The marker is of another type.";
    MarkerRecipeStepFailed "marker_recipe_step_failed" Major recoverable Failed MapDefect [-    -         -     -     Other] "A step of the marker's recipe failed.";
    MarkerPromiseUnkept "marker_promise_unkept" Major recoverable Failed MapDefect [-    -         -     -     Other] "The marker's recipe ran, but returned no point.";

    // Transfers between calls.
    TransferLabelNotFound "transfer_label_not_found" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "Nothing was transferred under this label.";
    TransferExpired "transfer_expired" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The transferred value has expired.";
    TransferFormatUnsupported "transfer_format_unsupported" Minor recoverable Invalid InvalidInput [-    -         -     -     Other] "The format cannot be transferred.";
    TransferPayloadTooLarge "transfer_payload_too_large" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The transferred value is over its byte limit.";
    TransferAppendIncompatible "transfer_append_incompatible" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The value cannot be appended to what is there.";
    TransferItemSelectorInvalid "transfer_item_selector_invalid" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "The item selector picks nothing from the transferred value.";

    // Task queues.
    InvalidTask "invalid_task" Minor recoverable Invalid InvalidInput [-    -         -     -     Other] "The task has no text.";
    NoActiveTask "no_active_task" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "No task is in progress.";
    UnknownTask "unknown_task" Minor recoverable Failed InvalidInput [-    -         -     -     Other] "There is no task of this id.";

    // Storage.
    StorageFileNotFound "storage_file_not_found" Minor recoverable Failed MapDefect [-    -         -     -     Other] "The map declares no such file, or it is missing.";
    StorageFileAmbiguousId "storage_file_ambiguous_id" Minor recoverable Failed MapDefect [-    -         -     -     Other] "More than one declared file has this id.";

    // The command line.
    WrongUsage "wrong_usage" Minor recoverable Usage InvalidInput [-    -         -     -     Other] "The command was given something it cannot use, or options that do not go together.";

    // This program.
    Cancelled "cancelled" Minor recoverable Failed Cancelled [ends -         -     -     Other] "The caller cancelled the call.";
    InternalError "internal_error" Critical fatal Bug Defect [ends -         -     -     Other] "A defect of this program; please report it.";
}

impl ErrorCode {
    /// Finds a code by its wire name.
    ///
    /// ```
    /// use actions_protocol::ErrorCode;
    /// assert_eq!(ErrorCode::from_wire("target_not_found"), Some(ErrorCode::TargetNotFound));
    /// assert_eq!(ErrorCode::from_wire("no_such_code"), None);
    /// ```
    pub fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == wire)
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::from_wire(&wire)
            .ok_or_else(|| serde::de::Error::custom(format_args!("`{wire}` is not a known error code")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn wire_names_are_unique_snake_case() {
        let mut seen = BTreeSet::new();
        for code in ErrorCode::ALL {
            let name = code.as_str();
            assert!(seen.insert(name), "{name} stands twice in the table");
            let word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(name.split('_').all(word), "{name} is not snake_case");
        }
    }

    #[test]
    fn a_sentence_begins_with_a_capital_and_ends_with_one_full_stop() {
        for code in ErrorCode::ALL {
            let sentence = code.sentence();
            assert!(sentence.starts_with(|first: char| first.is_ascii_uppercase()), "{code}: {sentence}");
            assert!(sentence.ends_with('.') && !sentence.ends_with(".."), "{code}: {sentence}");
        }
    }

    #[test]
    fn the_sixteen_codes_of_the_bridge_protocol_come_first() {
        let bridge: Vec<&str> = ErrorCode::ALL[..16].iter().map(|code| code.as_str()).collect();
        assert_eq!(
            bridge,
            [
                "unknown_action",
                "invalid_input",
                "runtime_not_ready",
                "permission_denied",
                "ambiguous_runtime",
                "runtime_not_found",
                "capability_unavailable",
                "missing_handler",
                "handler_failed",
                "handler_timeout",
                "invalid_result",
                "target_not_found",
                "state_mismatch",
                "drift_detected",
                "unsafe_state",
                "transport_failed",
            ]
        );
    }

    #[test]
    fn an_unknown_code_is_refused_by_name() {
        let error = serde_json::from_str::<ErrorCode>("\"no_such_code\"").unwrap_err();
        insta::assert_snapshot!(error, @"`no_such_code` is not a known error code");
    }

    #[test]
    fn a_fatal_code_never_asks_the_caller_to_wait_and_call_again() {
        for code in ErrorCode::ALL.iter().filter(|code| !code.recoverable()) {
            assert_ne!(code.class(), FailureClass::ControlNotReady, "{code}");
        }
    }

    #[test]
    fn only_defects_of_this_program_exit_as_bugs() {
        for code in ErrorCode::ALL {
            assert_eq!(code.class() == FailureClass::Defect, code.exit() == Exit::Bug, "{code}");
        }
    }

    #[test]
    fn the_whole_table() {
        let flag = |holds: bool, word: &'static str| if holds { word } else { "-" };
        let table: Vec<String> = ErrorCode::ALL
            .iter()
            .map(|code| {
                let (severity, exit, class) = (code.severity(), code.exit().code(), code.class().as_str());
                let recoverable = if code.recoverable() { "recoverable" } else { "fatal" };
                let ends = flag(code.ends_call(), "ends");
                let untouched = flag(code.leaves_page_untouched(), "untouched");
                let unmet = flag(code.is_unmet_wait(), "unmet");
                let again = flag(code.is_worth_another_look(), "again");
                let topic = format!("{:?}", code.topic());
                let recovery = code.recovery().map(|recovery| format!(" => {recovery}")).unwrap_or_default();
                let decides = format!("{ends:<5}{untouched:<10}{unmet:<6}{again:<6}{topic:<14}");
                let sentence = code.sentence();
                format!("{code:<32}{severity:<9}{recoverable:<12}{exit:>2} {class:<21}{decides}{sentence}{recovery}")
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"));
    }
}
