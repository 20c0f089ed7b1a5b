//! The input events of clicks.

use actions_browser::{Input, Modifiers, MouseButton, Point};

/// The input events of `count` clicks at a point.
pub(crate) fn clicks(at: Point, button: MouseButton, modifiers: Modifiers, count: u8) -> Vec<Input> {
    let mut input = vec![Input::MouseMove { to: at, modifiers }];
    for click_count in 1..=count {
        input.push(Input::MouseDown { at, button, click_count, modifiers });
        input.push(Input::MouseUp { at, button, click_count, modifiers });
    }
    input
}
