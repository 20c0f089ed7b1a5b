//! Every JSON Schema of a map.

use crate::model::JsonSchema;
use crate::view::Subject;

/// The schemas of a map: of arguments, results, payloads and states.
pub(crate) fn schemas<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = &'s JsonSchema> {
    let tools = subject.manifest.tools.iter().flat_map(|tool| {
        let inner = tool.x_actions.as_ref().and_then(|x| x.result_schema.as_ref());
        [Some(&tool.input_schema), tool.result_schema.as_ref(), inner]
    });
    let projections = subject.manifest.state_projections.iter().flat_map(|projection| {
        let summaries = projection.summaries.iter().map(|summary| summary.input_schema.as_ref());
        std::iter::once(projection.snapshot.output_schema.as_ref()).chain(summaries)
    });
    let signals = subject.manifest.signals.iter().map(|signal| signal.payload.as_ref());
    tools.chain(projections).chain(signals).flatten()
}
