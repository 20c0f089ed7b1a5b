//! `a11y.tree`: outlines the accessibility tree of the page.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use actions_browser::{AccessibleNode, FrameId};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::went_away;
use crate::Failure;
use crate::locate::Locator;
use crate::patience::Patience;
use crate::scene::Scene;

/// The longest name or value in a line, in characters.
const LONGEST: usize = 300;

/// States that a line shows when they hold, and those that it shows with their value.
const FLAGS: [&str; 8] =
    ["focused", "disabled", "selected", "required", "readonly", "modal", "multiselectable", "busy"];
const VALUES: [&str; 7] = ["checked", "pressed", "expanded", "level", "invalid", "live", "hasPopup"];

/// Kinds of nodes that only repeat the text of their parent.
const REPEATED: [&str; 2] = ["InlineTextBox", "ListMarker"];

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Option<Locator>,
    max_depth: usize,
    max_nodes: usize,
    max_payload_bytes: usize,
}

#[derive(Serialize)]
pub(crate) struct Output {
    url: String,
    node_count: usize,
    outline: String,
    truncated: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let (frame, start) = match &args.locator {
        None => (scene.page().main_frame(), None),
        Some(locator) => start(&scene, locator).await?,
    };
    let mut documents = Documents::default();
    documents.read(&scene, &frame, start).await?;
    let mut outline = Outline {
        documents: &documents,
        limits: &args,
        text: String::new(),
        count: 0,
        truncated: false,
        seen: HashSet::new(),
    };
    if let Some(root) = documents.roots.get(&frame) {
        outline.write((&frame, root), 0, "");
    }
    let Outline { text, count, truncated, .. } = outline;
    if text.len() > args.max_payload_bytes {
        let message =
            format!("the outline has more than {} bytes in its first {count} nodes", args.max_payload_bytes);
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
            .with_evidence("limit", args.max_payload_bytes)
            .with_evidence(
                "hint",
                "begin at an element with `locator`, or lower `max_depth` or `max_nodes`",
            ));
    }
    Ok(Output { url: scene.page().url(), node_count: count, outline: text.trim_end().to_owned(), truncated })
}

/// The frame of a locator, and the number of the node it resolves to.
async fn start(scene: &Scene<'_>, locator: &Locator) -> Result<(FrameId, Option<i64>), Failure> {
    let frame = scene.path(locator.frames(), Patience::of(scene, 0)).await?.frame;
    // The page script says why there is no element; picking one does not.
    let question = json!({ "locator": locator.query(), "auto_scroll": false, "max_candidates": 1 });
    let _: Value = scene.read_in(&frame, "locator.element_info", &question).await?;
    let page = scene.page();
    let Some(element) = page.pick(&frame, locator.query(), &[], scene.deadline).await? else {
        return Err(Failure::new(ErrorCode::TargetNotFound, "the element has left the document"));
    };
    let number = page.number_of(&element, scene.deadline).await;
    page.release(std::slice::from_ref(&element));
    Ok((frame, Some(number?)))
}

/// The trees of documents, joined where one shows another in a frame.
#[derive(Default)]
struct Documents {
    nodes: HashMap<FrameId, HashMap<String, AccessibleNode>>,
    roots: HashMap<FrameId, String>,
    /// By document and number of a frame element, the frame that it shows.
    shown: HashMap<(FrameId, i64), FrameId>,
}

