//! Makes time and random numbers of a worker the same on every load.
//!
//! A worker that waits for us before its start has no global object yet, and evaluating there ends the process of its page.
//! So the debugger stops it right before its first script instead.

use chromiumoxide_cdp::cdp::js_protocol::debugger::{
    DisableParams, EnableParams, ResumeParams, SetInstrumentationBreakpointInstrumentation,
    SetInstrumentationBreakpointParams,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::EvaluateParams;

use crate::cdp::Session;

/// The event of a worker that has been stopped.
pub(crate) const PAUSED: &str = "Debugger.paused";

/// Asks for a stop before the first script of a worker that has not started.
pub(crate) fn prepare(session: &Session) {
    session.send_then(EnableParams::default(), drop);
    let before_scripts = SetInstrumentationBreakpointInstrumentation::BeforeScriptExecution;
    session.send_then(SetInstrumentationBreakpointParams::new(before_scripts), drop);
}

/// Runs the script in a worker that was stopped, and lets the worker go on for good.
pub(crate) fn paused(session: &Session, script: &str) {
    session.send_then(EvaluateParams::new(script), drop);
    session.send_then(ResumeParams::default(), drop);
    session.send_then(DisableParams {}, drop);
}
