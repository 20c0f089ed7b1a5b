//! A projection that is ready to be read: extractors written down, schemas and expressions compiled.

use actions_expr::Expression;
use actions_manifest::model::{self, OnMissing};
use actions_manifest::{CheckedManifest, Exposed, Part, url_matches};
use actions_protocol::{ByteLimit, ErrorCode, SafeName};
use serde_json::Value;

use super::extractor::extractor;
use super::markers::Markers;
use super::readiness::Readiness;
use super::summary::{self, Summary};
use crate::failure::{CallError, Place};
use crate::plan::Input;
use crate::schema::Checker;

/// A projection that is ready to be read.
#[derive(Debug)]
pub(crate) struct Projection {
    pub(crate) name: SafeName,
    /// The addresses it applies to: every list must have one that matches.
    scopes: Vec<Vec<String>>,
    pub(super) extractors: Value,
    pub(super) expression: Expression,
    pub(super) schema: Option<Checker>,
    pub(super) summaries: Vec<Summary>,
    pub(super) markers: Option<Markers>,
    pub(super) readiness: Option<Readiness>,
    pub(super) max_bytes: Option<ByteLimit>,
    /// Whether a required field that is missing makes the reading fail.
    pub(super) fails_on_missing: bool,
}

impl Projection {
    /// Plans a projection of a manifest by its name.
    pub(crate) fn plan(manifest: &CheckedManifest, name: &str) -> Result<Self, CallError> {
        let Some(exposed) = manifest.projection(name) else {
            let names: Vec<String> = manifest.projections().map(|one| one.name.to_string()).collect();
            let message = format!("the map has no projection `{name}`");
            return Err(CallError::new(ErrorCode::StateProjectionNotFound, message)
                .with_evidence("projections", names));
        };
        Self::of(&exposed)
    }

    fn of(exposed: &Exposed<'_, model::Projection>) -> Result<Self, CallError> {
        let Exposed { name, item, .. } = exposed;
        let snapshot = &item.snapshot;
        let schema = snapshot.output_schema.as_ref();
        Ok(Self {
            name: name.clone(),
            scopes: exposed.url_patterns(),
            extractors: snapshot.extract.iter().map(extractor).collect(),
            expression: snapshot.projection.expression.0.expression.clone(),
            schema: schema.map(|schema| Checker::of(&schema.schema)).transpose()?,
            summaries: item
                .summaries
                .iter()
                .map(|summary| planned(summary, exposed.part))
                .collect::<Result<_, _>>()?,
            markers: item.markers.as_ref().map(Markers::plan),
            readiness: item.x_actions.as_ref().and_then(|x| x.ready.as_ref()).and_then(Readiness::plan),
            max_bytes: item.max_bytes.as_ref().map(|budget| bytes(budget.value.0)),
            fails_on_missing: item.on_missing.or(snapshot.on_missing) == Some(OnMissing::Fail),
        })
    }

    /// Makes sure that there is a summary of this name and that it takes these arguments.
    pub(crate) fn check_summary(&self, name: &str, arguments: &Value) -> Result<(), CallError> {
        summary::accept(self, summary::find(self, name)?, arguments).map(|_| ())
    }

    /// Whether it applies to a page of this address.
    pub(super) fn applies_to(&self, url: &str) -> bool {
        self.scopes.iter().all(|patterns| patterns.iter().any(|pattern| url_matches(pattern, url)))
    }

    /// The refusal of a page it does not apply to.
    pub(super) fn out_of_scope(&self, url: &str) -> CallError {
        let message = format!("the projection `{}` does not apply to {url}", self.name);
        CallError::new(ErrorCode::StateProjectionNotFound, message)
            .with_evidence("url", url)
            .with_evidence("url_matches", self.scopes.concat())
    }
}

fn planned(summary: &model::Summary, part: &Part) -> Result<Summary, CallError> {
    Ok(Summary {
        name: summary.name.value.clone(),
        place: Place::of(part.document(), summary.at, summary.name.at),
        input: summary.input_schema.as_ref().map(Input::plan).transpose()?,
        expression: summary.expression.0.expression.clone(),
        max_bytes: summary.max_bytes.as_ref().map(|budget| bytes(budget.value.0)),
    })
}

fn bytes(number: u64) -> ByteLimit {
    ByteLimit(usize::try_from(number).unwrap_or(usize::MAX))
}
