//! The smaller sections of a map: imports, context, states, transitions, attachments, signals, checks, provenance.

use actions_protocol::{SafeName, Severity};
use serde_json::{Map, Value, json};

use super::schema::JsonSchema;
use super::slot::{Code, SlotOrText};
use super::target::{Names, SourceHints, Target, TargetReference, UrlPatterns};
use super::tool::Direction;
use crate::document::{Kind, Node};
use crate::finding::Report;
use crate::lower::{
    AttemptLimit, Count, Definitions, Located, Lower, Prose, WaitMillis, object, unknown_word, words,
    wrong_type,
};
use crate::reading::{x001_attachment_without_target, x002_attachment_without_lifecycle};

object! {
    /// Where the manifest applies. It describes; it grants nothing.
    Surface "surface" Open {
        /// The origin of the site, such as `https://example.com`.
        optional origin: Located<String>,
        /// More origins of the same site, such as that of its API.
        list origins: Located<String>,
        /// The page a call starts on.
        optional url: Located<String>,
        /// Its name for people.
        optional name: String,
        /// The category of page or application.
        optional kind: String,
        /// A short explanation.
        optional description: String,
        /// A stable identifier.
        optional surface_id: Located<SafeName>,
        /// Globs over the addresses it covers.
        optional url_patterns: UrlPatterns,
    }
}

object! {
    /// Another map that is composed into this one.
    Import "import" Strict {
        /// Its stable identifier.
        required id: Located<SafeName>,
        /// What sort of source it is.
        optional kind: ImportKind,
        /// Where it is: a path relative to this map, or an address.
        required uri: Located<String>,
        /// The prefix of the names it brings.
        optional namespace: Located<SafeName>,
        /// How far it is trusted.
        optional trust: Located<Trust>,
        /// Whether it is composed at all; true when absent.
        optional enabled: bool,
        /// Where it comes from.
        optional provenance: Provenance,
    }
}

words! {
    /// What sort of source an import is.
    ImportKind {
        /// Published by the website.
        Website = "website",
        /// A file beside this one.
        Local = "local",
        /// The user's storage.
        Storage = "storage",
        /// Shared by a group.
        Shared = "shared",
        /// Published for everybody.
        Public = "public",
        /// A package.
        Package = "package",
    }
}

words! {
    /// How far an import is trusted.
    Trust {
        /// As the website itself.
        Website = "website",
        /// As the user's own.
        Private = "private",
        /// As a group the user belongs to.
        Shared = "shared",
        /// As anybody.
        Public = "public",
        /// As a file of the user's machine.
        Local = "local",
        /// Not known.
        Unknown = "unknown",
    }
}

object! {
    /// How imported names meet local ones.
    Composition "composition" Strict {
        /// What happens when two maps expose one name.
        optional default_conflict_policy: ConflictPolicy,
        /// Whether every import needs a namespace.
        optional namespace_required: bool,
    }
}

words! {
    /// What happens when two maps expose one name.
    ConflictPolicy {
        /// The name of this map stays, the imported one is left out and that is reported.
        PreferLocal = "prefer_local",
        /// The imported name takes the place of the one of this map, and that is reported.
        PreferImported = "prefer_imported",
        /// It is an error.
        Error = "error",
    }
}

object! {
    /// Documentation that is loaded where it applies. It grants nothing.
    Context "context" Strict {
        /// Its identifier.
        required id: Located<SafeName>,
        /// A short label.
        optional title: String,
        /// The text.
        required body: Prose,
        /// When it applies; always when absent.
        optional load_when: LoadWhen,
        /// The tools that are useful there.
        list available_tools: Located<String>,
        /// The states that may follow.
        list next_states: Located<String>,
        /// Where to look for the truth behind it.
        optional source: SourceHints,
    }
}

object! {
    /// When a context block applies: every predicate given must hold.
    LoadWhen "load_when" Strict {
        /// Any of these states is current.
        list states: Located<String>,
        /// Any of these targets is on the page.
        list targets: TargetReference,
        /// A part of the page's address.
        optional url_contains: UrlPatterns,
        /// A glob over the page's address.
        optional url_matches: UrlPatterns,
        /// Words of the task at hand.
        list tasks: String,
    }
}

object! {
    /// A condition of the page, a component, the session or an attachment.
    State "state" Strict {
        /// Its name.
        required name: Located<SafeName>,
        /// What it means.
        required description: Prose,
        /// The probes that decide whether it is current.
        list diagnostics: Diagnostic,
        /// The values that may be collected meanwhile.
        list observables: String,
    }
}

object! {
    /// A probe that decides whether a state is current.
    Diagnostic "diagnostic" Strict {
        /// Its name.
        optional name: Located<SafeName>,
        /// The element that must be there.
        optional target: Target,
        /// Whether it must be visible; it must exist when absent.
        optional visible: bool,
        /// Whether it must be there at all.
        optional exists: bool,
        /// The least number of matches.
        optional min_count: Count,
        /// The greatest number of matches.
        optional max_count: Count,
        /// A part of the page's address.
        optional url_contains: String,
        /// A glob over the page's address.
        optional url_matches: UrlPatterns,
        /// What it is for.
        optional description: String,
    }
}

