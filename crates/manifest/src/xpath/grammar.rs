//! The grammar of XPath 1.0, with the type of every expression.

use super::XPathError;
use super::axis::{AXES, NODE_TYPES};
use super::function;
use super::tokens::{Kind, Token, tokens};
use crate::lower::closest;

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// Nodes of the document.
    Nodes,
    /// A number.
    Number,
    /// A text.
    Text,
    /// True or false.
    Boolean,
}

impl Gives {
    /// The kind of value in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Gives::Nodes => "nodes",
            Gives::Number => "a number",
            Gives::Text => "a text",
            Gives::Boolean => "true or false",
        }
    }
}

/// A valid XPath 1.0 expression.
///
/// ```
/// use actions_manifest::xpath::{Gives, XPath};
///
/// assert_eq!(XPath::parse("//li[@data-id][2]").expect("valid").gives(), Gives::Nodes);
/// let error = XPath::parse("//li[ends-with(@id, 'x')]").expect_err("a function of XPath 2.0");
/// assert_eq!(error.offset, 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XPath {
    gives: Gives,
}

/// How deep brackets may nest.
const MAX_DEPTH: usize = 64;

impl XPath {
    /// Parses an expression; the error has the place of the first fault.
    pub fn parse(text: &str) -> Result<Self, XPathError> {
        let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
        let gives = parser.expression()?;
        match parser.peek().kind {
            Kind::End => Ok(Self { gives }),
            _ => Err(parser.unexpected()),
        }
    }

    /// What it gives.
    pub fn gives(self) -> Gives {
        self.gives
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
}

/// The operators from the loosest to the tightest, each with what they give.
const OPERATORS: &[(&[&str], Gives)] = &[
    (&["or"], Gives::Boolean),
    (&["and"], Gives::Boolean),
    (&["=", "!="], Gives::Boolean),
    (&["<", "<=", ">", ">="], Gives::Boolean),
    (&["+", "-"], Gives::Number),
    (&["*", "div", "mod"], Gives::Number),
];

impl<'t> Parser<'t> {
    /// The token that comes next; the end of the text comes for ever.
    fn peek(&self) -> Token<'t> {
        self.tokens.get(self.at).or(self.tokens.last()).copied().expect("a text has an end")
    }

    fn ahead(&self) -> Kind<'t> {
        self.tokens.get(self.at + 1).map_or(Kind::End, |token| token.kind)
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn takes(&mut self, kind: Kind<'_>) -> bool {
        let found = self.peek().kind == kind;
        self.at += usize::from(found);
        found
    }

    fn expression(&mut self) -> Result<Gives, XPathError> {
        if self.depth == MAX_DEPTH {
            let here = self.peek();
            return Err(XPathError::new(here.start, here.end, "the brackets nest too deep"));
        }
        self.depth += 1;
        let gives = self.operands(0);
        self.depth -= 1;
        gives
    }

    /// An operand, or several with operators of this level or a tighter one between.
    fn operands(&mut self, level: usize) -> Result<Gives, XPathError> {
        let Some((operators, result)) = OPERATORS.get(level) else { return self.negation() };
        let mut gives = self.operands(level + 1)?;
        while matches!(self.peek().kind, Kind::Operator(sign) if operators.contains(&sign)) {
            self.at += 1;
            self.operands(level + 1)?;
            gives = *result;
        }
        Ok(gives)
    }

    fn negation(&mut self) -> Result<Gives, XPathError> {
        let mut negated = false;
        while self.takes(Kind::Operator("-")) {
            negated = true;
        }
        let gives = self.union()?;
        Ok(if negated { Gives::Number } else { gives })
    }

    fn union(&mut self) -> Result<Gives, XPathError> {
        let start = self.peek().start;
        let gives = self.path()?;
        if self.peek().kind != Kind::Operator("|") {
            return Ok(gives);
        }
        self.nodes(gives, start, "only nodes can be united with `|`")?;
        while self.takes(Kind::Operator("|")) {
            let start = self.peek().start;
            let gives = self.path()?;
            self.nodes(gives, start, "only nodes can be united with `|`")?;
        }
        Ok(Gives::Nodes)
    }

