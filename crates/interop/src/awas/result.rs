//! How the result of an action is read from the page.

use actions_manifest::Report;
use actions_manifest::document::{Kind, Node};
use serde_json::{Map, Value, json};

use super::parameter::{selector, unknown};
use super::read::{missing, wrong};

/// What an action shows in the page.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) kind: ShownKind,
    pub(super) container: String,
    pub(super) item: Option<String>,
    pub(super) properties: Vec<Property>,
    pub(super) next: Option<String>,
}

/// The kinds of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownKind {
    Single,
    List,
    Table,
    Form,
}

/// A property of an item, and how it is read.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    selector: String,
    reads: Reads,
}

/// How a property is read, by the end of its selector.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reads {
    /// The text.
    Text,
    /// The absolute address in an attribute.
    Address(&'static str),
    /// The text, and the attribute if there is none.
    TextOrAttribute(String),
}

/// Reads `result`, and reports what is wrong with it. None if nothing can be read by it.
pub(super) fn read(action: Node<'_>, report: &mut Report) -> Option<Shown> {
    let node = action.get("result")?;
    if node.kind() != Kind::Object {
        wrong(node, "an object", report);
        return None;
    }
    let kind = match node.get("type").map(|kind| (kind, kind.as_str())) {
        Some((_, Some("single"))) => ShownKind::Single,
        Some((_, Some("table"))) => ShownKind::Table,
        Some((_, Some("form"))) => ShownKind::Form,
        Some((_, Some("list"))) => ShownKind::List,
        Some((at, Some(other))) => {
            unknown(at, other, "a kind of result", report);
            ShownKind::List
        }
        Some((at, None)) => {
            wrong(at, "a string", report);
            ShownKind::List
        }
        None => {
            missing(node, "type", report).tolerated();
            ShownKind::List
        }
    };
    if node.get("selector").is_none() {
        missing(node, "selector", report).tolerated();
        return None;
    }
    let container = selector(node, "selector", report)?.to_owned();
    let item = selector(node, "itemSelector", report).map(str::to_owned);
    let mut properties = Vec::new();
    if let Some(listed) = node.get("properties") {
        for (name, _) in listed.members() {
            let Some(selector) = selector(listed, name, report) else { continue };
            properties.push(Property {
                name: name.to_owned(),
                selector: selector.to_owned(),
                reads: reads(selector),
            });
        }
    }
    let next =
        node.get("pagination").and_then(|pages| selector(pages, "nextButton", report)).map(str::to_owned);
    Some(Shown { kind, container, item, properties, next })
}

/// How a property is read: a selector that ends in an attribute means the attribute where an address or data stands.
fn reads(selector: &str) -> Reads {
    let attribute = selector.trim_end().strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    let Some((_, attribute)) = attribute else { return Reads::Text };
    match attribute {
        "href" => Reads::Address("href"),
        "src" => Reads::Address("src"),
        "action" => Reads::Address("action"),
        "content" | "value" | "datetime" => Reads::TextOrAttribute(attribute.to_owned()),
        data if data.starts_with("data-") && data.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
            Reads::TextOrAttribute(data.to_owned())
        }
        _ => Reads::Text,
    }
}

impl Shown {
    /// Whether there are several items.
    pub(super) fn is_many(&self) -> bool {
        matches!(self.kind, ShownKind::List | ShownKind::Table)
    }

    /// The `extract` that reads the result.
    pub(super) fn extract(&self) -> Value {
        let selector = match (&self.item, self.is_many()) {
            (Some(item), true) => format!(":is({}) :is({item})", self.container),
            _ => self.container.clone(),
        };
        let mut items = json!({ "id": "items", "selector": selector, "many": self.is_many() });
        if !self.properties.is_empty() {
            let mut fields = Map::new();
            for (number, property) in self.properties.iter().enumerate() {
                fields.extend(property.fields(number));
            }
            items["fields"] = Value::Object(fields);
        }
        let mut extract = vec![items];
        if let Some(next) = &self.next {
            extract.push(json!({ "id": "next", "selector": next, "fields": {} }));
        }
        Value::Array(extract)
    }

