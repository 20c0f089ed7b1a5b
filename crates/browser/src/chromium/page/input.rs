//! Sends input to a page: events are sent without waiting for each other.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::dom::SetFileInputFilesParams;
use chromiumoxide_cdp::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType,
    InsertTextParams, MouseButton as WireButton, SetInterceptDragsParams,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::RemoteObjectId;

use super::ChromiumPage;
use super::drag::Held;
use super::element::stale;
use super::refusal::replaced;
use crate::cdp::Pending;
use crate::{Deadline, Drag, DragKind, Error, Handle, Input, Key, Modifiers, MouseButton, Point, UserInput};

/// The mouse buttons that are down.
#[derive(Debug, Default)]
pub(super) struct Mouse {
    down: Vec<MouseButton>,
}

/// A response whose content does not matter.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Acknowledged {}

#[async_trait]
impl UserInput for ChromiumPage {
    async fn input(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.state().progress.start();
        self.send_and_wait(events, deadline).await?;
        self.update(|state| state.progress.acknowledge());
        Ok(())
    }

    async fn drag(&self, drag: &Drag, deadline: Deadline) -> Result<DragKind, Error> {
        self.refuse_if_blocked()?;
        let (Some(&from), Some(&to)) = (drag.path.first(), drag.path.last()) else {
            return Ok(DragKind::Pointer);
        };
        let mut held = Held::new(self, to, drag.modifiers, deadline);
        self.state().progress.start();
        let intercepting = self.session.send(SetInterceptDragsParams::new(true), deadline);
        let kind = self.drag_through(drag, from, to, &mut held, deadline).await?;
        self.update(|state| state.progress.acknowledge());
        let stopped = held.release();
        self.answer(intercepting).await?;
        self.answer(stopped).await?;
        Ok(kind)
    }

    async fn set_files(&self, input: &Handle, files: &[PathBuf], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.state().progress.start_in_order();
        let paths = files.iter().map(|file| absolute(file)).collect::<Result<Vec<String>, Error>>()?;
        let session = self.home_of(&input.frame, deadline).await?;
        let command = SetFileInputFilesParams {
            object_id: Some(RemoteObjectId::from(input.object.clone())),
            ..SetFileInputFilesParams::new(paths)
        };
        self.answer(session.send(command, deadline)).await.map(drop).map_err(stale)
    }
}

/// The absolute path of a readable file. The browser resolves no relative paths and reports no missing files. Links stay
/// as they are: the caller may have given one that leads to an open file.
fn absolute(file: &Path) -> Result<String, Error> {
    let missing = || Error::FileNotFound { path: file.to_path_buf() };
    let path = std::path::absolute(file).map_err(|_| missing())?;
    let readable = path.is_file() && std::fs::File::open(&path).is_ok();
    path.to_str().filter(|_| readable).map(str::to_owned).ok_or_else(missing)
}

impl ChromiumPage {
    /// Sends input events and waits until the page has acknowledged them.
    pub(super) async fn send_and_wait(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        let sent: Vec<Pending<Acknowledged>> =
            events.iter().map(|event| self.send_input(event, deadline)).collect();
        self.acknowledged(sent).await.map_err(replaced("input was sent"))
    }

    pub(super) fn send_input(&self, event: &Input, deadline: Deadline) -> Pending<Acknowledged> {
        match event {
            Input::MouseMove { to, modifiers } => {
                self.send_mouse(DispatchMouseEventType::MouseMoved, *to, *modifiers, None, 0, deadline)
            }
            Input::MouseDown { at, button, click_count, modifiers } => {
                let kind = DispatchMouseEventType::MousePressed;
                self.send_mouse(kind, *at, *modifiers, Some(*button), *click_count, deadline)
            }
            Input::MouseUp { at, button, click_count, modifiers } => {
                let kind = DispatchMouseEventType::MouseReleased;
                self.send_mouse(kind, *at, *modifiers, Some(*button), *click_count, deadline)
            }
            Input::Wheel { at, delta_x, delta_y, modifiers } => {
                let command = DispatchMouseEventParams {
                    delta_x: Some(*delta_x),
                    delta_y: Some(*delta_y),
                    modifiers: Some(bits(*modifiers)),
                    ..DispatchMouseEventParams::new(DispatchMouseEventType::MouseWheel, at.x, at.y)
                };
                self.session.send(command, deadline).without_content()
            }
            Input::KeyDown { key, modifiers, repeat } => {
                self.session.send(key_down(key, *modifiers, *repeat), deadline).without_content()
            }
            Input::KeyUp { key, modifiers } => {
                self.session.send(key_up(key, *modifiers), deadline).without_content()
            }
            Input::InsertText { text } => {
                self.session.send(InsertTextParams::new(text.clone()), deadline).without_content()
            }
        }
    }