impl Documents {
    /// Reads the tree of a frame and of the frames inside it. `start` is the number of the node to begin at.
    async fn read(&mut self, scene: &Scene<'_>, frame: &FrameId, start: Option<i64>) -> Result<(), Failure> {
        let frames = scene.page().frames();
        let mut open = vec![frame.clone()];
        while let Some(at) = open.pop() {
            let tree = match scene.page().accessible_tree(&at, scene.deadline).await {
                Ok(tree) => tree,
                Err(error) if went_away(&error) && at != *frame => continue,
                Err(error) => return Err(error.into()),
            };
            let start = start.filter(|_| at == *frame);
            let is_start = |node: &&AccessibleNode| start.is_none_or(|number| node.node == Some(number));
            match tree.iter().find(is_start) {
                Some(root) => drop(self.roots.insert(at.clone(), root.id.clone())),
                None if at == *frame => {
                    let message = "the element is not in the accessibility tree";
                    return Err(Failure::new(ErrorCode::TargetNotFound, message));
                }
                None => {}
            }
            self.nodes.insert(at.clone(), tree.into_iter().map(|node| (node.id.clone(), node)).collect());
            for inner in frames.iter().filter(|known| known.parent.as_ref() == Some(&at)) {
                if let Some(number) = owner(scene, &inner.id).await? {
                    self.shown.insert((at.clone(), number), inner.id.clone());
                    open.push(inner.id.clone());
                }
            }
        }
        Ok(())
    }
}

/// The number of the element that shows a frame; `None` if the frame has gone.
async fn owner(scene: &Scene<'_>, frame: &FrameId) -> Result<Option<i64>, Failure> {
    let page = scene.page();
    let number = async {
        let element = page.frame_element(frame, scene.deadline).await?;
        let number = page.number_of(&element, scene.deadline).await;
        page.release(std::slice::from_ref(&element));
        number
    };
    match number.await {
        Ok(number) => Ok(Some(number)),
        Err(error) if went_away(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// An outline that is being written.
struct Outline<'a> {
    documents: &'a Documents,
    limits: &'a Args,
    text: String,
    count: usize,
    truncated: bool,
    /// Every node is written once, whatever the tree says.
    seen: HashSet<(&'a FrameId, &'a str)>,
}

impl<'a> Outline<'a> {
    /// Writes a node and what is below it. Ignored nodes are left out; their children take their place.
    fn write(&mut self, (frame, id): (&'a FrameId, &'a str), depth: usize, around: &str) {
        let Some(node) = self.documents.nodes.get(frame).and_then(|nodes| nodes.get(id)) else { return };
        if !self.seen.insert((frame, id)) || REPEATED.contains(&node.role.as_str()) {
            return;
        }
        let repeats = node.role == "StaticText" && (node.name == around || node.name.trim().is_empty());
        let mut inner = depth;
        if !node.is_ignored && !repeats {
            if depth >= self.limits.max_depth
                || self.count >= self.limits.max_nodes
                || self.text.len() > self.limits.max_payload_bytes
            {
                self.truncated = true;
                return;
            }
            self.text.extend(std::iter::repeat_n("  ", depth));
            write_line(&mut self.text, node);
            self.count += 1;
            inner += 1;
        }
        let name = if node.is_ignored { around } else { &node.name };
        for child in &node.children {
            self.write((frame, child), inner, name);
        }
        let shown = node.node.and_then(|number| self.documents.shown.get(&(frame.clone(), number)));
        if let Some((shown, root)) = shown.and_then(|shown| Some((shown, self.documents.roots.get(shown)?))) {
            self.write((shown, root), inner, "");
        }
    }
}

/// Writes a line: role, name, value and notable states.
fn write_line(text: &mut String, node: &AccessibleNode) {
    let quoted = |text: &str| json!(text.chars().take(LONGEST).collect::<String>()).to_string();
    text.push_str(if node.role.is_empty() { "generic" } else { &node.role });
    if !node.name.is_empty() {
        let _ = write!(text, " {}", quoted(&node.name));
    }
    if let Some(value) = node.value.as_deref().filter(|value| !value.is_empty()) {
        let _ = write!(text, " = {}", quoted(value));
    }
    for flag in FLAGS.iter().filter(|flag| node.states.get(**flag) == Some(&Value::Bool(true))) {
        let _ = write!(text, " [{flag}]");
    }
    for name in VALUES {
        match node.states.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(word)) if word == "false" || word == "off" => {}
            Some(Value::String(word)) => drop(write!(text, " [{name}: {word}]")),
            Some(value) => drop(write!(text, " [{name}: {value}]")),
        }
    }
    text.push('\n');
}
