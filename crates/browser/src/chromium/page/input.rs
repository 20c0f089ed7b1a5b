//! Input: events go out one behind the other without waiting for each other.

use chromiumoxide_cdp::cdp::browser_protocol::input::{
    DispatchKeyEventParams, DispatchKeyEventType, DispatchMouseEventParams, DispatchMouseEventType,
    InsertTextParams, MouseButton as WireButton,
};
use std::sync::PoisonError;

use super::ChromiumPage;
use super::refusal::replaced;
use crate::cdp::Pending;
use crate::{Deadline, Error, Input, Key, Modifiers, MouseButton, Point};

/// Which buttons of the mouse are down.
#[derive(Debug, Default)]
pub(super) struct Mouse {
    down: Vec<MouseButton>,
}

/// An answer without content, whatever command it belongs to.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Taken {}

impl ChromiumPage {
    pub(super) async fn dispatch(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.state().told.stir();
        self.give(events, deadline).await?;
        self.state().told.take();
        Ok(())
    }

    /// Sends input and waits until the page has taken it.
    pub(super) async fn give(&self, events: &[Input], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        let sent: Vec<Pending<Taken>> = events.iter().map(|event| self.send_input(event, deadline)).collect();
        self.answers(sent).await.map_err(replaced("input was given"))
    }

    pub(super) fn send_input(&self, event: &Input, deadline: Deadline) -> Pending<Taken> {
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
                    modifiers: Some(modifiers.bits()),
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
    ) -> Pending<Taken> {
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
        // A move bears the button that is down; that is how the page knows a drag.
        let shown = button.or_else(|| mouse.down.last().copied());
        DispatchMouseEventParams {
            button: Some(shown.map_or(WireButton::None, wire_button)),
            buttons: Some(mouse.down.iter().map(|button| button_bit(*button)).sum()),
            click_count: Some(click_count.into()),
            modifiers: Some(modifiers.bits()),
            ..DispatchMouseEventParams::new(kind, at.x, at.y)
        }
    }
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
    // Without text the page gets no keypress, as for a real key that types nothing.
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
        modifiers: Some(modifiers.bits()),
        ..DispatchKeyEventParams::new(kind)
    }
}
