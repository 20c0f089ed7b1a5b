//! A generated expression as a tree, so that it can be shrunk.

/// What kind of value an expression is meant to give. Generated expressions are mostly, not always, well typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A string.
    Text,
    /// A truth value.
    Truth,
    /// An array of numbers.
    Numbers,
    /// An array of strings.
    Texts,
    /// An array of anything.
    List,
    /// An object.
    Object,
    /// Anything.
    Any,
}

impl Kind {
    /// The letter that stands for the kind in a template.
    pub(super) fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'n' => Self::Number,
            's' => Self::Text,
            'b' => Self::Truth,
            'm' => Self::Numbers,
            't' => Self::Texts,
            'a' => Self::List,
            'o' => Self::Object,
            'x' => Self::Any,
            _ => return None,
        })
    }

    /// The simplest expressions of the kind.
    pub(super) fn simplest(self) -> &'static [&'static str] {
        match self {
            Self::Number => &["0", "1", "2"],
            Self::Text => &["''", "'a'"],
            Self::Truth => &["true", "false"],
            Self::Numbers => &["[]", "[1]", "[1, 2]"],
            Self::Texts => &["[]", "['a']", "['a', 'b']"],
            Self::List => &["[]", "[1]", "[1, 2]"],
            Self::Object => &["{}", "{'a': 1}"],
            Self::Any => &["null", "missing", "1", "'a'"],
        }
    }
}

/// One part of an expression: text as it stands, or another expression.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text as it stands.
    Text(String),
    /// Another expression.
    Child(Tree),
}

/// A generated expression.
#[derive(Clone, Debug)]
pub struct Tree {
    /// What it is meant to give.
    pub kind: Kind,
    /// Its parts in order.
    pub pieces: Vec<Piece>,
}

impl Tree {
    /// An expression without children.
    pub fn leaf(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, pieces: vec![Piece::Text(text.into())] }
    }

    /// The expression in brackets, unless it is a name or stands in brackets already.
    pub(super) fn in_brackets(self) -> Self {
        if !self.source().starts_with('[') {
            return self;
        }
        let pieces =
            vec![Piece::Text("(".to_owned()), Piece::Child(self.clone()), Piece::Text(")".to_owned())];
        Self { kind: self.kind, pieces }
    }

    /// The source of the expression.
    pub fn source(&self) -> String {
        let mut source = String::new();
        self.write(&mut source);
        source
    }

    fn write(&self, source: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => source.push_str(text),
                Piece::Child(child) => child.write(source),
            }
        }
    }

    pub(super) fn children(&self) -> impl Iterator<Item = &Tree> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Child(child) => Some(child),
            Piece::Text(_) => None,
        })
    }

    /// How many expressions the tree holds, itself included.
    pub fn size(&self) -> usize {
        1 + self.children().map(Tree::size).sum::<usize>()
    }
}
