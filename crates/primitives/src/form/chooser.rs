//! Hands files to the file chooser that a click opens. The page may keep its file field out of the document.

use std::path::PathBuf;

use actions_browser::{Call, FrameId, Handle, Modifiers, MouseButton, PageEvent};
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::upload::{Given, HeldFile};
use crate::Failure;
use crate::gesture::{Aim, Ready, Watch, clicks, gesture};
use crate::locate::Locator;
use crate::matched::Matched;
use crate::patience::Patience;
use crate::scene::Scene;

/// What became of the files that a chooser was handed.
pub(super) struct Chosen {
    /// What was clicked.
    pub(super) clicked: Matched,
    /// What the field reported; `None` if the page loaded another document because of the files.
    pub(super) given: Option<Given>,
}

/// A file chooser that the page wanted to open. The browser did not show it.
struct Chooser {
    frame: FrameId,
    multiple: bool,
    /// The browser's number of the file field that it belongs to.
    field: Option<i64>,
}

/// The field of a chooser, as the page script reads it.
#[derive(Deserialize)]
struct Field {
    #[serde(rename = "files")]
    _files: Vec<HeldFile>,
}

/// Clicks an element, waits for the file chooser that it opens, and hands it the files.
pub(super) async fn hand(
    scene: &Scene<'_>,
    locator: &Locator,
    files: &[PathBuf],
    timeout_ms: u64,
) -> Result<Chosen, Failure> {
    if files.is_empty() {
        let message = "a file chooser must be handed at least one file";
        return Err(Failure::new(ErrorCode::InvalidInput, message));
    }
    let patience = Patience::of(scene, timeout_ms);
    // Subscribed before the click, so that no chooser goes unnoticed.
    let mut events = scene.page().events();
    let aim = Aim::Locator { locator: locator.clone(), offset: None };
    let input = |ready: &Ready<'_>| clicks(ready.point, MouseButton::Left, Modifiers::NONE, 1);
    let lost = ErrorCode::ClickNotReceived;
    let (ready, _) = gesture(scene, &aim, timeout_ms, Watch::until("click", 1), lost, input).await?;
    let chooser = opened(scene, &mut events, patience).await?;
    if files.len() > 1 && !chooser.multiple {
        return Err(Failure::new(ErrorCode::TargetNotActionable, "the file chooser takes only one file")
            .with_evidence("reason", "not_multiple"));
    }
    let Some(node) = chooser.field else {
        let message = "the file chooser belongs to no file field, so files cannot be handed to it";
        return Err(
            Failure::new(ErrorCode::TargetNotActionable, message).with_evidence("reason", "no_file_field")
        );
    };
    let field = scene.page().numbered_node(&chooser.frame, node, scene.deadline).await?;
    let given = give(scene, &chooser.frame, &field, files).await;
    scene.page().release(std::slice::from_ref(&field));
    Ok(Chosen { clicked: ready.matched, given: given? })
}

/// Waits for the file chooser. The page may fetch something before it opens one.
async fn opened(
    scene: &Scene<'_>,
    events: &mut Receiver<PageEvent>,
    patience: Patience,
) -> Result<Chooser, Failure> {
    let over =
        scene.stage.clock().sleep_until(scene.stage.clock().now() + patience.left(scene).max(AT_LEAST));
    tokio::pin!(over);
    loop {
        let event = tokio::select! {
            biased;
            event = events.recv() => event,
            () = &mut over => {
                let message = "the element was clicked, but no file chooser opened";
                return Err(Failure::new(ErrorCode::Timeout, message).with_evidence("waited_for", "file_chooser"));
            }
        };
        match event {
            Ok(PageEvent::FileChooser { frame, multiple, field }) => {
                return Ok(Chooser { frame, multiple, field });
            }
            Ok(PageEvent::Closed) | Err(RecvError::Closed) => {
                let message = "the page closed before a file chooser opened";
                return Err(Failure::new(ErrorCode::PageClosed, message));
            }
            Ok(PageEvent::Crashed) => {
                let message = "the page crashed before a file chooser opened";
                return Err(Failure::new(ErrorCode::PageCrashed, message));
            }
            Ok(_) | Err(RecvError::Lagged(_)) => {}
        }
    }
}

/// The least time that a chooser is waited for once its element was clicked.
const AT_LEAST: std::time::Duration = std::time::Duration::from_millis(500);

/// Gives the field the files and returns what became of them; `None` if the page loaded another document because of that.
async fn give(
    scene: &Scene<'_>,
    frame: &FrameId,
    field: &Handle,
    files: &[PathBuf],
) -> Result<Option<Given>, Failure> {
    let nodes = [field.clone()];
    let expect = json!({ "locator": {}, "chosen": true });
    let call = Call::new(frame, "form.files", &expect).with_nodes(&nodes).reading();
    let _: Field = scene.page().call(call, scene.deadline).await?;
    scene.page().set_files(field, files, scene.deadline).await?;
    let given = json!({ "locator": {}, "given": true });
    match scene.look_in::<Given>(frame, "form.files", &given).await {
        Ok(given) => Ok(Some(given)),
        Err(failure) if scene.has_replaced_document(&failure).await => Ok(None),
        Err(failure) => Err(failure),
    }
}
