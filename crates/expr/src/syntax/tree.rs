//! The syntax tree: what the source says, with the place of everything.

use crate::Place;

const RED_ZONE: usize = 128 * 1024;
const STACK_SEGMENT: usize = 2 * 1024 * 1024;

/// Goes one level deeper. Trees are deeper than the stack of a small thread allows.
pub(crate) fn grow<R>(deeper: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, STACK_SEGMENT, deeper)
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// From the first to the last byte, brackets included.
    pub(crate) place: Place,
    /// How deep the tree is from here, which the parser bounds.
    pub(super) depth: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    String(String),
    Number(f64),
    Bool(bool),
    Null,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Literal(Literal),
    Regex {
        pattern: String,
        flags: String,
    },
    /// A field of the context.
    Name(String),
    /// Without its `$`: the context `$` is empty, the root `$$` is `$`.
    Variable(String),
    /// `*`
    Wildcard,
    /// `**`
    Descendant,
    /// `%`
    Parent,
    /// `?` among the arguments of a partial application.
    Placeholder,
    /// An operand that the end of the source cut off. Never in a tree the parser gives out.
    Missing,
    Negate(Box<Node>),
    /// The items may be ranges.
    Array(Vec<Node>),
    Range(Box<Node>, Box<Node>),
    Object(Vec<(Node, Node)>),
    Block(Vec<Node>),
    /// `+ - * / % & = != < <= > >= and or in ~>`
    Binary {
        operator: &'static str,
        left: Box<Node>,
        right: Box<Node>,
    },
    /// `left.right`
    Path(Box<Node>, Box<Node>),
    /// `left[right]`
    Filter(Box<Node>, Box<Node>),
    /// `left[]`
    KeepArray(Box<Node>),
    /// `left{key: value, …}`
    Group(Box<Node>, Vec<(Node, Node)>),
    /// `left^(term, …)`
    Sort(Box<Node>, Vec<Node>),
    /// `$name := right`
    Bind {
        name: String,
        value: Box<Node>,
    },
    /// `left@$name`
    Focus(Box<Node>, String),
    /// `left#$name`
    Index(Box<Node>, String),
    /// `condition ? then : otherwise`
    Condition(Box<Node>, Box<Node>, Option<Box<Node>>),
    /// `left ?: right`
    Default(Box<Node>, Box<Node>),
    /// `left ?? right`
    Coalesce(Box<Node>, Box<Node>),
    Call {
        callee: Box<Node>,
        arguments: Vec<Node>,
    },
    Lambda {
        parameters: Vec<String>,
        signature: Option<Place>,
        body: Box<Node>,
    },
    /// `|pattern|update, delete|`
    Transform {
        pattern: Box<Node>,
        update: Box<Node>,
        delete: Option<Box<Node>>,
    },
}

impl Node {
    pub(super) fn new(kind: Kind, place: Place) -> Self {
        let mut depth = 0;
        each_child(&kind, &mut |child| depth = depth.max(child.depth));
        Node { kind, place, depth: depth + 1 }
    }

    /// The name of the variable that is called, if this is a call of one.
    pub(crate) fn called_name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Call { callee, .. } => match &callee.kind {
                Kind::Variable(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls `visit` with every child, in the order of the source.
    pub(crate) fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        each_child(&self.kind, visit);
    }
}

fn each_child<'a>(kind: &'a Kind, visit: &mut dyn FnMut(&'a Node)) {
    match kind {
        Kind::Literal(_)
        | Kind::Regex { .. }
        | Kind::Name(_)
        | Kind::Variable(_)
        | Kind::Wildcard
        | Kind::Descendant
        | Kind::Parent
        | Kind::Placeholder
        | Kind::Missing => {}
        Kind::Negate(operand) => visit(operand),
        Kind::KeepArray(left) | Kind::Focus(left, _) | Kind::Index(left, _) => visit(left),
        Kind::Bind { value, .. } => visit(value),
        Kind::Lambda { body, .. } => visit(body),
        Kind::Array(items) | Kind::Block(items) => items.iter().for_each(visit),
        Kind::Range(left, right)
        | Kind::Binary { left, right, .. }
        | Kind::Path(left, right)
        | Kind::Filter(left, right)
        | Kind::Default(left, right)
        | Kind::Coalesce(left, right) => {
            visit(left);
            visit(right);
        }
        Kind::Object(pairs) => each_pair(pairs, visit),
        Kind::Group(left, pairs) => {
            visit(left);
            each_pair(pairs, visit);
        }
        Kind::Sort(left, terms) => {
            visit(left);
            terms.iter().for_each(visit);
        }
        Kind::Condition(condition, then, otherwise) => {
            visit(condition);
            visit(then);
            otherwise.iter().for_each(|otherwise| visit(otherwise));
        }
        Kind::Call { callee, arguments } => {
            visit(callee);
            arguments.iter().for_each(visit);
        }
        Kind::Transform { pattern, update, delete } => {
            visit(pattern);
            visit(update);
            delete.iter().for_each(|delete| visit(delete));
        }
    }
}

fn each_pair<'a>(pairs: &'a [(Node, Node)], visit: &mut dyn FnMut(&'a Node)) {
    for (key, value) in pairs {
        visit(key);
        visit(value);
    }
}
