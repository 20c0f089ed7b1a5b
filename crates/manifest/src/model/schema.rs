//! A JSON Schema that a map contains.

use serde_json::{Map, Value, json};

use crate::document::{Kind, Node, NodeId};
use crate::finding::Report;
use crate::lower::{Definitions, Lower};
use crate::reading::t002_schema_not_object;

/// A JSON Schema (2020-12) of the map's own.
#[derive(Clone, Debug)]
pub struct JsonSchema {
    /// Where it stands.
    pub at: NodeId,
    /// The schema.
    pub schema: Map<String, Value>,
}

impl Lower for JsonSchema {
    fn when_missing(owner: Node<'_>) -> Option<Self> {
        Some(Self { at: owner.id(), schema: Map::new() })
    }

    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        match (node.kind(), node.to_value()) {
            (Kind::Object, Value::Object(schema)) => Some(Self { at: node.id(), schema }),
            _ => {
                let key = node.key().unwrap_or("the schema");
                report
                    .find(
                        &t002_schema_not_object::RULE,
                        node,
                        format!("`{key}` is {}, not a JSON object", node.kind().with_article()),
                    )
                    .help("for anything at all write `{}`");
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "object" })
    }
}
