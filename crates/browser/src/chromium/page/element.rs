//! Handles on elements, and the frames that elements show.

use chromiumoxide_cdp::cdp::browser_protocol::dom::{BackendNodeId, GetFrameOwnerParams, ResolveNodeParams};
use chromiumoxide_cdp::cdp::js_protocol::runtime::{ExecutionContextId, ReleaseObjectParams};
use serde_json::Value;

use super::ChromiumPage;
use super::describe_node::DescribeNode;
use crate::cdp::Session;
use crate::{Deadline, Error, FrameId, Handle, script};

impl ChromiumPage {
    pub(super) async fn pick_element(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        self.object_of(frame, script::PICK, &[Value::from(locator.to_string())], nodes, deadline).await
    }

    pub(super) fn release_handles(&self, handles: &[Handle]) {
        for handle in handles {
            if let Some(session) = self.frame_session(&handle.frame) {
                // The document may be gone, and the object with it.
                session.send_then(ReleaseObjectParams::new(handle.object.clone()), drop);
            }
        }
    }

    pub(super) async fn frame_shown_by(
        &self,
        element: &Handle,
        deadline: Deadline,
    ) -> Result<Option<FrameId>, Error> {
        self.refuse_if_blocked()?;
        let session = self.home_of(&element.frame, deadline).await?;
        let command = DescribeNode::ObjectId(&element.object);
        let described = self.answer(session.send(command, deadline)).await.map_err(stale)?;
        Ok(described.node.frame_id.map(FrameId::new))
    }

    pub(super) async fn element_showing(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error> {
        self.refuse_if_blocked()?;
        let parent = self.parent_of(frame)?;
        // The world must be there before an element can be brought into it.
        let script = self.script(&parent, deadline).await?;
        let owner = self.owner_of(frame, &script.session, deadline).await?;
        self.bring_into_world(&parent, &script.session, &script.object, owner, deadline).await
    }

    /// The session of a frame's process; waits while the frame moves from one process to another.
    pub(super) async fn home_of(&self, frame: &FrameId, deadline: Deadline) -> Result<Session, Error> {
        self.until(
            deadline,
            |_| (format!("the process of frame {frame}"), None),
            |state| match state.frame(frame) {
                Some(known) if known.crashed => Some(Err(Error::FrameCrashed { frame: frame.clone() })),
                Some(known) => known.home.clone().map(Ok),
                None => Some(Err(Error::FrameDetached { frame: frame.clone() })),
            },
        )
        .await
    }

    pub(super) fn parent_of(&self, frame: &FrameId) -> Result<FrameId, Error> {
        let state = self.state();
        let known = state.frame(frame).ok_or_else(|| Error::FrameDetached { frame: frame.clone() })?;
        known.parent.clone().ok_or_else(|| Error::FrameNotRendered { frame: frame.clone() })
    }

    /// The element that shows a frame, by the number it has in the process of the frame's parent.
    pub(super) async fn owner_of(
        &self,
        frame: &FrameId,
        parent: &Session,
        deadline: Deadline,
    ) -> Result<BackendNodeId, Error> {
        let command = GetFrameOwnerParams::new(frame.as_str().to_owned());
        let owner = self.answer(parent.send(command, deadline)).await.map_err(|error| match error {
            Error::Refused { .. } => Error::FrameDetached { frame: frame.clone() },
            other => other,
        })?;
        Ok(owner.backend_node_id)
    }

    /// Gives a node as an object of the world the page script lives in.
    pub(super) async fn bring_into_world(
        &self,
        frame: &FrameId,
        session: &Session,
        script: &str,
        node: BackendNodeId,
        deadline: Deadline,
    ) -> Result<Handle, Error> {
        let command = ResolveNodeParams {
            backend_node_id: Some(node),
            execution_context_id: Some(world_number(script)?),
            ..ResolveNodeParams::default()
        };
        let resolved = self.answer(session.send(command, deadline)).await.map_err(stale)?;
        let object = resolved.object.object_id.map(String::from).ok_or(Error::HandleStale)?;
        Ok(Handle { frame: frame.clone(), object })
    }
}

/// The number of the world an object belongs to: objects are named `isolate.world.object`.
fn world_number(object: &str) -> Result<ExecutionContextId, Error> {
    object
        .split('.')
        .nth(1)
        .and_then(|number| number.parse::<i64>().ok())
        .map(ExecutionContextId::new)
        .ok_or(Error::HandleStale)
}

/// A node that is refused belongs to a document that is gone.
pub(super) fn stale(error: Error) -> Error {
    match error {
        Error::Refused { .. } => Error::HandleStale,
        other => other,
    }
}
