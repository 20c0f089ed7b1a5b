//! Runs a step once for each item of a collection.

use actions_expr::Expression;
use actions_manifest::model::OnError;
use actions_trace::EventKind;
use serde_json::{Map, Value};

use super::scope::{failed, succeeded};
use super::step::StepOutcome;
use super::step_failure::{StepFailure, survivable};
use super::{Run, Scope};
use crate::plan::Step;

impl Run<'_> {
    /// Performs a step for each item of a collection, one after the other.
    ///
    /// A single value is a collection of one, and a missing one is empty: that is how JSONata sees sequences.
    pub(super) async fn for_each(
        &self,
        step: &Step,
        collection: &Expression,
        max_items: usize,
        scope: &mut Scope,
    ) -> Result<StepOutcome, StepFailure> {
        let mut items = self.evaluate(collection, scope.value())?.into_items();
        if items.len() > max_items {
            self.emit(EventKind::ItemsLeftOut { step_id: step.id.clone(), count: items.len() - max_items });
            items.truncate(max_items);
        }
        let mut results = Vec::with_capacity(items.len());
        let mut all_ok = true;
        let mut settle = None;
        for (index, item) in items.into_iter().enumerate() {
            scope.set_item(item, index);
            match self.once(step, &step.performs, scope, Some(index)).await {
                Ok(output) => {
                    results.push(Value::Object(succeeded(output)));
                    settle = self.settle(step, scope, Some(index)).await?.or(settle);
                }
                Err(failure) if step.on_error == OnError::Continue && survivable(&failure) => {
                    all_ok = false;
                    results.push(Value::Object(failed(&failure)));
                }
                Err(failure) => return Err(failure.with_evidence("item_index", index).into()),
            }
        }
        let mut result = Map::new();
        result.insert("ok".to_owned(), Value::Bool(all_ok));
        result.insert("items".to_owned(), Value::Array(results));
        Ok(StepOutcome { result, skipped: false, settle })
    }
}
