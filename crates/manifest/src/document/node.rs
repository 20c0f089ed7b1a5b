//! One value of a document, with its position and its neighbours.

use serde_json::{Map, Number, Value};

use super::{Document, Source, Span};

/// The number of a node within its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

/// What a node holds.
#[derive(Debug)]
pub(super) enum Content {
    Null,
    Bool(bool),
    Number(Number),
    String(Box<str>),
    Array(Box<[NodeId]>),
    Object(Members),
}

/// One member of an object.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) key: Box<str>,
    pub(super) key_span: Span,
    pub(super) value: NodeId,
}

/// The members of an object, in the order of the text.
#[derive(Debug)]
pub(super) struct Members {
    list: Box<[Member]>,
    /// The places of the members of a large object, in the order of their keys.
    by_key: Box<[u32]>,
}

impl Members {
    /// An object with fewer members is searched one by one.
    const FEW: usize = 16;

    pub(super) fn new(list: Vec<Member>) -> Self {
        let mut by_key: Vec<u32> =
            if list.len() > Self::FEW { (0..list.len() as u32).collect() } else { Vec::new() };
        by_key.sort_unstable_by(|a, b| list[*a as usize].key.cmp(&list[*b as usize].key));
        Self { list: list.into(), by_key: by_key.into() }
    }

    fn find(&self, key: &str) -> Option<&Member> {
        if self.by_key.is_empty() {
            return self.list.iter().find(|member| &*member.key == key);
        }
        let found = self.by_key.binary_search_by(|at| (*self.list[*at as usize].key).cmp(key)).ok()?;
        Some(&self.list[self.by_key[found] as usize])
    }
}

/// How a node hangs below its parent.
#[derive(Debug)]
pub(super) enum Link {
    Root,
    Member { parent: NodeId, index: u32 },
    Element { parent: NodeId, index: u32 },
}

#[derive(Debug)]
pub(super) struct NodeData {
    pub(super) link: Link,
    pub(super) span: Span,
    pub(super) content: Content,
}

/// The JSON type of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The type with its article, for sentences.
    pub fn with_article(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        }
    }
}

/// A value in a document: cheap to copy, knows its place.
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    pub(super) document: &'d Document,
    pub(super) id: NodeId,
}

