//! Turns a panic into an orderly exit with a request to report the bug.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};

use crate::item::item;
use crate::output::{has_result, note, result};

/// Runs a command and catches panics. Writes the item that `--item` promises even then.
pub(crate) fn guarded(promised_item: bool, command: impl FnOnce() -> Exit) -> Exit {
    let place_and_message = take_hook();
    set_hook(Box::new(move |panic| {
        place_and_message(panic);
        note(
            "error: this is a bug in `actions`; please report it with the lines above and the command you ran",
        );
    }));
    // Unwind safety: nothing that the command owned is used after the panic.
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        if promised_item && !has_result() {
            let message = "a bug in this program ended the command; see standard error";
            result(item(None, Err(CallError::new(ErrorCode::InternalError, message)), &[]).to_json());
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