    fn send_mouse(
        &self,
        kind: DispatchMouseEventType,
        at: Point,
        modifiers: Modifiers,
        button: Option<MouseButton>,
        click_count: u8,
        deadline: Deadline,
    ) -> Pending<Acknowledged> {
        let command = self.mouse_command(kind, at, modifiers, button, click_count);
        self.session.send(command, deadline).without_content()
    }

    pub(super) fn mouse_command(
        &self,
        kind: DispatchMouseEventType,
        at: Point,
        modifiers: Modifiers,
        button: Option<MouseButton>,
        click_count: u8,
    ) -> DispatchMouseEventParams {
        let mut mouse = self.mouse.lock().unwrap_or_else(PoisonError::into_inner);
        match (&kind, button) {
            (DispatchMouseEventType::MousePressed, Some(button)) if !mouse.down.contains(&button) => {
                mouse.down.push(button);
            }
            (DispatchMouseEventType::MouseReleased, Some(button)) => {
                mouse.down.retain(|down| *down != button)
            }
            _ => {}
        }
        // A move reports the pressed button; that is how the page recognises a drag.
        let shown = button.or_else(|| mouse.down.last().copied());
        DispatchMouseEventParams {
            button: Some(shown.map_or(WireButton::None, wire_button)),
            buttons: Some(mouse.down.iter().map(|button| button_bit(*button)).sum()),
            click_count: Some(click_count.into()),
            modifiers: Some(bits(modifiers)),
            // A mouse has no sensor: its pressure is a half while a button is down.
            force: Some(if mouse.down.is_empty() { 0.0 } else { 0.5 }),
            ..DispatchMouseEventParams::new(kind, at.x, at.y)
        }
    }
}

/// The protocol's bit field of modifiers.
pub(super) fn bits(modifiers: Modifiers) -> i64 {
    i64::from(modifiers.alt)
        | i64::from(modifiers.control) << 1
        | i64::from(modifiers.meta) << 2
        | i64::from(modifiers.shift) << 3
}

fn wire_button(button: MouseButton) -> WireButton {
    match button {
        MouseButton::Left => WireButton::Left,
        MouseButton::Middle => WireButton::Middle,
        MouseButton::Right => WireButton::Right,
    }
}

fn button_bit(button: MouseButton) -> i64 {
    match button {
        MouseButton::Left => 1,
        MouseButton::Right => 2,
        MouseButton::Middle => 4,
    }
}

fn key_down(key: &Key, modifiers: Modifiers, repeat: bool) -> DispatchKeyEventParams {
    // Without text the page gets no `keypress` event, as for a real key that types nothing.
    let kind = match key.text {
        Some(_) => DispatchKeyEventType::KeyDown,
        None => DispatchKeyEventType::RawKeyDown,
    };
    DispatchKeyEventParams {
        text: key.text.clone(),
        unmodified_text: key.text.clone(),
        auto_repeat: Some(repeat),
        commands: (!key.commands.is_empty()).then(|| key.commands.clone()),
        ..key_event(kind, key, modifiers)
    }
}

fn key_up(key: &Key, modifiers: Modifiers) -> DispatchKeyEventParams {
    key_event(DispatchKeyEventType::KeyUp, key, modifiers)
}

fn key_event(kind: DispatchKeyEventType, key: &Key, modifiers: Modifiers) -> DispatchKeyEventParams {
    DispatchKeyEventParams {
        key: Some(key.key.clone()),
        code: Some(key.code.clone()),
        windows_virtual_key_code: Some(key.key_code),
        location: Some(key.location),
        is_keypad: Some(key.keypad),
        modifiers: Some(bits(modifiers)),
        ..DispatchKeyEventParams::new(kind)
    }
}