    /// Refuses what is read from `start` up to here unless it gives nodes.
    fn nodes(&self, gives: Gives, start: usize, message: &str) -> Result<(), XPathError> {
        match gives {
            Gives::Nodes => Ok(()),
            other => {
                let end = self.tokens[self.at - 1].end;
                Err(XPathError::new(start, end, format!("{message}, and this is {}", other.as_str())))
            }
        }
    }

    fn path(&mut self) -> Result<Gives, XPathError> {
        if self.begins_primary() {
            return self.filtered();
        }
        match self.peek().kind {
            Kind::Sign("/") => {
                self.at += 1;
                if self.begins_step() {
                    self.steps()?;
                }
            }
            Kind::Sign("//") => {
                let slashes = self.advance();
                self.steps_after(slashes)?;
            }
            _ => self.steps()?,
        }
        Ok(Gives::Nodes)
    }

    fn begins_primary(&self) -> bool {
        match self.peek().kind {
            Kind::Text | Kind::Number | Kind::Sign("(" | "$") => true,
            Kind::Name(name) => self.ahead() == Kind::Sign("(") && !NODE_TYPES.contains(&name),
            Kind::Prefixed(_) => self.ahead() == Kind::Sign("("),
            _ => false,
        }
    }

    fn begins_step(&self) -> bool {
        matches!(self.peek().kind, Kind::Name(_) | Kind::Prefixed(_) | Kind::Sign("." | ".." | "@" | "*"))
    }

    /// A value, perhaps with predicates and a path from it.
    fn filtered(&mut self) -> Result<Gives, XPathError> {
        let start = self.peek().start;
        let mut gives = self.primary()?;
        if self.peek().kind == Kind::Sign("[") {
            self.nodes(gives, start, "only nodes can be picked with `[…]`")?;
            self.predicates()?;
        }
        if let Kind::Sign("/" | "//") = self.peek().kind {
            self.nodes(gives, start, "only nodes have a path")?;
            let slashes = self.advance();
            self.steps_after(slashes)?;
            gives = Gives::Nodes;
        }
        Ok(gives)
    }

    fn primary(&mut self) -> Result<Gives, XPathError> {
        let first = self.advance();
        match first.kind {
            Kind::Text => Ok(Gives::Text),
            Kind::Number => Ok(Gives::Number),
            Kind::Sign("(") => {
                let gives = self.expression()?;
                self.close(first, ")")?;
                Ok(gives)
            }
            Kind::Sign("$") => {
                Err(XPathError::new(first.start, self.peek().end, "there are no variables here")
                    .help("build the whole expression in a slot: `{% '//li[' & input.n & ']' %}`"))
            }
            Kind::Name(name) => self.call(first, name),
            _ => Err(XPathError::new(first.start, first.end, "the functions of XPath 1.0 have no prefix")),
        }
    }

    fn call(&mut self, at: Token<'t>, name: &str) -> Result<Gives, XPathError> {
        let function = function::find(name).map_err(|help| XPathError {
            help,
            ..XPathError::new(at.start, at.end, format!("XPath 1.0 has no function `{name}()`"))
        })?;
        let open = self.advance();
        let mut arguments = 0;
        if self.peek().kind != Kind::Sign(")") {
            loop {
                let start = self.peek().start;
                let gives = self.expression()?;
                if function.takes_nodes {
                    self.nodes(gives, start, &format!("`{name}()` takes nodes"))?;
                }
                arguments += 1;
                if !self.takes(Kind::Sign(",")) {
                    break;
                }
            }
        }
        self.close(open, ")")?;
        if !(function.least..=function.most).contains(&arguments) {
            let message = format!("`{name}()` takes {}, not {arguments}", function.takes());
            return Err(XPathError::new(at.start, self.tokens[self.at - 1].end, message));
        }
        Ok(function.gives)
    }

    /// Steps with slashes between, after slashes.
    fn steps_after(&mut self, slashes: Token<'t>) -> Result<(), XPathError> {
        if self.begins_step() { self.steps() } else { Err(self.no_step_after(slashes)) }
    }

    fn steps(&mut self) -> Result<(), XPathError> {
        self.step()?;
        while let Kind::Sign("/" | "//") = self.peek().kind {
            let slashes = self.advance();
            if !self.begins_step() {
                return Err(self.no_step_after(slashes));
            }
            self.step()?;
        }
        Ok(())
    }

