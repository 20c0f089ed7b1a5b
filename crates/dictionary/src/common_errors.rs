//! The errors that whole groups of primitives share, from `_shared/common_errors.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::declared_error::DeclaredError;
use crate::embedded;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    #[serde(rename = "description")]
    _description: String,
    errors: Vec<DeclaredError>,
}

static GROUPS: LazyLock<BTreeMap<String, Group>> = LazyLock::new(|| {
    let text =
        embedded::find(embedded::SHARED, "common_errors").expect("_shared/common_errors.json is embedded");
    serde_json::from_str(text).expect("the tests of this crate parse every embedded file")
});

/// Adds the errors of the groups to a primitive's own. A code the primitive declares itself keeps its own story.
pub(crate) fn merge(own: Vec<DeclaredError>, groups: &[String]) -> Vec<DeclaredError> {
    let mut errors = own;
    for name in groups {
        let group = GROUPS.get(name).expect("the meta-schema names every group of common errors");
        for error in &group.errors {
            if errors.iter().all(|known| known.code != error.code) {
                errors.push(DeclaredError { group: Some(name.clone()), ..error.clone() });
            }
        }
    }
    errors
}
