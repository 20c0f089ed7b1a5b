//! Locators: which element is meant, and in which frame.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Which element is meant, and in which frame. It is parsed once, when arguments or a map are read.
///
/// ```
/// use actions_primitives::Locator;
/// use serde_json::json;
///
/// let locator = Locator::from(json!({ "selector": "#save", "frame": "#editor" }));
/// assert_eq!(json!(locator), json!({ "selector": "#save", "frame": "#editor" }));
/// assert_eq!(Locator::from(json!("#save")), Locator::from(json!({ "selector": "#save" })));
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Value")]
pub struct Locator {
    /// As it was written. Outputs and evidence show it so.
    written: Value,
    /// The frame it looks in.
    frames: FrameChain,
    /// What the page script looks for in the document of that frame.
    query: Value,
}

impl Locator {
    /// The frames on the way to the element.
    pub(crate) fn frames(&self) -> &FrameChain {
        &self.frames
    }

    /// What the page script looks for in the document of the last frame.
    pub(crate) fn query(&self) -> &Value {
        &self.query
    }
}

/// An object as it stands, or a CSS selector as a string.
impl From<Value> for Locator {
    fn from(written: Value) -> Self {
        let written = if written.is_string() { json!({ "selector": written }) } else { written };
        let mut query = written.clone();
        let frames = FrameChain::take_from(&mut query).unwrap_or_default();
        Self { written, frames, query }
    }
}

impl Serialize for Locator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written.serialize(serializer)
    }
}

/// The frame elements on the way from the main frame to another, outermost first; empty for the main frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameChain(Vec<FrameLink>);

/// One frame element on the way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FrameLink {
    /// As it was written; a failure shows it so.
    pub(crate) written: Value,
    /// What the page script looks for.
    pub(crate) query: Value,
}

impl FrameChain {
    /// Takes `frame` out of a locator or out of arguments.
    pub(crate) fn take_from(value: &mut Value) -> Option<Self> {
        let taken =
            value.as_object_mut().and_then(|members: &mut Map<String, Value>| members.remove("frame"));
        taken.map(Self::from)
    }

    pub(crate) fn links(&self) -> &[FrameLink] {
        &self.0
    }
}

/// One frame, or several from the outside in.
impl From<Value> for FrameChain {
    fn from(written: Value) -> Self {
        let links = match written {
            Value::Null => Vec::new(),
            Value::Array(links) => links,
            link => vec![link],
        };
        let link = |written: Value| {
            let query = if written.is_string() { json!({ "selector": written }) } else { written.clone() };
            FrameLink { written, query }
        };
        Self(links.into_iter().map(link).collect())
    }
}