    fn no_step_after(&self, slashes: Token<'t>) -> XPathError {
        let message = format!("no step follows `{}`", self.text_of(slashes));
        let error = XPathError::new(slashes.start, slashes.end, message);
        match self.peek().kind {
            Kind::Sign("(") => {
                error.help("a path cannot go on with a bracket; unite whole paths: `a/b | a/c`")
            }
            _ => error,
        }
    }

    fn step(&mut self) -> Result<(), XPathError> {
        let first = self.peek();
        match first.kind {
            Kind::Sign("." | "..") => {
                self.at += 1;
                if self.peek().kind == Kind::Sign("[") {
                    let dots = self.text_of(first);
                    let axis = if dots == "." { "self::node()" } else { "parent::node()" };
                    return Err(XPathError::new(
                        first.start,
                        self.peek().end,
                        format!("`{dots}` takes no `[…]`"),
                    )
                    .help(format!("write `{axis}[…]`")));
                }
                return Ok(());
            }
            Kind::Sign("@") => {
                self.at += 1;
                if !matches!(self.peek().kind, Kind::Name(_) | Kind::Prefixed(_) | Kind::Sign("*")) {
                    return Err(XPathError::new(
                        first.start,
                        first.end,
                        "the name of an attribute is missing after `@`",
                    ));
                }
            }
            Kind::Name(axis) if self.ahead() == Kind::Sign("::") => {
                if !AXES.contains(&axis) {
                    let help = closest(axis, AXES).map(|near| format!("did you mean `{near}`?"));
                    let error = XPathError::new(first.start, first.end, format!("there is no axis `{axis}`"));
                    return Err(XPathError { help, ..error });
                }
                self.at += 2;
            }
            _ => {}
        }
        self.node_test()?;
        self.predicates()
    }

    fn node_test(&mut self) -> Result<(), XPathError> {
        let test = self.peek();
        match test.kind {
            Kind::Name(name) if self.ahead() == Kind::Sign("(") => {
                self.at += 1;
                let open = self.advance();
                if !NODE_TYPES.contains(&name) {
                    let message = format!("`{name}()` is a function, not a step of a path");
                    return Err(
                        XPathError::new(test.start, test.end, message).help("call it in a predicate: `[…]`")
                    );
                }
                if name == "processing-instruction" {
                    self.takes(Kind::Text);
                }
                self.close(open, ")")
            }
            Kind::Name(_) | Kind::Sign("*") => {
                self.at += 1;
                Ok(())
            }
            Kind::Prefixed(_) => Err(self.prefixed(test)),
            _ => Err(self.unexpected()),
        }
    }

    fn predicates(&mut self) -> Result<(), XPathError> {
        while self.peek().kind == Kind::Sign("[") {
            let open = self.advance();
            if self.peek().kind == Kind::Sign("]") {
                return Err(XPathError::new(open.start, self.peek().end, "the condition is empty"));
            }
            self.expression()?;
            self.close(open, "]")?;
        }
        Ok(())
    }

    fn close(&mut self, open: Token<'t>, bracket: &'static str) -> Result<(), XPathError> {
        if self.takes(Kind::Sign(bracket)) {
            return Ok(());
        }
        match self.peek().kind {
            Kind::End => Err(XPathError::new(open.start, open.end, "this bracket is never closed")),
            _ => Err(self.unexpected()),
        }
    }

    fn prefixed(&self, token: Token<'t>) -> XPathError {
        let shown = self.text_of(token);
        let (prefix, local) = shown.split_once(':').unwrap_or((shown, ""));
        let error = XPathError::new(
            token.start,
            token.end,
            format!("the prefix `{prefix}` is not declared anywhere"),
        );
        error.help(format!("write `*[local-name()='{local}']`, or `@*[name()='{shown}']` for an attribute"))
    }

    fn text_of(&self, token: Token<'t>) -> &'t str {
        &self.text[token.start..token.end]
    }

    fn unexpected(&self) -> XPathError {
        let found = self.peek();
        if found.kind == Kind::End {
            return match self.at.checked_sub(1).map(|before| self.tokens[before]) {
                Some(last) => {
                    let message = format!("nothing follows `{}`", self.text_of(last));
                    XPathError::new(last.start, last.end, message)
                }
                None => XPathError::new(0, self.text.len(), "the expression is empty"),
            };
        }
        XPathError::new(found.start, found.end, format!("`{}` cannot stand here", self.text_of(found)))
    }
}