object! {
    /// A movement between states.
    Transition "transition" Strict {
        /// Its name.
        required name: Located<SafeName>,
        /// The state or states it starts in.
        required from: Names,
        /// The state or states it ends in.
        required to: Names,
        /// The tool that performs it.
        optional tool: Located<String>,
        /// The signal that reports it.
        optional signal: Located<String>,
        /// How it happens.
        optional method: Prose,
        /// The least time between two starts.
        optional rate_limit_ms: WaitMillis,
        /// What must be true before: the name of a state or an expression is checked, other words are for people.
        optional preconditions: Preconditions,
        /// The states or data that are expected after.
        optional reveals: Value,
        /// When repeating it ends.
        optional convergence: Convergence,
        /// Approaches known to be bad.
        optional do_not_use: Value,
        /// What it is for.
        optional description: String,
    }
}

object! {
    /// When repeating a transition ends.
    Convergence "convergence" Strict {
        /// The condition that ends it: an expression. Words are for people, and a traversal refuses them.
        optional complete_when: SlotOrText,
        /// How often it is repeated at most.
        optional max_attempts: AttemptLimit,
        /// What it is for.
        optional description: String,
    }
}

/// What must be true before a transition.
#[derive(Clone, Debug)]
pub struct Preconditions(pub Vec<SlotOrText>);

impl Lower for Preconditions {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let mut one = |node: Node<'_>| match node.kind() {
            Kind::String => SlotOrText::lower(node, report),
            // The format does not say how conditions are written, so anything else is shown as it stands.
            _ => Some(SlotOrText::Text(Located { at: node.id(), value: node.to_value().to_string() })),
        };
        Some(Self(match node.kind() {
            Kind::Array => node.elements().filter_map(one).collect(),
            Kind::Null => Vec::new(),
            _ => one(node).into_iter().collect(),
        }))
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Bool(true)
    }
}

object! {
    /// Something the runtime installs on the page.
    Attachment "attachment" Strict {
        /// Its identifier.
        required id: Located<SafeName>,
        /// What sort of thing: `overlay_launcher`, `annotation`, `shortcut`, `status_badge` or another one.
        required kind: Prose,
        /// What it is for.
        optional description: String,
        /// The element it hangs on.
        required target: Target => x001_attachment_without_target::RULE,
        /// What it looks like and does.
        optional affordance: Affordance,
        /// When it comes and goes.
        required lifecycle: Lifecycle => x002_attachment_without_lifecycle::RULE,
        /// The signals it sends.
        list signals: Located<String>,
    }
}

object! {
    /// What an attachment looks like and does.
    Affordance "affordance" Open {
        /// The visible label.
        optional label: String,
        /// Where it stands beside its target.
        optional placement: Placement,
        /// How many may be on the page.
        optional max_instances: Count,
        /// What it opens.
        optional opens: Opens,
    }
}

words! {
    /// Where an affordance stands beside its target.
    Placement {
        /// Before the target.
        BeforeBegin = "beforebegin",
        /// As its first child.
        AfterBegin = "afterbegin",
        /// As its last child.
        BeforeEnd = "beforeend",
        /// After the target.
        AfterEnd = "afterend",
    }
}

object! {
    /// What an affordance opens.
    Opens "opens" Strict {
        /// The tool or primitive that is called.
        required tool: Located<String>,
        /// Its arguments.
        optional arguments: Map<String, Value>,
    }
}

object! {
    /// When an attachment comes and goes.
    Lifecycle "lifecycle" Strict {
        /// When it is installed.
        optional install: Prose,
        /// When it is removed.
        optional remove: Prose,
        /// When it is installed again.
        optional reattach: Prose,
        /// What happens when its target is gone.
        optional on_drift: Prose,
    }
}

object! {
    /// An event of the page that may reach the agent.
    Signal "signal" Strict {
        /// Its name.
        required name: Located<SafeName>,
        /// What the signal means.
        required description: Prose,
        /// Whether the page or the agent sends it.
        optional direction: Direction,
        /// The event on the page.
        optional event: Located<Prose>,
        /// Whether it is forwarded.
        optional ingestion: Located<Ingestion>,
        /// The element it comes from.
        optional target: Target,
        /// JSON Schema of its detail.
        optional payload: JsonSchema,
        /// How an adapter binds it.
        optional protocol: Value,
        /// Where to look for the truth behind it.
        optional source: SourceHints,
    }
}

words! {
    /// Whether a signal is forwarded.
    Ingestion {
        /// It is.
        Enabled = "enabled",
        /// Not until the embedder says so.
        DisabledByDefault = "disabled_by_default",
    }
}

