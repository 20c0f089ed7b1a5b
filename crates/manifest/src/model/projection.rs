//! State projections: snapshot, extractors, summaries, markers and postconditions.

use actions_protocol::SafeName;
use serde_json::{Map, Value, json};

use super::schema::JsonSchema;
use super::slot::{Code, Slot, Slotted};
use super::target::Scope;
use super::tool::Postcondition;
use super::workflow::{ExpressionLanguage, WaitState};
use crate::document::{Kind, Node};
use crate::finding::Report;
use crate::lower::{ByteBudget, Definitions, Located, Lower, Prose, WaitMillis, object, words, wrong_type};
use crate::reading::p001_snapshot_version;

object! {
    /// A compact, checked view of the application's state.
    Projection "state_projection" Strict {
        /// The name it is read by.
        required name: Located<SafeName>,
        /// What it shows.
        optional description: Prose,
        /// The pages it applies to.
        optional scope: Scope,
        /// How the state is taken from the page.
        required snapshot: Snapshot,
        /// Smaller views of the state.
        list summaries: Summary,
        /// Places in the page that can be gone to.
        optional markers: Markers,
        /// What must be true of the state after a tool ran, by tool.
        map postconditions: Postcondition,
        /// The byte budget of the whole state.
        optional max_bytes: Located<ByteBudget>,
        /// What happens when a required field is missing.
        optional on_missing: OnMissing,
        /// What the engine does with it beyond the format.
        optional x_actions: ProjectionExtension,
    }
}

object! {
    /// What the engine does with a projection beyond the format.
    ProjectionExtension "projection_extension" Strict {
        /// When the page may be read.
        optional ready: Ready,
    }
}

object! {
    /// When a page may be read: an element in a state, or a condition over what was extracted.
    Ready "ready" Closed {
        /// The element.
        optional locator: Map<String, Value>,
        /// The state it must be in; `visible` when absent.
        optional state: WaitState,
        /// The condition over `records`, `url`, `title` and `projection`.
        optional expression: Code,
        /// How long the page may take.
        optional timeout_ms: WaitMillis,
    }
}

impl Ready {
    /// How long a page may take to become ready when the map does not say.
    pub const DEFAULT_TIMEOUT: WaitMillis = WaitMillis(8000);
}

words! {
    /// What happens when a required field is missing.
    OnMissing {
        /// It is listed in the diagnostics.
        Report = "report",
        /// The read fails.
        Fail = "fail",
    }
}

object! {
    /// How the state is taken from the page.
    Snapshot "snapshot" Strict {
        /// The version of the snapshot form; always 1.
        required version: SnapshotVersion => p001_snapshot_version::RULE,
        /// Where the records come from; always `dom`.
        required source: Located<SnapshotSource>,
        /// The records that are taken.
        required_list extract: Extract,
        /// The expression that makes the state of the records.
        required projection: ProjectionExpression,
        /// JSON Schema of the state.
        optional output_schema: JsonSchema,
        /// What happens when a required field is missing.
        optional on_missing: OnMissing,
    }
}

words! {
    /// Where the records of a snapshot come from.
    SnapshotSource {
        /// The document of the page.
        Dom = "dom",
    }
}

/// The version of the snapshot form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotVersion;

impl Lower for SnapshotVersion {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.as_number().and_then(|number| number.as_f64()) == Some(1.0) {
            return Some(Self);
        }
        report
            .find(&p001_snapshot_version::RULE, node, "the snapshot's `version` is not 1")
            .help("write `\"version\": 1`");
        None
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "const": 1 })
    }
}

object! {
    /// An expression with its language.
    ProjectionExpression "projection_expression" Strict {
        /// Always `jsonata`.
        required language: ExpressionLanguage,
        /// The expression over `records`, `url`, `title` and `projection`.
        required expression: Code,
    }
}

object! {
    /// One kind of record that is taken from the page.
    Extract "extract" Strict {
        /// The name of the records, as `records.<id>`.
        required id: Located<SafeName>,
        /// The elements, by CSS.
        optional selector: Located<String>,
        /// The elements, by XPath.
        optional xpath: Located<String>,
        /// The frame they are in, from the outside in.
        optional frame: Frame,
        /// Whether all matches are taken (as a list) or the first one.
        optional many: bool,
        /// What is taken of each element.
        optional_map fields: Field,
    }
}

