//! The grammar of CSS selectors, as Chromium reads it.

use cssparser::{Parser as CssParser, parse_nth};

use super::CssError;
use super::pseudo_class::{self, Argument, Unknown};
use super::tokens::{Kind, Token, tokens};

type Fault = CssError;

/// Parses a selector list; returns the place of each selector.
pub(super) fn parse(text: &str) -> Result<Vec<(usize, usize)>, CssError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens, at: 0, inside_has: false };
    let spans = parser.list(Form::Complex)?;
    match parser.peek().kind {
        Kind::End => Ok(spans),
        _ => Err(parser.unexpected()),
    }
}

/// What the selectors of a list may look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Compounds with combinators between.
    Complex,
    /// The same, perhaps with a combinator in front.
    Relative,
    /// One compound.
    Compound,
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    inside_has: bool,
}

impl Parser<'_> {
    /// The next token. After the last one it is always the end of the text.
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).or(self.tokens.last()).expect("a text has an end")
    }

    fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    fn skip_space(&mut self) -> bool {
        let before = self.at;
        while self.peek().kind == Kind::Space {
            self.at += 1;
        }
        self.at > before
    }

    fn text_of(&self, token: &Token) -> &str {
        &self.text[token.start..token.end]
    }

    fn list(&mut self, form: Form) -> Result<Vec<(usize, usize)>, Fault> {
        let mut spans = Vec::new();
        let mut comma: Option<Token> = None;
        loop {
            self.skip_space();
            let first = self.peek().clone();
            if matches!(first.kind, Kind::End | Kind::Close | Kind::Comma) {
                return Err(match comma {
                    Some(comma) => CssError::new(comma.start, comma.end, "nothing follows the comma"),
                    None => CssError::new(first.start, first.end, "a selector is missing here"),
                });
            }
            let end = self.selector(form)?;
            spans.push((first.start, end));
            if self.peek().kind != Kind::Comma {
                return Ok(spans);
            }
            comma = Some(self.advance());
        }
    }

    /// Parses one selector and returns the offset of its end; the next token is a comma or closes the list.
    fn selector(&mut self, form: Form) -> Result<usize, Fault> {
        if let Some(combinator) = self.combinator() {
            if form != Form::Relative {
                let sign = self.text_of(&combinator).to_owned();
                return Err(CssError::new(
                    combinator.start,
                    combinator.end,
                    format!("a selector cannot begin with `{sign}`"),
                )
                .help(format!("begin with the element it starts from: `:scope {sign} …`")));
            }
            self.after_combinator(&combinator)?;
        }
        loop {
            self.compound()?;
            let end = self.tokens[self.at - 1].end;
            let space = self.skip_space();
            if matches!(self.peek().kind, Kind::End | Kind::Close | Kind::Comma) {
                return Ok(end);
            }
            let combinator = self.combinator();
            if combinator.is_none() && !space {
                return Err(self.unexpected());
            }
            if form == Form::Compound {
                let next = combinator.unwrap_or_else(|| self.peek().clone());
                return Err(CssError::new(next.start, next.end, "only one element can be described here")
                    .help("leave out what is above or beside it"));
            }
            if let Some(combinator) = combinator {
                self.after_combinator(&combinator)?;
            }
        }
    }

    fn combinator(&mut self) -> Option<Token> {
        matches!(self.peek().kind, Kind::Delim('>' | '+' | '~')).then(|| self.advance())
    }

    fn after_combinator(&mut self, combinator: &Token) -> Result<(), Fault> {
        self.skip_space();
        let next = self.peek();
        match next.kind {
            Kind::End | Kind::Close | Kind::Comma => {
                let message = format!("nothing follows `{}`", self.text_of(combinator));
                Err(CssError::new(combinator.start, combinator.end, message))
            }
            Kind::Delim('>' | '+' | '~') => {
                let message = format!(
                    "two combinators follow each other: `{}`",
                    &self.text[combinator.start..next.end]
                );
                let help = foreign_help(self.text).unwrap_or("keep one");
                Err(CssError::new(combinator.start, next.end, message).help(help))
            }
            _ => Ok(()),
        }
    }

    /// A type, or `*`, and what is true of it.
    fn compound(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.element_name()?;
        loop {
            match self.peek().kind {
                Kind::Id | Kind::Delim('&') => self.at += 1,
                Kind::Delim('.') => self.class()?,
                Kind::OpenSquare => self.attribute()?,
                Kind::Colon => self.pseudo()?,
                _ if self.at == start => return Err(self.unexpected()),
                Kind::Ident(_) | Kind::Delim('*') => {
                    let name = self.peek();
                    let message = format!("`{}` stands behind what it is described by", self.text_of(name));
                    return Err(CssError::new(name.start, name.end, message)
                        .help("the name of an element comes first; a space means \"somewhere inside\""));
                }
                _ => return Ok(()),
            }
        }
    }

    /// `a`, `*`, `*|a` or `|a`, if one stands here.
    fn element_name(&mut self) -> Result<(), Fault> {
        let first = self.peek().clone();
        let named = matches!(first.kind, Kind::Ident(_) | Kind::Delim('*'));
        if named {
            self.at += 1;
        }
        if self.peek().kind != Kind::Delim('|') || (!named && !self.name_follows(1)) {
            return Ok(());
        }
        let bar = self.advance();
        self.namespace(named.then_some(&first))?;
        match self.peek().kind {
            Kind::Ident(_) | Kind::Delim('*') => self.at += 1,
            _ => {
                return Err(CssError::new(bar.start, bar.end, "the name of an element is missing after `|`"));
            }
        }
        Ok(())
    }

    fn name_follows(&self, ahead: usize) -> bool {
        let next = self.tokens.get(self.at + ahead).map(|token| &token.kind);
        matches!(next, Some(Kind::Ident(_) | Kind::Delim('*')))
    }

    /// Only "any namespace" and "no namespace" can be written: a map declares no prefixes.
    fn namespace(&self, prefix: Option<&Token>) -> Result<(), Fault> {
        match prefix {
            Some(prefix) if matches!(prefix.kind, Kind::Ident(_)) => {
                let message =
                    format!("the namespace prefix `{}` is not declared anywhere", self.text_of(prefix));
                Err(CssError::new(prefix.start, prefix.end, message).help("write `*|` for any namespace"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn class(&mut self) -> Result<(), Fault> {
        let dot = self.advance();
        match self.peek().kind {
            Kind::Ident(_) => {
                self.at += 1;
                Ok(())
            }
            _ => Err(CssError::new(dot.start, dot.end, "the name of a class is missing after `.`")),
        }
    }

    fn attribute(&mut self) -> Result<(), Fault> {
        let open = self.advance();
        self.skip_space();
        self.attribute_name(&open)?;
        self.skip_space();
        match self.peek().kind {
            Kind::Close => {
                self.at += 1;
                return Ok(());
            }
            Kind::Match | Kind::Delim('=') => self.at += 1,
            _ => {
                let found = self.peek();
                let message = format!("`{}` does not compare an attribute", self.text_of(found));
                return Err(CssError::new(found.start, found.end, message).help(
                    "one of `=`, `~=`, `|=`, `^=`, `$=`, `*=`; for \"not\" write `:not([name='value'])`",
                ));
            }
        }
        self.skip_space();
        self.attribute_value()?;
        self.skip_space();
        if let Kind::Ident(flag) = &self.peek().kind {
            if !flag.eq_ignore_ascii_case("i") {
                let flag = self.peek();
                let message = format!("`{}` is no flag of a comparison", self.text_of(flag));
                return Err(CssError::new(flag.start, flag.end, message)
                    .help("`i` compares without regard to case; text with spaces stands in quotes"));
            }
            self.at += 1;
            self.skip_space();
        }
        self.close("]")
    }

    fn attribute_name(&mut self, open: &Token) -> Result<(), Fault> {
        let first = self.peek().clone();
        let any = first.kind == Kind::Delim('*');
        let bar = if any || matches!(first.kind, Kind::Ident(_)) { 1 } else { 0 };
        if self.tokens.get(self.at + bar).is_some_and(|token| token.kind == Kind::Delim('|')) {
            self.at += bar + 1;
            self.namespace((bar == 1).then_some(&first))?;
        }
        match self.peek().kind {
            Kind::Ident(_) => {
                self.at += 1;
                Ok(())
            }
            Kind::Close => {
                Err(CssError::new(open.start, self.peek().end, "the name of an attribute is missing"))
            }
            _ => {
                let found = self.peek();
                let message = format!("`{}` is not the name of an attribute", self.text_of(found));
                let error = CssError::new(found.start, found.end, message);
                Err(if self.text_of(found).starts_with('@') {
                    error.help("attributes are named without `@`")
                } else {
                    error
                })
            }
        }
    }

    fn attribute_value(&mut self) -> Result<(), Fault> {
        let value = self.peek().clone();
        let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
        match value.kind {
            Kind::Text => {}
            Kind::Ident(_) if matches!(next, Some(Kind::Close | Kind::Space)) => {}
            Kind::Close => return Err(CssError::new(value.start, value.start, "the value is missing")),
            _ => {
                let rest = &self.tokens[self.at..];
                let end = rest
                    .iter()
                    .find(|token| token.kind == Kind::Close)
                    .map_or(value.end, |close| close.start);
                let shown = self.text[value.start..end].trim_end();
                return Err(CssError::new(
                    value.start,
                    value.start + shown.len(),
                    format!("`{shown}` needs quotes"),
                )
                .help(format!("write `'{shown}'`")));
            }
        }
        self.at += 1;
        Ok(())
    }

    fn close(&mut self, bracket: &str) -> Result<(), Fault> {
        match self.peek().kind {
            Kind::Close => {
                self.at += 1;
                Ok(())
            }
            _ => {
                let found = self.peek();
                let message = format!("expected `{bracket}`, found `{}`", self.text_of(found));
                Err(CssError::new(found.start, found.end, message))
            }
        }
    }

    fn pseudo(&mut self) -> Result<(), Fault> {
        let colon = self.advance();
        if self.peek().kind == Kind::Colon {
            self.at += 1;
            let name = self.peek().clone();
            return Err(match &name.kind {
                Kind::Ident(element) | Kind::Function(element) => {
                    refused(colon.start, name.end, pseudo_class::pseudo_element(element))
                }
                _ => CssError::new(colon.start, name.start, "a name is missing after `::`"),
            });
        }
        let name = self.advance();
        match &name.kind {
            Kind::Ident(class) => {
                pseudo_class::plain(class).map_err(|unknown| refused(colon.start, name.end, unknown))
            }
            Kind::Function(class) => {
                let argument = pseudo_class::functional(class)
                    .map_err(|unknown| refused(colon.start, name.end - 1, unknown))?;
                self.arguments(argument, &colon, &name)
            }
            _ => Err(CssError::new(colon.start, colon.end, "a name is missing after `:`")),
        }
    }

    fn arguments(&mut self, argument: Argument, colon: &Token, name: &Token) -> Result<(), Fault> {
        match argument {
            Argument::List => drop(self.list(Form::Complex)?),
            Argument::CompoundList => drop(self.list(Form::Compound)?),
            Argument::Compound => {
                self.skip_space();
                self.selector(Form::Compound)?;
            }
            Argument::RelativeList => {
                if self.inside_has {
                    let message = "`:has()` cannot stand inside another `:has()`";
                    return Err(CssError::new(colon.start, name.end - 1, message));
                }
                self.inside_has = true;
                self.list(Form::Relative)?;
                self.inside_has = false;
            }
            Argument::Nth => self.nth(name, false)?,
            Argument::NthOf => self.nth(name, true)?,
            Argument::Name => self.names(name, false)?,
            Argument::Names => self.names(name, true)?,
        }
        self.close(")")
    }

    /// `2n+1`, `odd` or `even`, perhaps with `of` and a list of selectors.
    fn nth(&mut self, name: &Token, of: bool) -> Result<(), Fault> {
        let end = self.closing();
        let mut input = CssParser::new(&self.text[name.end..end]);
        let wrong = |start: usize, end: usize| {
            CssError::new(start, end, "this counts nothing")
                .help("write a number, `odd`, `even`, or a pattern such as `2n+1`")
        };
        parse_nth(&mut input).map_err(|_| wrong(name.end, end))?;
        let counted = name.end + input.position().byte_index();
        while self.peek().start < counted {
            self.at += 1;
        }
        if self.skip_space()
            && matches!(&self.peek().kind, Kind::Ident(word) if word.eq_ignore_ascii_case("of"))
        {
            let word = self.advance();
            if !of {
                let message = format!(
                    "`of` belongs to `:nth-child()`, not to `:{}`",
                    self.text_of(name).trim_end_matches('(')
                );
                return Err(CssError::new(word.start, word.end, message));
            }
            self.list(Form::Complex)?;
            return Ok(());
        }
        match self.peek().kind {
            Kind::Close => Ok(()),
            _ => Err(wrong(name.end, end)),
        }
    }

    /// The offset at which the brackets that are open here close.
    fn closing(&self) -> usize {
        let mut depth = 0;
        for token in &self.tokens[self.at..] {
            match token.kind {
                Kind::Close if depth == 0 => return token.start,
                Kind::Close => depth -= 1,
                Kind::Function(_) | Kind::OpenSquare => depth += 1,
                // Round and curly brackets of their own.
                Kind::Foreign if self.text_of(token).ends_with(['(', '{']) => depth += 1,
                _ => {}
            }
        }
        self.text.len()
    }

    fn names(&mut self, function: &Token, several: bool) -> Result<(), Fault> {
        loop {
            self.skip_space();
            let name = self.peek().clone();
            if !matches!(name.kind, Kind::Ident(_)) {
                let shown = self.text_of(function).trim_end_matches('(');
                return Err(CssError::new(
                    name.start,
                    name.end,
                    format!("`:{shown}()` takes a name without quotes"),
                ));
            }
            self.at += 1;
            self.skip_space();
            if !several || self.peek().kind != Kind::Comma {
                return Ok(());
            }
            self.at += 1;
        }
    }

    fn unexpected(&self) -> Fault {
        let found = self.peek();
        let shown = self.text_of(found);
        let fault = |message| CssError::new(found.start, found.end, message);
        match (&found.kind, shown.split_at_checked(1)) {
            (Kind::Id | Kind::Text | Kind::Ident(_), _) => {}
            (_, Some(("#", ""))) => return fault("the name of an id is missing after `#`".to_owned()),
            (_, Some(("#", name))) => {
                return fault(format!("`{shown}` is no id: a name does not begin with a digit"))
                    .help(format!("write `[id='{name}']`"));
            }
            (_, Some((".", name))) => {
                return fault(format!("`{shown}` is no class: a name does not begin with a digit"))
                    .help(format!("write `[class~='{name}']`"));
            }
            _ => {}
        }
        CssError {
            help: foreign_help(self.text).map(str::to_owned),
            ..fault(format!("`{shown}` cannot stand here"))
        }
    }
}

fn refused(start: usize, end: usize, unknown: Unknown) -> CssError {
    CssError { help: unknown.help, ..CssError::new(start, end, unknown.message) }
}

/// What to do about a text in the language of another tool.
fn foreign_help(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    if text.starts_with('/') || text.starts_with("(/") || text.starts_with("xpath=") {
        return Some("this looks like XPath: put it under `xpath`");
    }
    if text.starts_with("text=") {
        return Some("put the text under `text_contains` or `text_equals`");
    }
    if text.starts_with("role=") {
        return Some("put the role under `role`, and the accessible name under `name`");
    }
    if text.contains(">>>") || text.contains("/deep/") {
        return Some("open shadow roots are entered without a mark");
    }
    if text.contains(">>") {
        return Some("put the outer element under `within`");
    }
    text.starts_with("css=").then_some("leave out `css=`")
}
