//! Every expression of a map.

use crate::model::{Manifest, Markers, Settle, Slot, Slotted, Step};

/// All expressions of a map: of workflows, projections, summaries, markers and postconditions.
pub(crate) fn slots(manifest: &Manifest) -> Vec<&Slot> {
    let mut found = Vec::new();
    for tool in &manifest.tools {
        if let Some(workflow) = &tool.workflow {
            workflow.steps.iter().for_each(|step| of_step(step, &mut found));
            found.extend(workflow.output.iter().flat_map(|output| &output.slots));
        }
        found.extend(tool.postcondition.as_ref().and_then(|postcondition| postcondition.condition()));
    }
    for projection in &manifest.state_projections {
        found.push(&projection.snapshot.projection.expression.0);
        found.extend(projection.summaries.iter().map(|summary| &summary.expression.0));
        found.extend(
            projection.postconditions.iter().filter_map(|(_, postcondition)| postcondition.condition()),
        );
        match &projection.markers {
            Some(Markers::Computed(slot)) => found.push(slot),
            Some(Markers::List(markers)) => {
                let args =
                    markers.iter().flat_map(|marker| &marker.recipe).filter_map(|step| step.args.as_ref());
                found.extend(args.flat_map(|args| &args.0.slots));
                found.extend(
                    markers
                        .iter()
                        .filter_map(|marker| marker.anchor.as_ref())
                        .flat_map(|anchor| &anchor.slots),
                );
            }
            None => {}
        }
    }
    found
}

fn of_step<'m>(step: &'m Step, found: &mut Vec<&'m Slot>) {
    let slotted = |args: Option<&'m Slotted>| args.into_iter().flat_map(|args| &args.slots);
    found.extend([&step.when, &step.for_each, &step.retry_until].into_iter().flatten());
    found.extend(slotted(step.args.as_ref().map(|args| &args.0)));
    found.extend(slotted(step.after_each.as_ref().and_then(|after| after.args.as_ref()).map(|args| &args.0)));
    if let Some(Settle::Locator { locator, .. }) = &step.settle_after {
        found.extend(&locator.0.slots);
    }
}
