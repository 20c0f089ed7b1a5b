//! `a11y.query`: finds an element by its role and accessible name.

use actions_browser::{AccessibleNode, Call, Error, FrameId};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::went_away;
use crate::Failure;
use crate::outward::outward;
use crate::scene::Scene;

/// The longest name or value in the output, in characters.
const LONGEST: usize = 1_000;

/// Roles that the browser calls by another name than the standard.
const SYNONYMS: [(&str, &str); 3] = [("img", "image"), ("none", "presentation"), ("document", "RootWebArea")];

/// Kinds of nodes that repeat the text of the element around them.
const PARTS: [&str; 3] = ["StaticText", "InlineTextBox", "LayoutInline"];

#[derive(Deserialize)]
pub(crate) struct Args {
    role: Option<String>,
    name: Option<String>,
    name_contains: Option<String>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Value, Failure> {
    let mut first: Option<(FrameId, AccessibleNode)> = None;
    let mut count = 0_u64;
    for frame in scene.page().frames() {
        let nodes = match nodes_in(&scene, &frame.id, &args).await {
            Ok(nodes) => nodes,
            Err(error) if went_away(&error) && frame.parent.is_some() => continue,
            Err(error) => return Err(error.into()),
        };
        for node in nodes.into_iter().filter(|node| args.fits(node)) {
            count += 1;
            if first.is_none() {
                first = Some((frame.id.clone(), node));
            }
        }
    }
    let Some((frame, node)) = first else {
        let name = args.name.or(args.name_contains);
        return Ok(json!({ "found": false, "role": args.role, "name": name }));
    };
    let mut output = json!({
        "found": true,
        "role": asked_role(&args, &node.role),
        "name": cut(&node.name),
        "value": node.value.as_deref().map(cut),
        "state": node.states,
        "match_count": count,
    });
    let facts = place_of(&scene, &frame, &node).await?;
    let attested = facts.contains_key("clickable");
    if let Some(members) = output.as_object_mut() {
        members.extend(facts);
        members.insert("actionability_attested".to_owned(), json!(attested));
    }
    Ok(output)
}

/// The nodes of a frame that may fit. The browser compares role and name.
async fn nodes_in(scene: &Scene<'_>, frame: &FrameId, args: &Args) -> Result<Vec<AccessibleNode>, Error> {
    let (page, name) = (scene.page(), args.name.as_deref());
    let nodes = page.accessible_nodes(frame, args.role.as_deref(), name, scene.deadline).await?;
    if !nodes.iter().any(|node| !node.is_ignored)
        && let Some(other) = args.role.as_deref().and_then(synonym)
    {
        return page.accessible_nodes(frame, Some(other), name, scene.deadline).await;
    }
    Ok(nodes)
}

/// Where the element of a node is. Empty if it has no element, or the element has gone meanwhile.
async fn place_of(
    scene: &Scene<'_>,
    frame: &FrameId,
    node: &AccessibleNode,
) -> Result<Map<String, Value>, Failure> {
    let Some(number) = node.node else { return Ok(Map::new()) };
    let page = scene.page();
    let element = match page.numbered_node(frame, number, scene.deadline).await {
        Ok(element) => element,
        Err(error) if went_away(&error) => return Ok(Map::new()),
        Err(error) => return Err(error.into()),
    };
    // Otherwise the page script would take the host of a closed root for what covers an element inside it.
    if let Err(failure) = scene.enter_closed_roots(frame).await {
        page.release(std::slice::from_ref(&element));
        return Err(failure);
    }
    let nodes = [element];
    let call = Call::new(frame, "a11y.facts", &json!({})).reading().with_nodes(&nodes);
    let facts = page.call::<Value>(call, scene.deadline).await;
    page.release(&nodes);
    let mut facts = match facts {
        Ok(facts) => facts,
        Err(Error::Answered { .. }) => return Ok(Map::new()),
        Err(error) if went_away(&error) => return Ok(Map::new()),
        Err(error) => return Err(error.into()),
    };
    let path = scene.path_to(frame).await?;
    let converted = outward(scene, &path, &mut facts).await;
    path.links.iter().filter_map(|link| link.element.as_ref()).for_each(|element| {
        page.release(std::slice::from_ref(element));
    });
    converted?;
    Ok(facts.as_object().cloned().unwrap_or_default())
}

impl Args {
    fn fits(&self, node: &AccessibleNode) -> bool {
        let named = self.name_contains.as_deref().is_none_or(|part| node.name.contains(part));
        let is_part = self.role.is_none() && PARTS.contains(&node.role.as_str());
        named && !node.is_ignored && !is_part
    }
}

fn synonym(role: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(standard, _)| *standard == role).map(|(_, own)| *own)
}

/// The role as it was asked for, if the browser only calls it by another name.
fn asked_role(args: &Args, role: &str) -> String {
    match &args.role {
        Some(asked) if synonym(asked) == Some(role) => asked.clone(),
        _ => role.chars().take(64).collect(),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
