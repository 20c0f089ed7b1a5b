//! A defect of ours ends the program in good order, with a request to report it.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use actions_engine::CallError;
use actions_protocol::{ErrorCode, Exit};

use crate::item::item;
use crate::output::{has_result, note, result};

/// Runs a command to its end, whatever is wrong with it. The item that was promised is written even then.
pub(crate) fn guarded(promised_item: bool, command: impl FnOnce() -> Exit) -> Exit {
    let place_and_message = take_hook();
    set_hook(Box::new(move |panic| {
        place_and_message(panic);
        note("error: this is a defect of `actions`; please report it, with the lines above and what you ran");
    }));
    // What the command held is gone with it, and nobody looks at it again.
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        if promised_item && !has_result() {
            let message = "a defect of this program ended the command; standard error says where";
            result(item(None, Err(CallError::new(ErrorCode::InternalError, message)), &[]).to_json());
        }
        Exit::Bug
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_defect_of_ours_and_the_promised_item_is_written_once() {
        assert_eq!(guarded(true, || panic!("nobody thought of this")), Exit::Bug);
        assert!(has_result());
        assert_eq!(guarded(false, || Exit::Done), Exit::Done);
    }
}
