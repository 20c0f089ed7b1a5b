//! A gesture of the pointer: its goal is made ready and mapped through frames, the input is sent, and the page is heard to
//! deliver it.
//!
//! The page is asked what became of a gesture before it is asked to get ready for it, in one go; so a click costs one
//! round trip to get ready and one for the input, whose answer comes along with the confirmation.

mod aim;
mod attempt;
mod clicks;
mod confirmation;
mod focus;
mod hearing;
mod ready;
mod watch;

pub(crate) use aim::Aim;
pub(crate) use attempt::gesture;
pub(crate) use clicks::clicks;
pub(crate) use confirmation::{Astray, Confirmation, Disabled, Via};
pub(crate) use focus::listen_at_focus;
pub(crate) use ready::{Ready, approach, enter, ready, reveal};
pub(crate) use watch::Watch;
