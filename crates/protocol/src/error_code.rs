//! The one table of error codes.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Exit, Severity};

macro_rules! error_codes {
    ($($variant:ident $wire:literal $severity:ident $recoverable:ident $exit:ident $sentence:literal;)*) => {
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

            /// Whether a caller may mend the cause and try again.
            pub const fn recoverable(self) -> bool {
                match self { $(ErrorCode::$variant => error_codes!(@$recoverable),)* }
            }

            /// The exit code of a command that ends with this error.
            pub const fn exit(self) -> Exit {
                match self { $(ErrorCode::$variant => Exit::$exit,)* }
            }

            /// One sentence that says what the code means.
            pub const fn sentence(self) -> &'static str {
                match self { $(ErrorCode::$variant => $sentence,)* }
            }
        }
    };
    (@recoverable) => { true };
    (@fatal) => { false };
}

error_codes! {
    // The sixteen stable codes of the bridge protocol.
    UnknownAction "unknown_action" Major recoverable Usage "No declared action or primitive has this name.";
    InvalidInput "invalid_input" Minor recoverable Invalid "The arguments do not fit the declared input schema.";
    RuntimeNotReady "runtime_not_ready" Major recoverable Unavailable "The runtime is not connected or has not loaded a manifest.";
    PermissionDenied "permission_denied" Critical fatal Refused "Authorization or trust policy forbids the operation.";
    AmbiguousRuntime "ambiguous_runtime" Minor recoverable Usage "The routing keys match more than one runtime.";
    RuntimeNotFound "runtime_not_found" Minor recoverable Unavailable "The routing keys match no runtime.";
    CapabilityUnavailable "capability_unavailable" Major fatal Refused "This host cannot provide a capability the action needs.";
    MissingHandler "missing_handler" Major recoverable Failed "The handler the tool names is not on the page.";
    HandlerFailed "handler_failed" Major recoverable Failed "The handler threw or gave an error.";
    HandlerTimeout "handler_timeout" Major recoverable Failed "The call did not finish within its time.";
    InvalidResult "invalid_result" Major fatal Failed "The output does not fit the declared result schema.";
    TargetNotFound "target_not_found" Major recoverable Failed "Nothing on the page matches the target.";
    StateMismatch "state_mismatch" Major recoverable Failed "The page is not in the state the action needs.";
    DriftDetected "drift_detected" Major fatal Drift "The site no longer matches its map.";
    UnsafeState "unsafe_state" Critical fatal Refused "Going on would leave the surface or enter a forbidden context.";
    TransportFailed "transport_failed" Major recoverable Unavailable "The transport broke or could not deliver the item.";

    // Manifests.
    ManifestNotFound "manifest_not_found" Major fatal Usage "There is no manifest at this place.";
    ManifestInvalid "manifest_invalid" Major fatal Invalid "The manifest breaks the rules of the format; nothing in it is exposed.";

    // Workflows.
    InvalidWorkflow "invalid_workflow" Major fatal Invalid "The workflow breaks the rules of the format.";
    WorkflowStepFailed "workflow_step_failed" Major recoverable Failed "A step of the workflow failed.";
    WorkflowRetryExhausted "workflow_retry_exhausted" Major recoverable Failed "The condition of `retry_until` did not hold within `max_attempts`.";
    WorkflowOutputFailed "workflow_output_failed" Major fatal Failed "The output of the workflow could not be computed; its steps have already run.";
    WorkflowOutputTooLarge "workflow_output_too_large" Major fatal Failed "The output of the workflow is over its byte budget; its steps have already run.";
    WorkflowLimitExceeded "workflow_limit_exceeded" Major fatal Failed "The workflow needs more steps, items, attempts or nesting than the limits allow.";

    // Expressions.
    InvalidExpression "invalid_expression" Major fatal Invalid "The expression is not valid JSONata.";
    ExpressionEvaluationFailed "expression_evaluation_failed" Major fatal Failed "The expression failed while it was evaluated.";
    ExpressionOutputTooLarge "expression_output_too_large" Major fatal Failed "The value of the expression is over its byte budget.";
    ExpressionBudgetExceeded "expression_budget_exceeded" Major fatal Failed "The expression used up its time, depth or sequence budget.";
    DisallowedExpressionFunction "disallowed_expression_function" Major fatal Invalid "The expression uses a function that maps may not use.";
    PartialExpressionUnsupported "partial_expression_unsupported" Major fatal Invalid "A string mixes text with an expression mark; a slot must be the whole string.";

    // State projections.
    InvalidStateProjection "invalid_state_projection" Major fatal Invalid "The projection breaks the rules of the format.";
    StateProjectionNotFound "state_projection_not_found" Minor recoverable Usage "No projection of this name applies to the page.";
    StateProjectionFailed "state_projection_failed" Major recoverable Failed "The projection could not be read from the page.";
    StateProjectionAmbiguous "state_projection_ambiguous" Minor recoverable Usage "More than one projection of this name applies to the page.";
    StateSummaryNotFound "state_summary_not_found" Minor recoverable Usage "The projection has no summary of this name.";
    StateSummaryFailed "state_summary_failed" Major fatal Failed "The summary could not be computed.";
    StatePayloadTooLarge "state_payload_too_large" Minor recoverable Failed "The state is over its byte budget; it is never cut short.";
    StateSchemaValidationFailed "state_schema_validation_failed" Major recoverable Failed "The projected state does not fit its output schema.";
    StateDiffRequiresFullState "state_diff_requires_full_state" Minor recoverable Usage "A difference needs the full state, not a summary.";
    InvalidStatePostcondition "invalid_state_postcondition" Major fatal Invalid "The postcondition breaks the rules of the format.";
    StatePostconditionFailed "state_postcondition_failed" Major recoverable Failed "The action ran, but its postcondition did not come true.";
    InvalidStateMarkers "invalid_state_markers" Major fatal Failed "The markers of the projection break the rules of the format.";
    StateMarkersFailed "state_markers_failed" Major fatal Failed "The markers of the projection could not be computed.";

    // The actions.site tool.
    SiteActionAmbiguous "site_action_ambiguous" Minor recoverable Usage "More than one map declares this action for the page.";
    UnsupportedExecutionMode "unsupported_execution_mode" Major fatal Failed "The tool declares an execution mode this engine does not perform.";

    // Finding and acting on elements.
    InvalidSelector "invalid_selector" Minor recoverable Invalid "The selector or XPath does not parse.";
    MultipleTargets "multiple_targets" Major recoverable Failed "A strict locator matches more than one element.";
    TargetNotActionable "target_not_actionable" Major recoverable Failed "The target is there but cannot be acted on: covered, disabled, not rendered or never stable.";
    TargetNotEditable "target_not_editable" Major recoverable Failed "The target takes no text.";
    TargetNotFocusable "target_not_focusable" Major recoverable Failed "The target cannot hold the focus.";
    TargetNotScrollable "target_not_scrollable" Minor recoverable Failed "The target does not scroll on this axis.";
    TargetDetached "target_detached" Major recoverable Failed "The target left the document while it was being acted on.";
    ShadowUnreachable "shadow_unreachable" Major fatal Failed "The target may be inside a closed shadow root that cannot be entered.";
    FrameNotFound "frame_not_found" Major recoverable Failed "No frame matches a step of the frame chain.";
    FrameDetached "frame_detached" Major recoverable Failed "The frame left the page during the call.";
    ClickNotReceived "click_not_received" Major recoverable Failed "The click was sent, but the target did not receive it.";
    InputNotReceived "input_not_received" Major recoverable Failed "The input was sent, but the target did not take it.";
    MissingCoordinates "missing_coordinates" Minor recoverable Invalid "A point needs both x and y.";
    PointOutOfViewport "point_out_of_viewport" Minor recoverable Failed "The point lies outside the viewport.";
    InvalidKey "invalid_key" Minor recoverable Invalid "The key or chord is not in the key table.";
    ScrollFailed "scroll_failed" Minor recoverable Failed "The page or element did not scroll.";
    OptionNotFound "option_not_found" Major recoverable Failed "The select element has no such option.";
    NoSelectTarget "no_select_target" Minor recoverable Failed "There is no element whose text could be selected.";
    NoPasteTarget "no_paste_target" Minor recoverable Failed "There is no element that could take the paste.";
    ClipboardReadDenied "clipboard_read_denied" Major fatal Refused "The clipboard may not be read.";
    ClipboardWriteDenied "clipboard_write_denied" Major fatal Refused "The clipboard may not be written.";
    UploadDenied "upload_denied" Critical fatal Refused "The file is outside the folders that may be uploaded from.";
    FileNotFound "file_not_found" Minor recoverable Failed "The file does not exist or cannot be read.";
    Timeout "timeout" Major recoverable Failed "What was waited for did not come true in time.";
    PayloadTooLarge "payload_too_large" Minor recoverable Failed "The result is over its byte or node limit; narrow the request.";

    // Pages and the browser.
    PageFetchCrossOrigin "page_fetch_cross_origin" Major fatal Refused "The page may fetch only from its own origin.";
    PageFetchFailed "page_fetch_failed" Major recoverable Failed "The page could not fetch the address.";
    NavigationFailed "navigation_failed" Major recoverable Unavailable "The page could not be loaded.";
    DialogOpen "dialog_open" Major recoverable Failed "A dialog of the page is open and blocks everything else.";
    NoDialog "no_dialog" Minor recoverable Failed "There is no open dialog.";
    ScreenshotFailed "screenshot_failed" Minor recoverable Failed "The browser gave no picture.";
    ScriptFailed "script_failed" Major recoverable Failed "The script threw.";
    PageCrashed "page_crashed" Major recoverable Unavailable "The page's process crashed.";
    PageClosed "page_closed" Major fatal Unavailable "The page was closed.";
    BrowserNotFound "browser_not_found" Major fatal Unavailable "There is no Chromium on this machine, or none where it was looked for.";
    BrowserLaunchFailed "browser_launch_failed" Major recoverable Unavailable "Chromium did not start.";
    BrowserLost "browser_lost" Major fatal Unavailable "The browser or its tab is gone; the call was not repeated elsewhere.";
    ReplayMiss "replay_miss" Major fatal Unavailable "The recording does not hold this request.";

    // Markers.
    MarkerNotFound "marker_not_found" Minor recoverable Failed "No projection has registered a marker of this id.";
    MarkerTypeMismatch "marker_type_mismatch" Minor recoverable Failed "The marker is of another type.";
    MarkerRecipeStepFailed "marker_recipe_step_failed" Major recoverable Failed "A step of the marker's recipe failed.";
    MarkerPromiseUnkept "marker_promise_unkept" Major recoverable Failed "The marker's recipe ran, but gave no place.";

    // Transfers between calls.
    TransferLabelNotFound "transfer_label_not_found" Minor recoverable Failed "Nothing was transferred under this label.";
    TransferExpired "transfer_expired" Minor recoverable Failed "The transferred value has expired.";
    TransferFormatUnsupported "transfer_format_unsupported" Minor recoverable Invalid "The format cannot be transferred.";
    TransferPayloadTooLarge "transfer_payload_too_large" Minor recoverable Failed "The transferred value is over its byte limit.";
    TransferAppendIncompatible "transfer_append_incompatible" Minor recoverable Failed "The value cannot be appended to what is there.";
    TransferItemSelectorInvalid "transfer_item_selector_invalid" Minor recoverable Failed "The item selector picks nothing from the transferred value.";

    // Task queues.
    InvalidTask "invalid_task" Minor recoverable Invalid "The task has no text.";
    NoActiveTask "no_active_task" Minor recoverable Failed "No task is in progress.";
    UnknownTask "unknown_task" Minor recoverable Failed "There is no task of this id.";

    // Storage.
    StorageFileNotFound "storage_file_not_found" Minor recoverable Failed "The map declares no such file, or it is missing.";
    StorageFileAmbiguousId "storage_file_ambiguous_id" Minor recoverable Failed "More than one declared file has this id.";

    // Ourselves.
    Cancelled "cancelled" Minor recoverable Failed "The caller cancelled the call.";
    InternalError "internal_error" Critical fatal Bug "A defect of this program; please report it.";
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
    fn the_whole_table() {
        let table: Vec<String> = ErrorCode::ALL
            .iter()
            .map(|code| {
                let recoverable = if code.recoverable() { "recoverable" } else { "fatal" };
                let (severity, exit) = (code.severity(), code.exit().code());
                format!("{code:<32}{severity:<10}{recoverable:<13}{exit:>2}  {}", code.sentence())
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"));
    }
}
