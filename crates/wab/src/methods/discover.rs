//! `wab.discover`: returns the discovery document.

use super::{Done, Params, Situation};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, _params: Params) -> Result<Done, Fault> {
    Ok(situation.bridge.shared.document().into())
}
