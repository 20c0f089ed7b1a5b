//! One primitive as its dictionary file describes it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bundle::bundle;
use crate::capability_class::CapabilityClass;
use crate::common_errors;
use crate::declared_error::DeclaredError;
use crate::example::Example;
use crate::field::{Field, fields};
use crate::schema::Schema;
use crate::schema_error::SchemaError;
use crate::support::Support;

/// What the dictionary says about one primitive.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Primitive {
    /// The name steps and handlers use, such as `locator.text_content`.
    pub name: String,
    /// The version of its contract.
    pub version: u32,
    /// One sentence.
    pub summary: String,
    /// A paragraph: exactly what it does, what it waits for, what it promises.
    pub description: String,
    /// How far it reaches.
    #[serde(rename = "capability_class")]
    pub class: CapabilityClass,
    /// Whether it may change the content of the page or the data of the site.
    pub mutating: bool,
    /// With which arguments it changes nothing although it is mutating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reads_when: Option<ReadsWhen>,
    /// Whether it needs no page: a tool of such primitives alone is performed without a browser.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_page: bool,
    /// Whether it may run between the attempts of a `retry_until`.
    pub idempotent_observer: bool,
    /// Whether pacing applies to it.
    pub human_visible: bool,
    /// Whether the focus is where it acted when it ends.
    pub takes_focus: bool,
    /// Whether it writes into the focused element when its arguments name none.
    pub writes_at_focus: bool,
    /// Whether the recipe of a marker may use it.
    pub recipe_step: bool,
    /// Whether it calls another tool of the map: the engine performs that tool instead of anything on the page.
    pub calls_tool: bool,
    /// Whether this engine performs it.
    pub support: Support,
    /// Every error code it may end with: its own first, then those of its groups.
    pub errors: Vec<DeclaredError>,
    /// Calls that succeed.
    pub examples: Vec<Example>,
    #[serde(rename = "input_schema")]
    input: Schema,
    #[serde(rename = "output_schema")]
    output: Schema,
}

/// With which arguments a mutating primitive changes nothing.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadsWhen {
    /// The argument that decides.
    pub argument: String,
    /// Its values with which nothing is changed.
    pub one_of: Vec<String>,
}

/// A dictionary file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    version: u32,
    summary: String,
    description: String,
    capability_class: CapabilityClass,
    mutating: bool,
    reads_when: Option<ReadsWhen>,
    #[serde(default)]
    without_page: bool,
    idempotent_observer: bool,
    human_visible: bool,
    takes_focus: bool,
    writes_at_focus: bool,
    recipe_step: bool,
    calls_tool: bool,
    support: Support,
    input_schema: Value,
    output_schema: Value,
    errors: Vec<DeclaredError>,
    error_groups: Vec<String>,
    examples: Vec<Example>,
}

impl Primitive {
    pub(crate) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let file: File = serde_json::from_str(text)?;
        Ok(Primitive {
            name: file.name,
            version: file.version,
            summary: file.summary,
            description: file.description,
            class: file.capability_class,
            mutating: file.mutating,
            reads_when: file.reads_when,
            without_page: file.without_page,
            idempotent_observer: file.idempotent_observer,
            human_visible: file.human_visible,
            takes_focus: file.takes_focus,
            writes_at_focus: file.writes_at_focus,
            recipe_step: file.recipe_step,
            calls_tool: file.calls_tool,
            support: file.support,
            errors: common_errors::merge(file.errors, &file.error_groups),
            examples: file.examples,
            input: Schema::lazy(|| bundle(file.input_schema)),
            output: Schema::lazy(|| bundle(file.output_schema)),
        })
    }

    /// The schema of its arguments, self-contained.
    pub fn input_schema(&self) -> &Value {
        self.input.json()
    }

    /// The schema of its output, self-contained.
    pub fn output_schema(&self) -> &Value {
        self.output.json()
    }

    /// Its arguments, in their declared order.
    pub fn arguments(&self) -> Vec<Field<'_>> {
        fields(self.input_schema())
    }

    /// The fields of its output, in their declared order.
    pub fn results(&self) -> Vec<Field<'_>> {
        fields(self.output_schema())
    }

    /// Whether a call may change something, when `argument` gives the value of an argument that is known, and `None` for one
    /// that is absent. The argument that decides must be known; a caller that does not know it asks about [`Value::Null`].
    pub fn may_change(&self, argument: impl Fn(&str) -> Option<Value>) -> bool {
        let Some(reads_when) = self.reads_when.as_ref().filter(|_| self.mutating) else {
            return self.mutating;
        };
        let default = || self.input_schema()["properties"][&reads_when.argument].get("default").cloned();
        let value = argument(&reads_when.argument).or_else(default);
        let reads = value.as_ref().and_then(Value::as_str);
        !reads.is_some_and(|value| reads_when.one_of.iter().any(|reading| reading == value))
    }

    /// The schema of its arguments, for callers that validate or complete more than whole arguments.
    pub fn input(&self) -> &Schema {
        &self.input
    }

    /// The schema of its output.
    pub fn output(&self) -> &Schema {
        &self.output
    }

    /// Reports everything in the arguments that does not fit the input schema.
    pub fn validate_args(&self, args: &Value) -> Vec<SchemaError> {
        self.input.validate(args)
    }

    /// Reports what does not fit the input schema whatever the holes will hold.
    ///
    /// A hole is a position whose value is not known yet, such as a slot; `is_hole` is asked with JSON pointers.
    /// A hole may turn out to be any value, or absent: an error is reported only if no value of the holes would remove it.
    /// An unknown key is reported even if its value is a hole.
    ///
    /// ```
    /// use actions_dictionary::Dictionary;
    /// use serde_json::json;
    ///
    /// let click = Dictionary::builtin().get("pointer.click").expect("it is in the dictionary");
    /// let args = json!({"x": "{% steps.find.output.clickable_center.x %}", "y": "12"});
    /// let errors = click.validate_args_with_holes(&args, &|pointer| pointer == "/x");
    /// assert_eq!(errors.len(), 1);
    /// assert_eq!(errors[0].pointer, "/y");
    /// ```
    pub fn validate_args_with_holes(&self, args: &Value, is_hole: &dyn Fn(&str) -> bool) -> Vec<SchemaError> {
        self.input.validate_with_holes(args, is_hole)
    }

    /// Fills in the declared defaults of absent arguments.
    pub fn apply_defaults(&self, args: &mut Value) {
        self.input.apply_defaults(args);
    }

    /// Whether the output can have a field at this path; none when the schema leaves it open.
    ///
    /// Arrays are looked through, as JSONata does: `["matches", "text"]` asks about the items of `matches`.
    pub fn output_has_path(&self, path: &[&str]) -> Option<bool> {
        self.output.has_path(path)
    }

    /// Whether a call may end with this code.
    pub fn may_give(&self, code: actions_protocol::ErrorCode) -> bool {
        self.errors.iter().any(|error| error.code == code)
    }
}