object! {
    /// A probe that finds out whether the live site still matches the map.
    Check "check" Strict {
        /// Its identifier.
        required id: Located<SafeName>,
        /// What it verifies.
        required description: Prose,
        /// How much a failure matters.
        required severity: Severity,
        /// What must hold, all of it.
        required_list assertions: Assertion,
        /// What to do when it does not.
        optional on_fail: OnFail,
        /// The page it is made on, when it is not the surface's own.
        optional url: Located<String>,
    }
}

object! {
    /// One thing that must hold.
    Assertion "assertion" Strict {
        /// The element it is about: written out, or the name of a tool or attachment that has one.
        optional target: TargetReference,
        /// The tool whose target it is about.
        optional tool: Located<String>,
        /// The state that must be current.
        optional state: Located<String>,
        /// The attachment whose target it is about.
        optional attachment: Located<String>,
        /// The projection that must be readable and fit its schema.
        optional projection: Located<String>,
        /// What must be true of the state of the projection, as JSONata over `state`, `url` and `title`.
        optional expression: Code,
        /// Whether the element must be visible.
        optional visible: bool,
        /// Whether the element must be hidden: absent, or not rendered.
        optional hidden: bool,
        /// Whether the element must be in the document.
        optional exists: bool,
        /// Whether the element must be enabled.
        optional enabled: bool,
        /// An attribute that the element must have.
        optional attribute: AttributeAssertion,
        /// The exact number of matches.
        optional count: Count,
        /// The least number of matches.
        optional min_count: Count,
        /// The greatest number of matches.
        optional max_count: Count,
        /// The whole text of the element.
        optional text_equals: String,
        /// A part of the text of the element.
        optional text_contains: String,
        /// A part of the page's address.
        optional url_contains: String,
        /// A glob over the page's address.
        optional url_matches: UrlPatterns,
        /// What it is for.
        optional description: String,
    }
}

object! {
    /// An attribute that an element must have.
    AttributeAssertion "attribute_assertion" Strict {
        /// Its name.
        required name: String,
        /// Its whole value.
        optional equals: String,
        /// A part of its value.
        optional contains: String,
    }
}

object! {
    /// What to do when a check fails.
    OnFail "on_fail" Strict {
        /// What is kept as evidence.
        list store_evidence: Evidence,
        /// What happens next.
        optional contingency: Prose,
    }
}

words! {
    /// What is kept as evidence.
    Evidence {
        /// The page's address.
        Url = "url",
        /// The document as text.
        DomSnapshot = "dom_snapshot",
        /// A picture.
        Screenshot = "screenshot",
        /// The page's title.
        Title = "title",
        /// The messages of the page's console.
        Console = "console",
        /// The matches of every selector, counted.
        SelectorCounts = "selector_counts",
        /// The accessibility tree.
        AccessibilityTree = "accessibility_tree",
        /// The accessibility tree, under its short name.
        A11yTree = "a11y_tree",
        /// The requests that failed.
        Network = "network",
        /// The state that the projections of the assertions gave.
        Projection = "projection",
    }
}

object! {
    /// Who made and reviewed the map.
    Provenance "provenance" Open {
        /// Who made it.
        optional created_by: Value,
        /// When.
        optional created_at: Located<String>,
        /// Who changed it last.
        optional updated_by: Value,
        /// When.
        optional updated_at: Located<String>,
        /// Who reviewed it.
        optional reviewed_by: Value,
        /// When.
        optional reviewed_at: Located<String>,
        /// Where it comes from.
        optional source: Value,
        /// Its revision.
        optional revision: Value,
    }
}

object! {
    /// What the map needs of a runtime.
    Requires "requires" Strict {
        /// The primitives it is written for.
        optional primitive_dictionary: RequiredDictionary,
    }
}

object! {
    /// The primitives a map is written for.
    RequiredDictionary "required_dictionary" Strict {
        /// The version of the dictionary.
        optional version: Value,
        /// The stage of the dictionary.
        optional stage: Value,
        /// Primitives it cannot do without.
        list required_primitives: Located<String>,
        /// Primitives it can use.
        list optional_primitives: Located<String>,
        /// Primitives it must not be given.
        list blocked_primitives: Located<String>,
        /// Primitives that were not there when it was written.
        optional implementation_pending_primitives: Value,
        /// Primitives that were not proven when it was written.
        optional validation_pending_primitives: Value,
    }
}

const SEVERITIES: &[&str] = &["info", "minor", "major", "critical"];

impl Lower for Severity {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        match node.as_str() {
            Some("info") => Some(Severity::Info),
            Some("minor") => Some(Severity::Minor),
            Some("major") => Some(Severity::Major),
            Some("critical") => Some(Severity::Critical),
            Some(word) => {
                unknown_word(node, word, SEVERITIES, report);
                None
            }
            None => {
                wrong_type(node, "a string", report);
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "enum": SEVERITIES })
    }
}
