//! Converts positions in the output of a frame to the main viewport.

use actions_browser::Call;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::frame_path::{FramePath, Link};
use crate::scene::Scene;

/// The keys of outputs that hold a tested point.
const POINTS: [&str; 2] = ["clickable_center", "action_point"];
/// The keys of outputs that hold the visible part of an element.
const PARTS: [&str; 1] = ["visible_rect"];
/// The keys of outputs that hold the box of an element.
const BOXES: [&str; 2] = ["bounding_box", "rect"];

/// A width beyond any viewport, in pixels.
const WIDE: f64 = 100_000.0;

/// The positions in an output, in the order in which [`gather`] meets them.
#[derive(Default)]
struct Places {
    points: Vec<Value>,
    parts: Vec<Value>,
    boxes: Vec<Value>,
}

#[derive(Deserialize)]
struct Passed {
    points: Vec<Value>,
    parts: Vec<Value>,
    rects: Vec<Value>,
}

/// Converts every position in an output from the viewport of a frame to the main viewport. Costs one round trip per
/// frame. An element that a document around the frame hides or covers is then reported as hidden or covered.
pub(crate) async fn outward(scene: &Scene<'_>, path: &FramePath, output: &mut Value) -> Result<(), Failure> {
    if path.links.is_empty() {
        return Ok(());
    }
    let mut places = Places::default();
    gather(output, &mut places);
    for link in path.links.iter().rev() {
        places.pass(scene, link).await?;
    }
    let mut places = Places {
        points: places.points.into_iter().rev().collect(),
        parts: places.parts.into_iter().rev().collect(),
        boxes: places.boxes.into_iter().rev().collect(),
    };
    put_back(output, &mut places);
    Ok(())
}

impl Places {
    async fn pass(&mut self, scene: &Scene<'_>, link: &Link) -> Result<(), Failure> {
        let question = json!({
            "locator": link.locator, "points": present(&self.points), "parts": present(&self.parts), "rects": self.boxes,
        });
        let passed: Passed = match &link.element {
            None => scene.look_in(&link.parent, "frame.pass", &question).await?,
            Some(element) => {
                let nodes = std::slice::from_ref(element);
                let call = Call::new(&link.parent, "frame.pass", &question).reading().with_nodes(nodes);
                scene.page().call(call, scene.deadline).await?
            }
        };
        refill(&mut self.points, passed.points);
        refill(&mut self.parts, passed.parts);
        self.boxes = passed.rects;
        Ok(())
    }
}

fn present(values: &[Value]) -> Vec<&Value> {
    values.iter().filter(|value| !value.is_null()).collect()
}

/// Replaces each value that was sent by its answer. Null values were not sent.
fn refill(values: &mut [Value], answers: Vec<Value>) {
    let mut answers = answers.into_iter();
    for value in values.iter_mut().filter(|value| !value.is_null()) {
        *value = answers.next().unwrap_or_default();
    }
}

fn gather(value: &Value, places: &mut Places) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| gather(item, places)),
        Value::Object(members) => {
            if let Some(band) = band(members) {
                places.parts.push(band.clone());
                places.boxes.push(band);
            }
            for (key, member) in members {
                if POINTS.contains(&key.as_str()) {
                    places.points.push(member.clone());
                } else if PARTS.contains(&key.as_str()) {
                    places.parts.push(member.clone());
                } else if BOXES.contains(&key.as_str()) {
                    places.boxes.push(member.clone());
                } else {
                    gather(member, places);
                }
            }
        }
        _ => {}
    }
}

fn put_back(value: &mut Value, places: &mut Places) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| put_back(item, places)),
        Value::Object(members) => {
            if band(members).is_some() {
                let seen = places.parts.pop().is_some_and(|part| !part.is_null());
                let mapped = places.boxes.pop().unwrap_or_default();
                for key in ["top", "bottom", "height"] {
                    members.insert(key.to_owned(), mapped[key].clone());
                }
                members.insert("visible".to_owned(), json!(seen && members["visible"] == true));
            }
            for (key, member) in members.iter_mut() {
                if POINTS.contains(&key.as_str()) {
                    *member = places.points.pop().unwrap_or_default();
                } else if PARTS.contains(&key.as_str()) {
                    *member = places.parts.pop().unwrap_or_default();
                } else if BOXES.contains(&key.as_str()) {
                    *member = places.boxes.pop().unwrap_or_default();
                } else {
                    put_back(member, places);
                }
            }
            correct(members);
        }
        _ => {}
    }
}

/// The box of a section, which has only `top` and `bottom` and spans the whole width.
fn band(members: &Map<String, Value>) -> Option<Value> {
    let number = |key: &str| members.get(key).and_then(Value::as_f64);
    let (top, bottom, _) = (number("top")?, number("bottom")?, number("scroll_y")?);
    Some(json!({ "left": 0, "top": top, "right": WIDE, "bottom": bottom }))
}

/// Updates the members that follow from the converted positions, such as `clickable`.
fn correct(members: &mut Map<String, Value>) {
    let is_null = |members: &Map<String, Value>, key: &str| members.get(key).is_some_and(Value::is_null);
    let out_of_view = is_null(members, "visible_rect");
    let unmet = POINTS.iter().any(|key| is_null(members, key));
    let mut say = |key: &str, value: Value| {
        if let Some(member) = members.get_mut(key) {
            *member = value;
        }
    };
    if out_of_view {
        for key in ["in_viewport", "visible", "fully_visible"] {
            say(key, json!(false));
        }
        say("visible_ratio", json!(0));
    }
    if unmet {
        for key in ["clickable", "receives_events"] {
            say(key, json!(false));
        }
    }
    if members.get("state").is_some_and(|state| state == "visible") && (out_of_view || unmet) {
        members.insert("state".to_owned(), json!(if out_of_view { "requires_scroll" } else { "covered" }));
    }
    if is_null(members, "clickable_center") {
        members.remove("clickable_center");
    }
    if let Some(center) = members.contains_key("visible_center").then(|| center_of(&members["visible_rect"]))
    {
        members.insert("visible_center".to_owned(), center);
    }
}

fn center_of(rect: &Value) -> Value {
    let number = |key: &str| rect[key].as_f64();
    match (number("x"), number("y"), number("width"), number("height")) {
        (Some(x), Some(y), Some(width), Some(height)) => {
            json!({ "x": x + width / 2.0, "y": y + height / 2.0 })
        }
        _ => Value::Null,
    }
}
