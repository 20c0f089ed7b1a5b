//! The root of a map.

use serde_json::{Value, json};

use super::projection::Projection;
use super::sections::{
    Attachment, Check, Composition, Context, Import, Provenance, Requires, Signal, State, Surface, Transition,
};
use super::target::Scope;
use super::tool::{DeclaredFile, Tool};
use crate::document::{Kind, Node, Spot};
use crate::finding::Report;
use crate::lower::{Definitions, Located, Lower, object};
use crate::reading::{m001_protocol, m002_version, m003_tools, m004_legacy_shape};

object! {
    /// What an agent may do on a website: actions, context, targets, checks and events.
    Manifest "manifest" Strict {
        /// The JSON Schema an editor checks the file with.
        optional schema as "$schema": String,
        /// Always `actions.json`.
        required protocol: Protocol => m001_protocol::RULE,
        /// The version of the format; always 1.
        required version: Version => m002_version::RULE,
        /// Where the map applies.
        optional surface: Legacy<Surface>,
        /// The pages of the surface the map applies to.
        optional scope: Scope,
        /// What the map needs of a runtime.
        optional requires: Legacy<Requires>,
        /// Instructions for an agent that works with the map.
        optional prompt: Value,
        /// Other maps composed into this one.
        list imports: Import,
        /// How imported names meet local ones.
        optional composition: Composition,
        /// Documentation that is loaded where it applies.
        list context: Context,
        /// Conditions of the page or session.
        optional states: Legacy<List<State>>,
        /// Movements between states.
        list transitions: Transition,
        /// The actions an agent may call.
        required_list tools: Tool => m003_tools::RULE,
        /// Compact, checked views of the application's state.
        list state_projections: Projection,
        /// Events of the page that may reach the agent.
        list signals: Signal,
        /// Things the runtime installs on the page.
        list attachments: Attachment,
        /// Probes that find out whether the live site still matches.
        list checks: Check,
        /// Who made and reviewed the map.
        optional provenance: Provenance,
        /// Metadata for browser runtimes.
        optional x_actions: MapActions,
        /// Prose recipes of older maps; not part of version 1.
        optional workflows: Workflows,
    }
}

object! {
    /// Metadata of a whole map for browser runtimes.
    MapActions "map_x_actions" Open {
        /// Files that belong to the map.
        list files: DeclaredFile,
        /// The state that must be current after a session restored a login.
        optional auth_check: Located<String>,
        /// The state that shows the login page: a call that ends there has lost its login.
        optional login_state: Located<String>,
    }
}

/// The constant that marks the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol;

impl Protocol {
    /// The value of `protocol`.
    pub const NAME: &'static str = "actions.json";
}

impl Lower for Protocol {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.as_str() == Some(Self::NAME) {
            return Some(Self);
        }
        report
            .find(&m001_protocol::RULE, node, "`protocol` is not \"actions.json\"")
            .help("write `\"protocol\": \"actions.json\"`");
        None
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "const": Self::NAME })
    }
}

/// The version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version;

impl Lower for Version {
    fn when_missing(_: Node<'_>) -> Option<Self> {
        Some(Self)
    }

    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.as_number().and_then(|number| number.as_f64()) == Some(1.0) {
            return Some(Self);
        }
        let help = "write `\"version\": 1`; the map's own revision belongs in `provenance.revision`";
        match node.kind() {
            Kind::String => {
                let text = node.as_str().unwrap_or_default();
                report
                    .find(
                        &m002_version::RULE,
                        node,
                        format!("`version` is the string \"{text}\", not the number 1"),
                    )
                    .help(help)
                    .tolerated();
                Some(Self)
            }
            Kind::Number => {
                report
                    .find(&m002_version::RULE, node, "this version of the format is not supported")
                    .help(help)
                    .tolerated();
                Some(Self)
            }
            kind => {
                report
                    .find(
                        &m002_version::RULE,
                        node,
                        format!("`version` is {}, not the number 1", kind.with_article()),
                    )
                    .help(help)
                    .tolerated();
                Some(Self)
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "const": 1 })
    }
}

/// A section that published maps also write in an older shape, which is passed over.
#[derive(Clone, Debug)]
pub struct Legacy<T>(pub Option<T>);

/// The older shape of a section.
pub(crate) trait LegacyShape {
    const SHAPE: Kind;
}

impl LegacyShape for Surface {
    const SHAPE: Kind = Kind::String;
}

impl LegacyShape for Requires {
    const SHAPE: Kind = Kind::Array;
}

impl LegacyShape for List<State> {
    const SHAPE: Kind = Kind::Object;
}

impl<T: Lower + LegacyShape> Lower for Legacy<T> {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.kind() != T::SHAPE {
            return T::lower(node, report).map(|section| Self(Some(section)));
        }
        let key = node.key().unwrap_or("the section");
        let shape = T::SHAPE.with_article();
        report
            .find(
                &m004_legacy_shape::RULE,
                node,
                format!("`{key}` is {shape}; version 1 gives it another shape"),
            )
            .help("`actions explain M004` shows the shapes of version 1")
            .tolerated();
        Some(Self(None))
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }
}

/// A list as a value of its own.
#[derive(Clone, Debug)]
pub struct List<T>(pub Vec<T>);

impl<T: Lower> Lower for List<T> {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.kind() != Kind::Array {
            crate::lower::wrong_type(node, "an array", report);
            return None;
        }
        Some(Self(node.elements().filter_map(|element| T::lower(element, report)).collect()))
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "type": "array", "items": T::schema(definitions) })
    }
}

/// Prose recipes some published maps keep under `workflows`.
#[derive(Clone, Copy, Debug)]
pub struct Workflows;

impl Lower for Workflows {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        report
            .find(
                &m004_legacy_shape::RULE,
                Spot::Key(node),
                "`workflows` is not a section of version 1; nothing in it runs",
            )
            .help("a workflow belongs to its tool: `tools[].workflow`")
            .tolerated();
        None
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "not": {} })
    }
}

impl Manifest {
    /// The surface, when it is described.
    pub fn surface(&self) -> Option<&Surface> {
        self.surface.as_ref().and_then(|surface| surface.0.as_ref())
    }

    /// The states.
    pub fn states(&self) -> &[State] {
        self.states.as_ref().and_then(|states| states.0.as_ref()).map_or(&[], |states| &states.0)
    }

    /// What the map needs of a runtime.
    pub fn requires(&self) -> Option<&Requires> {
        self.requires.as_ref().and_then(|requires| requires.0.as_ref())
    }
}
