use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions};

use super::node::{Content, Link, Member, NodeData};
use super::{NodeId, Span};

/// How deep arrays and objects may nest; the deepest map seen in the wild has 21 levels.
pub(crate) const MAX_DEPTH: usize = 128;

/// Why a text is not a JSON document.
#[derive(Debug)]
pub(crate) enum ParseFault {
    NotJson { span: Span, message: String },
    TooDeep { span: Span },
}

/// A key that stands twice in one object.
#[derive(Debug)]
pub(crate) struct DuplicateKey {
    pub(crate) object: NodeId,
    pub(crate) key: Box<str>,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

const NOTHING_ELSE: CollectOptions =
    CollectOptions { comments: CommentCollectionStrategy::Off, tokens: false };

/// Builds the nodes of a document from its text; a repeated key keeps its first value.
pub(super) fn parse(text: &str) -> Result<(Vec<NodeData>, Vec<DuplicateKey>), ParseFault> {
    let parsed = jsonc_parser::parse_to_ast(text, &NOTHING_ELSE, &STRICT).map_err(|error| {
        let range = error.range();
        let span = Span::new(range.start.min(text.len()), range.end.min(text.len()));
        match error.kind() {
            ParseErrorKind::NestingDepthExceeded => ParseFault::TooDeep { span },
            kind => ParseFault::NotJson { span, message: lower_first(&kind.to_string()) },
        }
    })?;
    let Some(value) = parsed.value else {
        let span = Span::new(text.len(), text.len());
        return Err(ParseFault::NotJson { span, message: "the text holds no JSON value".to_owned() });
    };
    let mut builder = Builder { text, nodes: Vec::new(), duplicates: Vec::new() };
    builder.add(&value, Link::Root, 1)?;
    Ok((builder.nodes, builder.duplicates))
}

fn lower_first(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

struct Builder<'t> {
    text: &'t str,
    nodes: Vec<NodeData>,
    duplicates: Vec<DuplicateKey>,
}

impl Builder<'_> {
    fn add(&mut self, value: &ast::Value<'_>, link: Link, depth: usize) -> Result<NodeId, ParseFault> {
        let range = value.range();
        let span = Span::new(range.start, range.end);
        if depth > MAX_DEPTH {
            return Err(ParseFault::TooDeep { span });
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(NodeData { link, span, content: Content::Null });
        let content = match value {
            ast::Value::NullKeyword(_) => Content::Null,
            ast::Value::BooleanLit(literal) => Content::Bool(literal.value),
            ast::Value::StringLit(literal) => {
                self.no_raw_control_character(span)?;
                Content::String(literal.value.as_ref().into())
            }
            ast::Value::NumberLit(literal) => {
                Content::Number(serde_json::from_str(literal.value).map_err(|_| ParseFault::NotJson {
                    span,
                    message: format!("`{}` is not a number JSON can hold", literal.value),
                })?)
            }
            ast::Value::Array(array) => {
                let elements = array.elements.iter().enumerate();
                let ids: Result<Box<[_]>, _> = elements
                    .map(|(index, element)| {
                        self.add(element, Link::Element { parent: id, index: index as u32 }, depth + 1)
                    })
                    .collect();
                Content::Array(ids?)
            }
            ast::Value::Object(object) => Content::Object(self.members(object, id, depth)?),
        };
        self.nodes[id.0 as usize].content = content;
        Ok(id)
    }

    fn members(
        &mut self,
        object: &ast::Object<'_>,
        parent: NodeId,
        depth: usize,
    ) -> Result<Box<[Member]>, ParseFault> {
        let mut members: Vec<Member> = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let key = property.name.as_str();
            let range = property.name.range();
            let key_span = Span::new(range.start, range.end);
            self.no_raw_control_character(key_span)?;
            if let Some(first) = members.iter().find(|member| &*member.key == key) {
                let first = first.key_span;
                self.duplicates.push(DuplicateKey {
                    object: parent,
                    key: key.into(),
                    first,
                    second: key_span,
                });
                continue;
            }
            let link = Link::Member { parent, index: members.len() as u32 };
            let value = self.add(&property.value, link, depth + 1)?;
            members.push(Member { key: key.into(), key_span, value });
        }
        Ok(members.into())
    }

    /// The parser below reads control characters inside strings; JSON wants them escaped.
    fn no_raw_control_character(&self, span: Span) -> Result<(), ParseFault> {
        let Some(at) = self.text[span.start..span.end].find(|c: char| c < ' ') else { return Ok(()) };
        let span = Span::new(span.start + at, span.start + at + 1);
        Err(ParseFault::NotJson {
            span,
            message: "a control character stands unescaped in a string".to_owned(),
        })
    }
}
