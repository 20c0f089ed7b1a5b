//! The targets of a map: everything in it that names an element of a page.

use actions_engine::target_locator;
use actions_manifest::document::NodeId;
use actions_manifest::model::{self, Diagnostic, Step, TargetReference};
use actions_manifest::{CheckedManifest, url_matches};
use actions_primitives::Locator;
use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The most targets of one map that are looked at.
pub(crate) const MAX_TARGETS: usize = 2_000;

/// Primitives after which the page may be another one.
const MOVING: &[&str] =
    &["browser.", "pointer.", "keyboard.", "form.submit", "actions.site", "flow.", "debug.", "overlay."];

/// Something in a map that names an element of a page.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Where it stands in the map.
    pub(crate) pointer: String,
    /// What it belongs to, in words: `the target of the tool `cart.add``.
    pub(crate) owner: String,
    /// Which element; none when an expression decides that while a tool runs.
    pub(crate) locator: Option<Locator>,
    /// What the address of the page must contain or match.
    pub(crate) address: Vec<Address>,
    /// States any of which must be current.
    pub(crate) states: Vec<String>,
    /// Whether the element must be there on every page where the target applies, and on the start page if nothing says where
    /// that is. Without that, it must be there only where the lock says that it was.
    pub(crate) firm: bool,
    /// Whether the tool it belongs to may change something.
    pub(crate) mutating: bool,
    /// The descriptor as it is written.
    pub(crate) descriptor: Value,
    /// Whether a declared check judges it: it then has no result of its own.
    pub(crate) declared: bool,
}

/// What must be true of the address of a page.
#[derive(Clone, Debug)]
pub(crate) enum Address {
    Contains(String),
    Matches(Vec<String>),
}

impl Address {
    fn holds(&self, url: &str) -> bool {
        match self {
            Self::Contains(part) => url.contains(part.as_str()),
            Self::Matches(patterns) => patterns.iter().any(|pattern| url_matches(pattern, url)),
        }
    }
}

impl Target {
    /// Whether the target says where it applies.
    pub(crate) fn is_bound(&self) -> bool {
        !self.address.is_empty() || !self.states.is_empty()
    }

    /// Whether the target applies to a page of this address in these states.
    pub(crate) fn applies(&self, url: &str, current: &[String]) -> bool {
        self.address.iter().all(|address| address.holds(url))
            && (self.states.is_empty() || self.states.iter().any(|state| current.contains(state)))
    }

    /// The digest of the descriptor: it changes when the target is edited, and not when it moves in its file.
    pub(crate) fn digest(&self) -> String {
        digest(&self.descriptor.to_string())
    }
}

/// A short digest of a text.
pub(crate) fn digest(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes())[..6])
}

/// Every target of a map, in the order of the map. Those of imported maps belong to the checks of those maps.
pub(crate) fn targets(manifest: &CheckedManifest, effects: impl Fn(&str) -> bool) -> Vec<Target> {
    let mut found = Found { manifest, list: Vec::new() };
    let root = manifest.root();
    for tool in &root.tools {
        found.tool(tool, &root.transitions, effects(tool.name.value.as_str()));
    }
    for state in root.states() {
        for diagnostic in &state.diagnostics {
            found.diagnostic(state.name.value.as_str(), diagnostic);
        }
    }
    for attachment in &root.attachments {
        let owner = format!("the target of the attachment `{}`", attachment.id.value);
        found.described(&attachment.target, owner, true, false);
    }
    for projection in &root.state_projections {
        found.extractors(projection.at, projection.name.value.as_str());
    }
    for check in &root.checks {
        let owner = format!("a target of the check `{}`", check.id.value);
        let already = found.list.len();
        for assertion in &check.assertions {
            if let Some(TargetReference::Inline(target)) = &assertion.target {
                found.described(target, owner.clone(), false, false);
            }
        }
        found.list[already..].iter_mut().for_each(|target| target.declared = true);
    }
    found.list.truncate(MAX_TARGETS);
    // A map with states describes more than one page: what says nothing of its page may be on any of them.
    if !root.states().is_empty() {
        found.list.iter_mut().filter(|target| !target.is_bound()).for_each(|target| target.firm = false);
    }
    found.list
}

struct Found<'m> {
    manifest: &'m CheckedManifest,
    list: Vec<Target>,
}

