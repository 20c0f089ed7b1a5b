//! Input events: mouse, keyboard, drag.

use std::time::Duration;

use super::Point;
use crate::FrameId;

/// A button of the mouse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MouseButton {
    /// The main button.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The button for context menus.
    Right,
}

/// Modifier keys that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Alt or Option.
    pub alt: bool,
    /// Control.
    pub control: bool,
    /// Meta, Command or Windows.
    pub meta: bool,
    /// Shift.
    pub shift: bool,
}

impl Modifiers {
    /// No modifier.
    pub const NONE: Self = Self { alt: false, control: false, meta: false, shift: false };
}

/// A key as the page sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// `KeyboardEvent.key`, such as `a`, `A` or `Enter`.
    pub key: String,
    /// `KeyboardEvent.code`, such as `KeyA`.
    pub code: String,
    /// The Windows virtual key code, which `keyCode` shows.
    pub key_code: i64,
    /// The text the key types, if any; Enter types a carriage return.
    pub text: Option<String>,
    /// `KeyboardEvent.location`.
    pub location: i64,
    /// Whether it is a key of the number pad.
    pub keypad: bool,
    /// Editing commands the key stands for on some systems, such as `selectAll`.
    pub commands: Vec<String>,
}

/// One event of input. Points are of the main frame's viewport.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// The mouse moves; buttons that are down stay down.
    MouseMove {
        /// To here.
        to: Point,
        /// The held modifiers.
        modifiers: Modifiers,
    },
    /// A button goes down.
    MouseDown {
        /// Here.
        at: Point,
        /// The button.
        button: MouseButton,
        /// 1 for a click, 2 for the second click of a double click.
        click_count: u8,
        /// The held modifiers.
        modifiers: Modifiers,
    },
    /// A button goes up.
    MouseUp {
        /// Here.
        at: Point,
        /// The button.
        button: MouseButton,
        /// As for the press.
        click_count: u8,
        /// The held modifiers.
        modifiers: Modifiers,
    },
    /// The wheel turns.
    Wheel {
        /// Here.
        at: Point,
        /// Pixels to the right.
        delta_x: f64,
        /// Pixels down.
        delta_y: f64,
        /// The held modifiers.
        modifiers: Modifiers,
    },
    /// A key goes down.
    KeyDown {
        /// The key.
        key: Key,
        /// The held modifiers, this key included if it is one.
        modifiers: Modifiers,
        /// Whether it is a repetition of a key that is held.
        repeat: bool,
    },
    /// A key goes up.
    KeyUp {
        /// The key.
        key: Key,
        /// The modifiers still held.
        modifiers: Modifiers,
    },
    /// Text arrives at once, as from an input method or a paste.
    InsertText {
        /// The text.
        text: String,
    },
}

/// A drag with the main button: press at the first point, move through the others, release at the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// At least two points.
    pub path: Vec<Point>,
    /// The held modifiers.
    pub modifiers: Modifiers,
    /// The pause between two movements.
    pub pause: Duration,
    /// The frame whose document must have handled the last movement before the button is released.
    pub handled_in: Option<FrameId>,
}

/// How the page took a drag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragKind {
    /// By pointer events.
    Pointer,
    /// As an HTML drag and drop: `dragstart` to `drop`.
    DragAndDrop,
}
