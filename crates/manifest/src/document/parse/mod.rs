//! Reads strict JSON (RFC 8259) into nodes that know their place.
//!
//! The parsers at hand either forget where a value stood or read more than JSON (other white space, raw control
//! characters, half characters), and a map must mean the same to every reader.

mod fault;
mod number;
mod string;

use std::collections::HashMap;

use actions_protocol::limits;

use super::node::{self, Content, Link, Member, NodeData};
use super::{NodeId, Span};

pub(crate) use fault::ParseFault;

/// A key that stands twice in one object.
#[derive(Debug)]
pub(crate) struct DuplicateKey {
    pub(crate) object: NodeId,
    pub(crate) key: Box<str>,
    pub(crate) first: Span,
    pub(crate) second: Span,
}

/// Builds the nodes of a document from its text; a repeated key keeps its first value.
pub(super) fn parse(text: &str) -> Result<(Vec<NodeData>, Vec<DuplicateKey>), ParseFault> {
    // About one value stands in every 24 bytes of a map.
    let nodes = Vec::with_capacity(text.len() / 24);
    let mut parser = Parser { text, at: 0, nodes, duplicates: Vec::new() };
    parser.skip_white_space();
    if parser.peek().is_none() {
        return Err(parser.fault_here("the text holds no JSON value"));
    }
    parser.value(Link::Root, 1)?;
    parser.skip_white_space();
    match parser.peek() {
        None => Ok((parser.nodes, parser.duplicates)),
        Some(_) => Err(parser.unexpected("the end of the text")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    nodes: Vec<NodeData>,
    duplicates: Vec<DuplicateKey>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Steps over `byte` if it comes next.
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    /// Reads the value that begins here.
    fn value(&mut self, link: Link, depth: usize) -> Result<NodeId, ParseFault> {
        let start = self.at;
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(NodeData { link, span: Span::new(start, start), content: Content::Null });
        let content = match self.peek() {
            Some(b'{') => self.object(id, depth)?,
            Some(b'[') => self.array(id, depth)?,
            Some(b'"') => Content::String(self.string()?.into()),
            Some(b'-' | b'0'..=b'9') => Content::Number(self.number()?),
            _ if self.eat_word("true") => Content::Bool(true),
            _ if self.eat_word("false") => Content::Bool(false),
            _ if self.eat_word("null") => Content::Null,
            _ => return Err(self.unexpected("a value")),
        };
        let data = &mut self.nodes[id.0 as usize];
        data.content = content;
        data.span.end = self.at;
        Ok(id)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn array(&mut self, id: NodeId, depth: usize) -> Result<Content, ParseFault> {
        self.open(depth)?;
        let mut elements = Vec::new();
        if !self.closes(b']') {
            loop {
                let index = elements.len() as u32;
                elements.push(self.value(Link::Element { parent: id, index }, depth + 1)?);
                if !self.goes_on(b']')? {
                    break;
                }
            }
        }
        Ok(Content::Array(elements.into()))
    }

    fn object(&mut self, id: NodeId, depth: usize) -> Result<Content, ParseFault> {
        self.open(depth)?;
        let mut members = Members::default();
        if !self.closes(b'}') {
            loop {
                self.member(id, &mut members, depth)?;
                if !self.goes_on(b'}')? {
                    break;
                }
            }
        }
        Ok(Content::Object(node::Members::new(members.list)))
    }

    fn member(&mut self, parent: NodeId, members: &mut Members, depth: usize) -> Result<(), ParseFault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let key: Box<str> = self.string()?.into();
        let key_span = Span::new(start, self.at);
        self.skip_white_space();
        if !self.eat(b':') {
            return Err(self.unexpected("a colon after the key"));
        }
        self.skip_white_space();
        if let Some(first) = members.find(&key) {
            self.passed_over(depth)?;
            self.duplicates.push(DuplicateKey { object: parent, key, first, second: key_span });
            return Ok(());
        }
        let link = Link::Member { parent, index: members.list.len() as u32 };
        let value = self.value(link, depth + 1)?;
        members.list.push(Member { key, key_span, value });
        Ok(())
    }

    /// Reads a value and keeps nothing of it.
    fn passed_over(&mut self, depth: usize) -> Result<(), ParseFault> {
        let (nodes, duplicates) = (self.nodes.len(), self.duplicates.len());
        self.value(Link::Root, depth + 1)?;
        self.nodes.truncate(nodes);
        self.duplicates.truncate(duplicates);
        Ok(())
    }

    /// Steps into an array or object.
    fn open(&mut self, depth: usize) -> Result<(), ParseFault> {
        if depth > limits::MAP_DEPTH {
            return Err(ParseFault::TooDeep { span: Span::new(self.at, self.at + 1) });
        }
        self.at += 1;
        self.skip_white_space();
        Ok(())
    }

    /// Steps over the closing bracket if it comes next.
    fn closes(&mut self, bracket: u8) -> bool {
        self.eat(bracket)
    }

    /// Steps over the comma to what follows, or over the closing bracket.
    fn goes_on(&mut self, bracket: u8) -> Result<bool, ParseFault> {
        self.skip_white_space();
        if self.eat(bracket) {
            return Ok(false);
        }
        let comma = self.at;
        if !self.eat(b',') {
            return Err(self.unexpected(if bracket == b']' { "a comma or `]`" } else { "a comma or `}`" }));
        }
        self.skip_white_space();
        if self.peek() == Some(bracket) {
            let span = Span::new(comma, comma + 1);
            return Err(ParseFault::NotJson {
                span,
                message: "a comma stands before the closing bracket".to_owned(),
            });
        }
        Ok(true)
    }
}

/// The members read so far. Few are compared one by one; for many there is an index.
#[derive(Default)]
struct Members {
    list: Vec<Member>,
    index: HashMap<Box<str>, usize>,
}

impl Members {
    const FEW: usize = 16;

    /// The place of the key, if it is known already.
    fn find(&mut self, key: &str) -> Option<Span> {
        if self.list.len() <= Self::FEW {
            return self.list.iter().find(|member| &*member.key == key).map(|member| member.key_span);
        }
        for at in self.index.len()..self.list.len() {
            self.index.insert(self.list[at].key.clone(), at);
        }
        self.index.get(key).map(|at| self.list[*at].key_span)
    }
}