impl Found<'_> {
    fn tool(&mut self, tool: &model::Tool, transitions: &[model::Transition], mutating: bool) {
        let name = tool.name.value.as_str();
        let (mut address, mut states) = (Vec::new(), Vec::new());
        if let Some(target) = &tool.target {
            (address, states) = bounds(target);
            self.described(target, format!("the target of the tool `{name}`"), true, mutating);
        }
        for transition in transitions {
            if transition.tool.as_ref().is_some_and(|tool| tool.value == name) {
                states.extend(transition.from.0.iter().map(|state| state.value.to_string()));
            }
        }
        // Until a step may have moved on, the page is the one that the tool is called on.
        let mut still_there = true;
        for step in tool.workflow.iter().flat_map(|workflow| &workflow.steps) {
            let primitive = step.primitive.value.as_str();
            let navigates = primitive == "browser.navigate";
            let firm = still_there && !navigates && is_certain(step);
            let bound = if still_there && !navigates {
                (address.clone(), states.clone())
            } else {
                Default::default()
            };
            self.step(name, step, firm, bound, mutating);
            still_there =
                still_there && !navigates && !MOVING.iter().any(|moving| primitive.starts_with(moving));
        }
    }

    /// A target that is written out with all its keys.
    fn described(&mut self, target: &model::Target, owner: String, firm: bool, mutating: bool) {
        let (address, states) = bounds(target);
        let Some(locator) = target_locator(target) else { return };
        let (pointer, descriptor) = self.written(target.at);
        let locator = Some(locator);
        self.list.push(Target {
            pointer,
            owner,
            locator,
            address,
            states,
            firm,
            mutating,
            descriptor,
            declared: false,
        });
    }

    fn diagnostic(&mut self, state: &str, diagnostic: &Diagnostic) {
        // A state may ask that something is absent, and no state needs to be current.
        let absent = diagnostic.exists == Some(false) || diagnostic.visible == Some(false);
        if let Some(target) = diagnostic.target.as_ref().filter(|_| !absent) {
            self.described(target, format!("a diagnostic of the state `{state}`"), false, false);
        }
    }

    fn step(
        &mut self,
        tool: &str,
        step: &Step,
        firm: bool,
        (address, states): (Vec<Address>, Vec<String>),
        mutating: bool,
    ) {
        let at = self.manifest.document().node(step.at);
        let waits_for_absence = |state: Option<&str>| matches!(state, Some("hidden" | "detached"));
        let places = [("/args", firm), ("/settle_after", false), ("/after_each/args", false)];
        for (place, firm) in places {
            let Some(arguments) = at.at(place) else { continue };
            if waits_for_absence(arguments.get("state").and_then(|state| state.as_str())) {
                continue;
            }
            for key in ["locator", "target", "from", "to"] {
                let Some(written) = arguments.get(key) else { continue };
                let descriptor = written.to_value();
                if !names_an_element(&descriptor) {
                    continue;
                }
                let computed = descriptor.to_string().contains("{%");
                self.list.push(Target {
                    pointer: written.pointer(),
                    owner: format!("a locator of the step `{}` of the tool `{tool}`", step.id.value),
                    locator: (!computed)
                        .then(|| located(&descriptor, arguments.get("frame").map(|frame| frame.to_value()))),
                    address: address.clone(),
                    states: states.clone(),
                    firm,
                    mutating,
                    descriptor,
                    declared: false,
                });
            }
        }
    }

    fn extractors(&mut self, projection: NodeId, name: &str) {
        let node = self.manifest.document().node(projection);
        let Some(extract) = node.at("/snapshot/extract") else { return };
        for written in extract.elements() {
            let descriptor = written.to_value();
            let (Some(selector), None) = (descriptor.get("selector"), descriptor.get("xpath")) else {
                continue;
            };
            let locator = json!({ "selector": selector });
            let frame = descriptor.get("frame").cloned();
            let id = descriptor["id"].as_str().unwrap_or_default();
            self.list.push(Target {
                pointer: written.pointer(),
                owner: format!("the extractor `{id}` of the projection `{name}`"),
                locator: Some(located(&locator, frame)),
                address: Vec::new(),
                states: Vec::new(),
                firm: false,
                mutating: false,
                descriptor: locator,
                declared: false,
            });
        }
    }

    /// The pointer of a part of the map, and the part as it is written.
    fn written(&self, at: NodeId) -> (String, Value) {
        let node = self.manifest.document().node(at);
        (node.pointer(), node.to_value())
    }
}

/// Whether a step runs on every call, and fails when its element is missing.
fn is_certain(step: &Step) -> bool {
    let absence_is_fine = step.primitive.value.starts_with("dom.observe");
    step.when.is_none()
        && step.for_each.is_none()
        && step.retry_until.is_none()
        && step.on_error.is_none()
        && !absence_is_fine
}

/// Where a target says that it applies.
fn bounds(target: &model::Target) -> (Vec<Address>, Vec<String>) {
    let contains = target.url_contains.clone().map(Address::Contains);
    let matches = target.url_matches.as_ref().filter(|patterns| !patterns.0.is_empty());
    let matches = matches
        .map(|patterns| Address::Matches(patterns.0.iter().map(|pattern| pattern.value.clone()).collect()));
    let states = target.state.iter().map(|state| state.value.clone()).collect();
    (contains.into_iter().chain(matches).collect(), states)
}

fn names_an_element(descriptor: &Value) -> bool {
    const KEYS: [&str; 8] = [
        "selector",
        "selectors",
        "xpath",
        "role",
        "text",
        "text_equals",
        "text_contains",
        "fallback_selectors",
    ];
    descriptor.is_string() || KEYS.iter().any(|key| descriptor.get(key).is_some())
}

/// A locator, in the frame that stands beside it if it names none itself.
fn located(descriptor: &Value, frame: Option<Value>) -> Locator {
    let mut written = match descriptor {
        Value::String(selector) => json!({ "selector": selector }),
        other => other.clone(),
    };
    if let (Some(frame), Some(keys)) = (frame, written.as_object_mut()) {
        keys.entry("frame").or_insert(frame);
    }
    Locator::from(written)
}