    /// The expression of the items, or of the one item, that a step has read.
    pub(super) fn value(&self, step: &str) -> String {
        let records = format!("steps.{step}.output.records.items");
        let shape = match self.properties.is_empty() {
            true => "{'text': $}".to_owned(),
            false => {
                let members: Vec<String> = self
                    .properties
                    .iter()
                    .enumerate()
                    .map(|(number, property)| format!("{}: {}", json!(property.name), property.value(number)))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }
        };
        match self.is_many() {
            true => format!("[{records}.({shape})]"),
            false => format!("{records}.({shape})"),
        }
    }

    /// Whether another page follows, as an expression over what a step has read.
    pub(super) fn has_next(&self, step: &str) -> String {
        match &self.next {
            Some(_) => format!("$count(steps.{step}.output.records.next) > 0"),
            None => "false".to_owned(),
        }
    }

    /// The name of the result in the output of the tool.
    pub(super) fn key(&self) -> &'static str {
        match self.kind {
            ShownKind::List | ShownKind::Table => "items",
            ShownKind::Single => "item",
            ShownKind::Form => "fields",
        }
    }

    /// The JSON Schema of the output of the tool.
    pub(super) fn schema(&self) -> Value {
        let properties: Map<String, Value> = self
            .properties
            .iter()
            .map(|property| (property.name.clone(), json!({ "type": ["string", "null"] })))
            .collect();
        let item = match self.properties.is_empty() {
            true => json!({ "type": ["object", "null"] }),
            false => json!({ "type": ["object", "null"], "properties": properties }),
        };
        match self.is_many() {
            true => json!({
                "type": "object",
                "required": ["items", "count", "has_next"],
                "properties": {
                    "items": { "type": "array", "items": item },
                    "count": { "type": "integer" },
                    "has_next": { "type": "boolean" },
                },
            }),
            false => json!({ "type": "object", "properties": { (self.key()): item } }),
        }
    }
}

/// Words that mean something in an expression.
const RESERVED: &[&str] = &["and", "or", "in", "true", "false", "null", "function"];
/// What is added to the name of a field that is read from an attribute.
const ATTRIBUTE: &str = "_attribute";

impl Property {
    /// The name of the field that is read for it: its own, or a number if an expression could not name it.
    fn field(&self, number: usize) -> String {
        let is_word = self.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let begins = self.name.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_taken = RESERVED.contains(&self.name.as_str()) || self.name.ends_with(ATTRIBUTE);
        if begins && is_word && !is_taken && self.name.len() <= 40 {
            self.name.clone()
        } else {
            format!("field{number}_")
        }
    }

    /// The fields that are read for it.
    fn fields(&self, number: usize) -> Vec<(String, Value)> {
        let field = self.field(number);
        let selector = &self.selector;
        let text = json!({ "selector": selector, "trim": true, "required": self.reads == Reads::Text });
        match &self.reads {
            Reads::Text => vec![(field, text)],
            Reads::Address(property) => {
                vec![(field, json!({ "selector": selector, "property": property, "required": true }))]
            }
            Reads::TextOrAttribute(attribute) => vec![
                (field.clone(), text),
                (
                    format!("{field}{ATTRIBUTE}"),
                    json!({ "selector": selector, "attribute": attribute, "required": true }),
                ),
            ],
        }
    }

    /// The expression of its value in an item; null if it is missing.
    fn value(&self, number: usize) -> String {
        let field = self.field(number);
        match &self.reads {
            Reads::Text | Reads::Address(_) => format!("$boolean({field}) ? {field} : null"),
            Reads::TextOrAttribute(_) => {
                format!(
                    "$boolean({field}) ? {field} : $boolean({field}{ATTRIBUTE}) ? {field}{ATTRIBUTE} : null"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_selector_says_what_is_read() {
        assert_eq!(reads("a[href]"), Reads::Address("href"));
        assert_eq!(reads("[data-isbn]"), Reads::TextOrAttribute("data-isbn".to_owned()));
        assert_eq!(reads("time[datetime]"), Reads::TextOrAttribute("datetime".to_owned()));
        for text in [".book-title", "a[rel='next']", "input[name]", "[data-x='1']"] {
            assert_eq!(reads(text), Reads::Text, "{text}");
        }
    }
}
