//! The typed model of every section of the format.

mod manifest;
mod name;
mod projection;
mod schema;
mod sections;
mod slot;
mod target;
mod tool;
mod workflow;

pub use manifest::{Legacy, List, Manifest, MapActions, Protocol, Version, Workflows};
pub use projection::{
    Extract, Field, FieldProperty, Frame, Marker, MarkerType, Markers, OnMissing, Projection,
    ProjectionExpression, RecipeStep, Snapshot, SnapshotSource, SnapshotVersion, Summary,
};
pub use schema::JsonSchema;
pub use sections::{
    Affordance, Assertion, Attachment, AttributeAssertion, Check, Composition, ConflictPolicy, Context,
    Convergence, Diagnostic, Evidence, Import, ImportKind, Ingestion, Lifecycle, LoadWhen, OnFail, Opens,
    Placement, Preconditions, Provenance, RequiredDictionary, Requires, Signal, State, Surface, Transition,
    Trust,
};
pub use slot::{Code, Slot, SlotOrText, Slotted, SlottedObject};
pub use target::{
    Confidence, ElementStates, Names, Nth, Scope, Selectors, SourceHints, Target, TargetReference,
    UrlPatterns,
};
pub use tool::{
    Availability, Binding, CallLimit, ConfirmDemand, DeclaredFile, Direction, DraftStep, DraftStepType,
    Execution, ExecutionMode, LimitScope, OnDialog, OnMisfit, Postcondition, Tool, ToolScope, Verify,
    XActions,
};
pub use workflow::{
    AfterEach, ExpressionLanguage, OnError, Settle, Step, WaitState, Workflow, WorkflowVersion,
};

pub use crate::lower::{
    AttemptLimit, ByteBudget, CallCount, Count, DelayMillis, ItemLimit, Located, PeriodMillis, Prose,
    WaitMillis,
};