object! {
    /// One value of a record.
    Field "field" Strict {
        /// The element within the record, by CSS.
        optional selector: Located<String>,
        /// The element within the record, by XPath.
        optional xpath: Located<String>,
        /// The nearest ancestor that matches, taken first.
        optional closest: Located<String>,
        /// The attribute that is taken.
        optional attribute: Located<String>,
        /// The property that is taken.
        optional property: Located<FieldProperty>,
        /// Whether all matches are taken.
        optional many: bool,
        /// Values of the element, in place of one.
        optional_map fields: Field,
        /// Whether white space around the text goes.
        optional trim: bool,
        /// Whether it must be there.
        optional required: bool,
        /// The value when it is missing.
        optional default: Value,
    }
}

words! {
    /// The properties of an element that may be taken.
    FieldProperty {
        /// The rendered text.
        InnerText = "innerText",
        /// The text of all nodes.
        TextContent = "textContent",
        /// The value of a form field.
        Value = "value",
        /// Whether a box is ticked.
        Checked = "checked",
        /// The label for assistive technology.
        AriaLabel = "ariaLabel",
        /// The classes of the element, as its `class` attribute has them.
        ClassName = "className",
        /// The name of the element's tag, in upper case for HTML.
        TagName = "tagName",
        /// The box in the viewport.
        BoundingClientRect = "boundingClientRect",
    }
}

/// A chain of frames from the outside in, each by CSS.
#[derive(Clone, Debug)]
pub struct Frame(pub Vec<Located<String>>);

impl Lower for Frame {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        match node.kind() {
            Kind::String => Located::lower(node, report).map(|one| Self(vec![one])),
            Kind::Array => {
                Some(Self(node.elements().filter_map(|frame| Located::lower(frame, report)).collect()))
            }
            _ => {
                wrong_type(node, "a selector or an array of selectors", report);
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] })
    }
}

object! {
    /// A smaller view of the state.
    Summary "summary" Strict {
        /// The name it is read by.
        required name: Located<SafeName>,
        /// What it shows.
        optional description: Prose,
        /// Its byte budget.
        optional max_bytes: Located<ByteBudget>,
        /// JSON Schema of its arguments; the expression then sees `input`.
        optional input_schema: JsonSchema,
        /// The expression over `state`, `records`, `url`, `title`, `projection` and `input`.
        required expression: Code,
    }
}

/// The markers of a projection: a list, or one slot that gives a list.
#[derive(Clone, Debug)]
pub enum Markers {
    /// Written out.
    List(Vec<Marker>),
    /// Computed from the state.
    Computed(Slot),
}

impl Lower for Markers {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        match node.kind() {
            Kind::Array => {
                Some(Self::List(node.elements().filter_map(|marker| Marker::lower(marker, report)).collect()))
            }
            Kind::String => Slot::lower(node, report).map(Self::Computed),
            _ => {
                wrong_type(node, "an array of markers or one slot", report);
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [Slot::schema(definitions), { "type": "array", "items": Marker::schema(definitions) }] })
    }
}

object! {
    /// A place in the page and how to get there.
    Marker "marker" Strict {
        /// Its id.
        required id: Located<SafeName>,
        /// What kind of place.
        required marker_type as "type": MarkerType,
        /// The primitives that lead there.
        required_list recipe: RecipeStep,
        /// Where it is before the recipe ran.
        optional anchor: Slotted,
    }
}

words! {
    /// What kind of place a marker is.
    MarkerType {
        /// A place in text.
        Cursor = "cursor",
        /// A place for the pointer.
        Pointer = "pointer",
    }
}

object! {
    /// One primitive of a marker's recipe.
    RecipeStep "recipe_step" Strict {
        /// The name of the primitive.
        required primitive: Located<String>,
        /// Its arguments.
        optional args: super::slot::SlottedObject,
    }
}
