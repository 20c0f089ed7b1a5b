//! Turns a panic into an orderly exit with a request to report the bug.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};

use crate::item::item;
use crate::output::{has_result, json_text, note};
use crate::text::visible;

/// Runs a command and catches panics. Writes the item that `--item` promises even then.
pub(crate) fn guarded(promised_item: bool, command: impl FnOnce() -> Exit) -> Exit {
    set_hook(Box::new(|panic| {
        // The message may contain text of a map or page.
        note(visible(&panic.to_string()));
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            note(trace);
        }
        note(
            "error: this is a bug in `actions`; please report it with the lines above and the command you ran",
        );
    }));
    // Unwind safety: nothing that the command owned is used after the panic.
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        if promised_item && !has_result() {
            let message = "a bug in this program ended the command; see standard error";
            json_text(&item(None, Err(CallError::new(ErrorCode::InternalError, message)), &[]).to_json());
        }
        Exit::Bug
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_exits_as_a_bug_and_still_writes_the_promised_item() {
        assert_eq!(guarded(true, || panic!("unforeseen")), Exit::Bug);
        assert!(has_result());
        assert_eq!(guarded(false, || Exit::Done), Exit::Done);
    }
}