impl<'d> Node<'d> {
    fn data(self) -> &'d NodeData {
        &self.document.nodes[self.id.0 as usize]
    }

    fn sibling(self, id: NodeId) -> Node<'d> {
        Node { document: self.document, id }
    }

    /// The number of the node.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The source the node stands in.
    pub fn source(self) -> &'d Source {
        self.document.source()
    }

    /// The source, to be kept.
    pub(crate) fn source_arc(self) -> &'d std::sync::Arc<Source> {
        self.document.source()
    }

    /// The bytes of the value.
    pub fn span(self) -> Span {
        self.data().span
    }

    /// The bytes of the member's key, or of the value when it has none.
    pub fn key_span(self) -> Span {
        match self.data().link {
            Link::Member { parent, index } => match &self.sibling(parent).data().content {
                Content::Object(members) => members.list[index as usize].key_span,
                _ => self.span(),
            },
            Link::Element { .. } | Link::Root => self.span(),
        }
    }

    /// The key of the member whose value this is.
    pub fn key(self) -> Option<&'d str> {
        let Link::Member { parent, index } = self.data().link else { return None };
        match &self.sibling(parent).data().content {
            Content::Object(members) => Some(&members.list[index as usize].key),
            _ => None,
        }
    }

    /// The value this one stands in.
    pub fn parent(self) -> Option<Node<'d>> {
        match self.data().link {
            Link::Root => None,
            Link::Member { parent, .. } | Link::Element { parent, .. } => Some(self.sibling(parent)),
        }
    }

    /// The JSON pointer (RFC 6901) of the value.
    pub fn pointer(self) -> String {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            match at.data().link {
                Link::Root => break,
                Link::Member { parent, .. } => {
                    steps.push(at.key().unwrap_or_default().replace('~', "~0").replace('/', "~1"));
                    at = self.sibling(parent);
                }
                Link::Element { parent, index } => {
                    steps.push(index.to_string());
                    at = self.sibling(parent);
                }
            }
        }
        steps.iter().rev().fold(String::new(), |pointer, step| pointer + "/" + step)
    }

    /// The JSON type.
    pub fn kind(self) -> Kind {
        match self.data().content {
            Content::Null => Kind::Null,
            Content::Bool(_) => Kind::Bool,
            Content::Number(_) => Kind::Number,
            Content::String(_) => Kind::String,
            Content::Array(_) => Kind::Array,
            Content::Object(_) => Kind::Object,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.data().content {
            Content::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_number(self) -> Option<&'d Number> {
        match &self.data().content {
            Content::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn as_str(self) -> Option<&'d str> {
        match &self.data().content {
            Content::String(value) => Some(value),
            _ => None,
        }
    }

    /// The elements; none for anything but an array.
    pub fn elements(self) -> impl DoubleEndedIterator<Item = Node<'d>> + ExactSizeIterator {
        let ids: &[NodeId] = match &self.data().content {
            Content::Array(ids) => ids,
            _ => &[],
        };
        ids.iter().map(move |id| self.sibling(*id))
    }

    /// The members; none for anything but an object.
    pub fn members(self) -> impl DoubleEndedIterator<Item = (&'d str, Node<'d>)> + ExactSizeIterator {
        let members: &[Member] = match &self.data().content {
            Content::Object(members) => &members.list,
            _ => &[],
        };
        members.iter().map(move |member| (&*member.key, self.sibling(member.value)))
    }

    /// The member called `key`, if this is an object that has it.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        match &self.data().content {
            Content::Object(members) => members.find(key).map(|member| self.sibling(member.value)),
            _ => None,
        }
    }

    /// The values directly below.
    pub fn children(self) -> impl Iterator<Item = Node<'d>> {
        self.elements().chain(self.members().map(|(_, value)| value))
    }

    /// Calls `visit` with this value and everything below it, in the order of the text.
    pub fn walk(self, visit: &mut dyn FnMut(Node<'d>)) {
        visit(self);
        self.children().for_each(|child| child.walk(visit));
    }

    /// The node below this one at a JSON pointer.
    pub fn at(self, pointer: &str) -> Option<Node<'d>> {
        pointer.split('/').skip(1).try_fold(self, |node, step| match node.kind() {
            Kind::Array => node.elements().nth(step.parse().ok()?),
            _ => node.get(&step.replace("~1", "/").replace("~0", "~")),
        })
    }

    /// The plain JSON value.
    pub fn to_value(self) -> Value {
        match &self.data().content {
            Content::Null => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Number(value) => Value::Number(value.clone()),
            Content::String(value) => Value::String(value.to_string()),
            Content::Array(_) => Value::Array(self.elements().map(Node::to_value).collect()),
            Content::Object(_) => Value::Object(
                self.members().map(|(key, value)| (key.to_owned(), value.to_value())).collect::<Map<_, _>>(),
            ),
        }
    }

    /// The span in the source of `len` bytes from `offset` of this string's decoded text.
    ///
    /// Escapes make the text in the file longer than the string it stands for; this walks both.
    pub fn span_in_string(self, offset: usize, len: usize) -> Span {
        let span = self.span();
        let raw = &self.source().text()[span.start..span.end];
        let Some(body) = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) else { return span };
        let from = raw_offset(body, offset);
        let to = raw_offset(body, offset + len).max(from);
        Span::new(span.start + 1 + from, span.start + 1 + to)
    }
}

/// The offset in the escaped `body` of a JSON string that stands for `decoded` bytes of its value.
fn raw_offset(body: &str, decoded: usize) -> usize {
    let mut raw = 0;
    let mut seen = 0;
    while seen < decoded && raw < body.len() {
        let (raw_len, decoded_len) = piece(&body[raw..]);
        raw += raw_len;
        seen += decoded_len;
    }
    raw
}

/// The lengths, escaped and decoded, of the first character or escape of `text`.
fn piece(text: &str) -> (usize, usize) {
    let first = text.chars().next().map_or(1, char::len_utf8);
    if !text.starts_with('\\') {
        return (first, first);
    }
    let Some(unit) = hex(text, 0) else { return (text.len().min(2), 1) };
    let low = hex(text, 6).filter(|low| (0xD800..0xDC00).contains(&unit) && (0xDC00..0xE000).contains(low));
    match low {
        Some(_) => (12, 4),
        None => (6, char::from_u32(unit).map_or(3, char::len_utf8)),
    }
}

/// The code unit of a `\uXXXX` escape at `at`.
fn hex(text: &str, at: usize) -> Option<u32> {
    text.get(at..at + 2).filter(|mark| *mark == "\\u")?;
    u32::from_str_radix(text.get(at + 2..at + 6)?, 16).ok()
}
