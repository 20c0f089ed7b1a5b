//! Pointer gestures: prepares the target, sends the input, and waits until the page confirms that the target received it.
//!
//! The call that waits for the confirmation is sent first, together with the call that prepares the target. A click
//! therefore costs two round trips: one to prepare, and one for the input, during which the confirmation arrives.

mod aim;
mod attempt;
mod clicks;
mod confirmation;
mod focus;
mod pending_confirmation;
mod ready;
mod watch;

pub(crate) use aim::Aim;
pub(crate) use attempt::gesture;
pub(crate) use clicks::clicks;
pub(crate) use confirmation::{Astray, Confirmation, Disabled, Via};
pub(crate) use focus::listen_at_focus;
pub(crate) use ready::{Ready, approach, enter, ready, reveal};
pub(crate) use watch::Watch;
