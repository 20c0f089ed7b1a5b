//! Makes expression trees at random from the templates.

use super::templates::templates;
use super::tree::{Kind, Piece, Tree};
use crate::fuzz::Random;

/// How many expressions a tree may hold before only leaves are made.
const LARGEST: usize = 24;

/// Makes expression trees.
pub struct Grammar<'r> {
    random: &'r mut Random,
    left: usize,
}

impl<'r> Grammar<'r> {
    /// A grammar that draws from a sequence of random numbers.
    pub fn new(random: &'r mut Random) -> Self {
        Self { random, left: LARGEST }
    }

    /// An expression of any kind.
    pub fn expression(&mut self) -> Tree {
        const KINDS: &[Kind] = &[
            Kind::Number,
            Kind::Text,
            Kind::Truth,
            Kind::Numbers,
            Kind::Texts,
            Kind::List,
            Kind::Object,
            Kind::Any,
        ];
        let kind = *self.random.choose(KINDS);
        self.of(kind, 4)
    }

    fn of(&mut self, kind: Kind, depth: usize) -> Tree {
        self.left = self.left.saturating_sub(1);
        // Now and then a value of another kind: type errors must agree too.
        let kind = if self.random.percent(6) { Kind::Any } else { kind };
        if depth == 0 || self.left == 0 || self.random.percent(20) {
            return Tree::leaf(kind, self.leaf(kind));
        }
        let template = *self.random.choose(templates(kind));
        Tree { kind, pieces: self.fill(template, depth) }
    }

    fn fill(&mut self, template: &str, depth: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(first) = rest.chars().next() {
            let hole = rest.strip_prefix('{').and_then(|after| {
                let letter = after.chars().next()?;
                after.get(1..)?.strip_prefix('}').and(Kind::of_letter(letter))
            });
            match hole {
                Some(kind) => {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    let child = self.of(kind, depth - 1);
                    rest = &rest[3..];
                    // jsonata.js loses what it selects from or sorts in an array that is written out.
                    let is_refined = rest.starts_with(['[', '^', '.', '#', '@', '{']);
                    pieces.push(Piece::Child(if is_refined { child.in_brackets() } else { child }));
                }
                None => {
                    text.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    fn leaf(&mut self, kind: Kind) -> &'static str {
        self.random.pick(leaves(kind))
    }
}

/// Literals, and paths of the scopes that [`super::random_scope`] makes.
fn leaves(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Number => &[
            "0",
            "1",
            "2",
            "7",
            "(-3)",
            "0.5",
            "2.5",
            "1.005",
            "1234567.891",
            "1e10",
            "input.n",
            "input.m",
            "steps.a.output.count",
            "input.none",
            "missing",
        ],
        Kind::Text => &[
            "''",
            "'a'",
            "'abc'",
            "'Hello, World'",
            "'12'",
            "'1,234'",
            "' x '",
            "'a1b2'",
            "'ÄÖ'",
            "'MCMXC'",
            "input.s",
            "input.t",
            "steps.a.output.text",
            "input.none",
            "missing",
            "'a b c'",
            "'日本z'",
            "'a/b?c=d&e'",
        ],
        Kind::Truth => &["true", "false", "input.b", "steps.a.ok", "missing"],
        Kind::Numbers => {
            &["[]", "[1]", "[3, 1, 2]", "[1, 1, 2]", "input.numbers", "input.rows.n", "input.n", "missing"]
        }
        Kind::Texts => &[
            "[]",
            "['a']",
            "['b', 'a', 'c']",
            "['x', 'x']",
            "input.texts",
            "input.rows.s",
            "input.s",
            "missing",
        ],
        Kind::List => &[
            "[]",
            "[1, 'a', null]",
            "[[1, 2], [3]]",
            "input.rows",
            "steps.a.output.items",
            "input.numbers",
            "input.mixed",
            "missing",
            "input.rows[n > 1]",
            "input.rows.s",
        ],
        Kind::Object => &[
            "{}",
            "{'n': 1}",
            "{'n': 2, 's': 'b', 'a': null}",
            "input.row",
            "steps.a.output",
            "input",
            "missing",
        ],
        Kind::Any => &[
            "null",
            "missing",
            "input.none",
            "input.mixed",
            "input.row",
            "input.rows",
            "$",
            "input.s",
            "input.n",
            "[null]",
            "input.empty",
        ],
    }
}
