//! Tokens to a syntax tree, by operator precedence.

use super::lexer::{Lexer, Slash};
use super::operator::{self, PREFIX_POWER};
use super::syntax_error::SyntaxError;
use super::token::{Token, TokenKind};
use super::tree::{Kind, Literal, Node, grow};
use crate::Place;

/// How deep a tree may be. The engine's own bound is 1,000.
const MAX_DEPTH: usize = 500;

/// Parses the source of an expression.
pub(crate) fn parse(source: &str) -> Result<Node, SyntaxError> {
    let mut parser = Parser {
        lexer: Lexer::new(source),
        token: Token { kind: TokenKind::End, place: Place::default() },
        previous: Place::default(),
        depth: 0,
        missing: None,
    };
    parser.advance(Slash::OpensRegex)?;
    if parser.token.is_end() {
        return Err(SyntaxError::new("S0207", Place::new(source.len(), 0), "the expression is empty"));
    }
    let tree = parser.expression(0)?;
    if !parser.token.is_end() {
        return Err(parser.stray());
    }
    match parser.missing {
        Some(error) => Err(error),
        None => Ok(tree),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The token that comes next.
    token: Token,
    /// The place of the token before it.
    previous: Place,
    depth: usize,
    /// The first operand that the end of the source cut off. An unclosed bracket around it is reported instead.
    missing: Option<SyntaxError>,
}

impl Parser<'_> {
    fn advance(&mut self, slash: Slash) -> Result<Token, SyntaxError> {
        let next = self.lexer.next(slash)?;
        self.previous = self.token.place;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// Takes the symbol that must come next; `open` is the bracket it closes, where it closes one.
    fn expect(&mut self, symbol: &str, open: Option<Place>, slash: Slash) -> Result<(), SyntaxError> {
        if self.token.is(symbol) {
            self.advance(slash)?;
            return Ok(());
        }
        let found = self.found();
        let code = if self.token.is_end() { "S0203" } else { "S0202" };
        Err(match open {
            Some(open) if self.token.is_end() => {
                let opening = self.lexer.text(open);
                SyntaxError::new(code, open, format!("`{opening}` is never closed; `{symbol}` is missing"))
            }
            _ => SyntaxError::new(code, self.token.place, format!("expected `{symbol}`, found {found}")),
        })
    }

    fn found(&self) -> String {
        match &self.token.kind {
            TokenKind::End => "the end of the expression".to_owned(),
            TokenKind::Operator(symbol) => format!("`{symbol}`"),
            TokenKind::String(_) => "a string".to_owned(),
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::Regex { .. } => "a regular expression".to_owned(),
            TokenKind::True => "`true`".to_owned(),
            TokenKind::False => "`false`".to_owned(),
            TokenKind::Null => "`null`".to_owned(),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Variable(name) => format!("`${name}`"),
        }
    }

    fn stray(&self) -> SyntaxError {
        let message = format!("expected an operator or the end of the expression, found {}", self.found());
        let error = SyntaxError::new("S0201", self.token.place, message);
        match &self.token.kind {
            TokenKind::Operator("..") => error.with_hint("a range stands in an array: [1..5]"),
            TokenKind::Operator(")" | "]" | "}") => {
                error.with_hint("there is no open bracket that it closes")
            }
            TokenKind::Operator(_) => error,
            _ => error.with_hint("join two values with an operator such as `&` or `and`"),
        }
    }

    fn expression(&mut self, power: u8) -> Result<Node, SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_deep(self.token.place));
        }
        let node = grow(|| self.operand_and_operators(power))?;
        self.depth -= 1;
        Ok(node)
    }

    fn operand_and_operators(&mut self, power: u8) -> Result<Node, SyntaxError> {
        let first = self.advance(Slash::Divides)?;
        let mut left = self.operand(first)?;
        while let TokenKind::Operator(symbol) = self.token.kind
            && operator::power(symbol) > power
        {
            let token = self.advance(Slash::OpensRegex)?;
            left = self.operator(symbol, token.place, left)?;
            if left.depth > MAX_DEPTH {
                return Err(too_deep(token.place));
            }
        }
        Ok(left)
    }

    /// What `token` starts; the tokens after it are still to be read.
    fn operand(&mut self, token: Token) -> Result<Node, SyntaxError> {
        let place = token.place;
        let kind = match token.kind {
            TokenKind::String(text) => Kind::Literal(Literal::String(text)),
            TokenKind::Number(number) => Kind::Literal(Literal::Number(number)),
            TokenKind::True => Kind::Literal(Literal::Bool(true)),
            TokenKind::False => Kind::Literal(Literal::Bool(false)),
            TokenKind::Null => Kind::Literal(Literal::Null),
            TokenKind::Name(name) => Kind::Name(name),
            TokenKind::Variable(name) => Kind::Variable(name),
            TokenKind::Regex { pattern, flags } => Kind::Regex { pattern, flags },
            TokenKind::End => {
                let error = SyntaxError::new("S0207", place, "the expression ends where a value is expected");
                self.missing.get_or_insert(error);
                Kind::Missing
            }
            TokenKind::Operator(symbol) => return self.prefix(symbol, place),
        };
        Ok(Node::new(kind, place))
    }

    fn prefix(&mut self, symbol: &'static str, place: Place) -> Result<Node, SyntaxError> {
        match symbol {
            "and" | "or" | "in" => Ok(Node::new(Kind::Name(symbol.to_owned()), place)),
            "*" => Ok(Node::new(Kind::Wildcard, place)),
            "**" => Ok(Node::new(Kind::Descendant, place)),
            "%" => Ok(Node::new(Kind::Parent, place)),
            "-" => {
                self.reread_operand()?;
                let operand = self.expression(PREFIX_POWER)?;
                let place = place.to(operand.place);
                Ok(Node::new(Kind::Negate(Box::new(operand)), place))
            }
            "(" => self.block(place),
            "[" => self.array(place),
            "{" => {
                let pairs = self.pairs(place)?;
                Ok(Node::new(Kind::Object(pairs), place.to(self.previous)))
            }
            "|" => self.transform(place),
            _ => Err(self.not_an_operand(symbol, place)),
        }
    }

    fn not_an_operand(&self, symbol: &str, place: Place) -> SyntaxError {
        let error = SyntaxError::new("S0211", place, format!("expected a value, found `{symbol}`"));
        match symbol {
            "=" => error.with_hint("compare with a single `=`"),
            "&" => error.with_hint("join strings with a single `&`; the logical operator is `and`"),
            "?" => error.with_hint("`?` stands between a condition and its value, or alone as an argument"),
            _ => error,
        }
    }

    fn block(&mut self, open: Place) -> Result<Node, SyntaxError> {
        self.reread_operand()?;
        let mut expressions = Vec::new();
        while !self.token.is(")") {
            expressions.push(self.expression(0)?);
            if !self.token.is(";") {
                break;
            }
            self.advance(Slash::OpensRegex)?;
        }
        self.expect(")", Some(open), Slash::Divides)?;
        Ok(Node::new(Kind::Block(expressions), open.to(self.previous)))
    }

    fn array(&mut self, open: Place) -> Result<Node, SyntaxError> {
        self.reread_operand()?;
        let mut items = Vec::new();
        while items.is_empty() || self.token.is(",") {
            if items.is_empty() {
                if self.token.is("]") {
                    break;
                }
            } else {
                self.advance(Slash::OpensRegex)?;
            }
            let item = self.expression(0)?;
            items.push(if self.token.is("..") { self.range(item)? } else { item });
        }
        self.expect("]", Some(open), Slash::Divides)?;
        Ok(Node::new(Kind::Array(items), open.to(self.previous)))
    }

    fn range(&mut self, left: Node) -> Result<Node, SyntaxError> {
        self.advance(Slash::OpensRegex)?;
        let right = self.expression(0)?;
        let place = left.place.to(right.place);
        Ok(Node::new(Kind::Range(Box::new(left), Box::new(right)), place))
    }

    /// The members of an object up to and with the closing brace.
    fn pairs(&mut self, open: Place) -> Result<Vec<(Node, Node)>, SyntaxError> {
        self.reread_operand()?;
        let mut pairs = Vec::new();
        while pairs.is_empty() || self.token.is(",") {
            if pairs.is_empty() {
                if self.token.is("}") {
                    break;
                }
            } else {
                self.advance(Slash::OpensRegex)?;
            }
            let key = self.expression(0)?;
            self.expect(":", self.token.is_end().then_some(open), Slash::OpensRegex)?;
            pairs.push((key, self.expression(0)?));
        }
        self.expect("}", Some(open), Slash::Divides)?;
        Ok(pairs)
    }

    fn transform(&mut self, open: Place) -> Result<Node, SyntaxError> {
        self.reread_operand()?;
        let pattern = Box::new(self.expression(0)?);
        self.expect("|", Some(open), Slash::OpensRegex)?;
        let update = Box::new(self.expression(0)?);
        let mut delete = None;
        if self.token.is(",") {
            self.advance(Slash::OpensRegex)?;
            delete = Some(Box::new(self.expression(0)?));
        }
        self.expect("|", Some(open), Slash::Divides)?;
        Ok(Node::new(Kind::Transform { pattern, update, delete }, open.to(self.previous)))
    }

    /// What `symbol` makes of the operand to its left.
    fn operator(&mut self, symbol: &'static str, place: Place, left: Node) -> Result<Node, SyntaxError> {
        let start = left.place;
        let left = Box::new(left);
        let kind = match symbol {
            "." => Kind::Path(left, self.right(symbol)?),
            "(" => return self.call(*left, place),
            "[" if self.token.is("]") => {
                self.advance(Slash::Divides)?;
                Kind::KeepArray(left)
            }
            "[" => {
                let predicate = Box::new(self.expression(0)?);
                self.expect("]", Some(place), Slash::Divides)?;
                Kind::Filter(left, predicate)
            }
            "{" => {
                let pairs = self.pairs(place)?;
                Kind::Group(left, pairs)
            }
            "^" => Kind::Sort(left, self.sort_terms()?),
            ":=" => self.bind(&left)?,
            "@" => Kind::Focus(left, self.bound_name(symbol)?),
            "#" => Kind::Index(left, self.bound_name(symbol)?),
            "?" => {
                let then = Box::new(self.expression(0)?);
                let mut otherwise = None;
                if self.token.is(":") {
                    self.advance(Slash::OpensRegex)?;
                    otherwise = Some(Box::new(self.expression(0)?));
                }
                Kind::Condition(left, then, otherwise)
            }
            "?:" => Kind::Default(left, Box::new(self.expression(0)?)),
            "??" => Kind::Coalesce(left, Box::new(self.expression(0)?)),
            _ => Kind::Binary { operator: symbol, left, right: self.right(symbol)? },
        };
        Ok(Node::new(kind, start.to(self.previous)))
    }

    fn right(&mut self, symbol: &str) -> Result<Box<Node>, SyntaxError> {
        Ok(Box::new(self.expression(operator::power(symbol))?))
    }

    fn sort_terms(&mut self) -> Result<Vec<Node>, SyntaxError> {
        let open = self.token.place;
        self.expect("(", None, Slash::OpensRegex)?;
        let mut terms = Vec::new();
        while terms.is_empty() || self.token.is(",") {
            if !terms.is_empty() {
                self.advance(Slash::OpensRegex)?;
            }
            if self.token.is("<") || self.token.is(">") {
                self.advance(Slash::OpensRegex)?;
            }
            terms.push(self.expression(0)?);
        }
        self.expect(")", Some(open), Slash::Divides)?;
        Ok(terms)
    }

    fn bind(&mut self, left: &Node) -> Result<Kind, SyntaxError> {
        let Kind::Variable(name) = &left.kind else {
            return Err(SyntaxError::new("S0212", left.place, "only a variable can be set with `:=`")
                .with_hint("write $name := value; compare with `=`"));
        };
        let value = Box::new(self.expression(operator::power(":=") - 1)?);
        Ok(Kind::Bind { name: name.clone(), value })
    }

    fn bound_name(&mut self, symbol: &str) -> Result<String, SyntaxError> {
        let node = self.right(symbol)?;
        match node.kind {
            Kind::Variable(name) => Ok(name),
            _ => {
                let message = format!("`{symbol}` must be followed by a variable");
                Err(SyntaxError::new("S0214", node.place, message))
            }
        }
    }

    fn call(&mut self, callee: Node, open: Place) -> Result<Node, SyntaxError> {
        let start = callee.place;
        let mut arguments = Vec::new();
        while arguments.is_empty() || self.token.is(",") {
            if arguments.is_empty() {
                if self.token.is(")") {
                    break;
                }
            } else {
                self.advance(Slash::OpensRegex)?;
            }
            if self.token.is("?") {
                let token = self.advance(Slash::OpensRegex)?;
                arguments.push(Node::new(Kind::Placeholder, token.place));
            } else {
                arguments.push(self.expression(0)?);
            }
        }
        self.expect(")", Some(open), Slash::Divides)?;
        if matches!(&callee.kind, Kind::Name(name) if name == "function" || name == "λ") {
            return self.lambda(start, &arguments);
        }
        Ok(Node::new(Kind::Call { callee: Box::new(callee), arguments }, start.to(self.previous)))
    }

    fn lambda(&mut self, start: Place, arguments: &[Node]) -> Result<Node, SyntaxError> {
        let mut parameters = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let Kind::Variable(name) = &argument.kind else {
                return Err(SyntaxError::new("S0208", argument.place, "a parameter must be a variable")
                    .with_hint("write function($name) { … }"));
            };
            parameters.push(name.clone());
        }
        let signature = if self.token.is("<") { Some(self.signature()?) } else { None };
        let open = self.token.place;
        self.expect("{", None, Slash::OpensRegex)?;
        let body = Box::new(self.expression(0)?);
        self.expect("}", Some(open), Slash::Divides)?;
        Ok(Node::new(Kind::Lambda { parameters, signature, body }, start.to(self.previous)))
    }

    /// Skips the signature of a function; the engine reads it.
    fn signature(&mut self) -> Result<Place, SyntaxError> {
        let open = self.token.place;
        let mut depth = 0_usize;
        loop {
            if self.token.is("<") {
                depth += 1;
            } else if self.token.is(">") {
                depth -= 1;
            }
            if depth == 0 || self.token.is("{") || self.token.is_end() {
                self.expect(">", Some(open), Slash::OpensRegex)?;
                return self.checked_signature(open.to(self.previous));
            }
            self.advance(Slash::OpensRegex)?;
        }
    }

    fn checked_signature(&self, place: Place) -> Result<Place, SyntaxError> {
        if self.lexer.text(place).is_ascii() {
            return Ok(place);
        }
        Err(SyntaxError::new("S0402", place, "the signature of the function is not valid")
            .with_hint("a signature is made of the types b n s l a o f j x and of < > ( ) : - ? +"))
    }

    /// After a prefix operator a `/` opens a regular expression, but the token was read as if after an operand.
    fn reread_operand(&mut self) -> Result<(), SyntaxError> {
        if self.token.is("/") {
            self.lexer.go_back_to(self.token.place.offset);
            self.token = self.lexer.next(Slash::OpensRegex)?;
        }
        Ok(())
    }
}

fn too_deep(place: Place) -> SyntaxError {
    SyntaxError::new("U1002", place, format!("the expression is nested more than {MAX_DEPTH} levels deep"))
        .with_hint("name the parts in a block, ($part := …; …), or join lists with $join")
}
