//! The control that a primitive acted on in place of the element that the locator matched.

use serde::{Deserialize, Serialize};

/// The control that a primitive acted on in place of the element that the locator matched: that of a label, or the one
/// inside a component.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ActedOn {
    target_label: String,
    tag_name: String,
    id: Option<String>,
    role: Option<String>,
    name: String,
}
