//! Handles on elements, and the frames that elements show.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::dom::{BackendNodeId, GetFrameOwnerParams, ResolveNodeParams};
use chromiumoxide_cdp::cdp::js_protocol::runtime::{ExecutionContextId, ReleaseObjectParams};
use serde_json::Value;

use super::ChromiumPage;
use super::describe_node::DescribeNode;
use super::shadow::{DEEPEST, HOSTS};
use crate::cdp::Session;
use crate::{Deadline, Elements, Error, FrameId, Handle, script};

#[async_trait]
impl Elements for ChromiumPage {
    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        self.object_of(frame, script::PICK, &[Value::from(locator.to_string())], nodes, deadline).await
    }

    fn release(&self, handles: &[Handle]) {
        for handle in handles {
            if let Some(session) = self.frame_session(&handle.frame) {
                // If the document is gone, so is the object.
                session.send_then(ReleaseObjectParams::new(handle.object.clone()), drop);
            }
        }
    }

    async fn content_frame(&self, element: &Handle, deadline: Deadline) -> Result<Option<FrameId>, Error> {
        self.refuse_if_blocked()?;
        let session = self.home_of(&element.frame, deadline).await?;
        let command = DescribeNode::ObjectId(&element.object);
        let described = self.answer(session.send(command, deadline)).await.map_err(stale)?;
        Ok(described.node.frame_id.map(FrameId::new))
    }

    async fn frame_element(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error> {
        self.refuse_if_blocked()?;
        let parent = self.parent_of(frame)?;
        // The world must exist before an element can be resolved into it.
        let script = self.script(&parent, deadline).await?;
        let owner = self.owner_of(frame, &script.session, deadline).await?;
        self.resolve_in_world(&parent, &script.session, &script.object, owner, deadline).await
    }

    /// Asks the browser about elements that may host a closed root and that it has not been asked about before. The page
    /// script chooses them, so no page is too large or too deep, and it enters the roots that are found.
    async fn closed_shadow_roots(&self, frame: &FrameId, deadline: Deadline) -> Result<Vec<Handle>, Error> {
        let mut found = Vec::new();
        let mut inner: Vec<Handle> = Vec::new();
        for round in 0..DEEPEST {
            let answered = Value::from(round > 0);
            let hosts = self.object_of(frame, HOSTS, &[answered], &inner, deadline).await?;
            found.append(&mut inner);
            let Some(hosts) = hosts else { break };
            inner = self.closed_roots_in(frame, hosts, deadline).await?;
        }
        found.append(&mut inner);
        Ok(found)
    }
}

impl ChromiumPage {
    /// The session of a frame's process. Waits while the frame moves from one process to another.
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

    /// The element that shows a frame, by its node id in the process of the frame's parent.
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

    /// Resolves a node to an object of the world that the page script lives in.
    pub(super) async fn resolve_in_world(
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

/// The number of the world an object belongs to: object ids have the form `isolate.world.object`.
fn world_number(object: &str) -> Result<ExecutionContextId, Error> {
    object
        .split('.')
        .nth(1)
        .and_then(|number| number.parse::<i64>().ok())
        .map(ExecutionContextId::new)
        .ok_or(Error::HandleStale)
}

/// Maps a refused node to [`Error::HandleStale`]: its document is gone.
pub(super) fn stale(error: Error) -> Error {
    match error {
        Error::Refused { .. } => Error::HandleStale,
        other => other,
    }
}
