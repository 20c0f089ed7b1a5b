//! The core function library of XPath 1.0.

use super::Gives;

/// A function of the core library.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) least: usize,
    pub(super) most: usize,
    /// Whether its arguments must be nodes.
    pub(super) takes_nodes: bool,
    pub(super) gives: Gives,
}

const fn function(name: &'static str, least: usize, most: usize, gives: Gives) -> Function {
    Function { name, least, most, takes_nodes: false, gives }
}

const fn of_nodes(name: &'static str, least: usize, most: usize, gives: Gives) -> Function {
    Function { takes_nodes: true, ..function(name, least, most, gives) }
}

/// The core library of XPath 1.0.
pub(super) const FUNCTIONS: &[Function] = &[
    function("boolean", 1, 1, Gives::Boolean),
    function("ceiling", 1, 1, Gives::Number),
    function("concat", 2, usize::MAX, Gives::Text),
    function("contains", 2, 2, Gives::Boolean),
    of_nodes("count", 1, 1, Gives::Number),
    function("false", 0, 0, Gives::Boolean),
    function("floor", 1, 1, Gives::Number),
    function("id", 1, 1, Gives::Nodes),
    function("lang", 1, 1, Gives::Boolean),
    function("last", 0, 0, Gives::Number),
    of_nodes("local-name", 0, 1, Gives::Text),
    of_nodes("name", 0, 1, Gives::Text),
    of_nodes("namespace-uri", 0, 1, Gives::Text),
    function("normalize-space", 0, 1, Gives::Text),
    function("not", 1, 1, Gives::Boolean),
    function("number", 0, 1, Gives::Number),
    function("position", 0, 0, Gives::Number),
    function("round", 1, 1, Gives::Number),
    function("starts-with", 2, 2, Gives::Boolean),
    function("string", 0, 1, Gives::Text),
    function("string-length", 0, 1, Gives::Number),
    function("substring", 2, 3, Gives::Text),
    function("substring-after", 2, 2, Gives::Text),
    function("substring-before", 2, 2, Gives::Text),
    of_nodes("sum", 1, 1, Gives::Number),
    function("translate", 3, 3, Gives::Text),
    function("true", 0, 0, Gives::Boolean),
];

/// Functions of later versions, and what to write instead.
const LATER: &[(&str, &str)] = &[
    (
        "ends-with",
        "write `substring(@a, string-length(@a) - string-length('end') + 1) = 'end'`, or use CSS: `[a$='end']`",
    ),
    ("exists", "write the path alone: it is true when it finds something"),
    ("empty", "write `not(…)`"),
    ("lower-case", "write `translate(…, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`"),
    ("upper-case", "write `translate(…, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')`"),
    ("matches", "browsers know XPath 1.0, which has no patterns; use `contains` or `starts-with`"),
];

/// The function of this name, or what to do about a name that is none.
pub(super) fn find(name: &str) -> Result<&'static Function, Option<String>> {
    if let Some(known) = FUNCTIONS.iter().find(|function| function.name == name) {
        return Ok(known);
    }
    if let Some((_, help)) = LATER.iter().find(|(later, _)| *later == name) {
        return Err(Some((*help).to_owned()));
    }
    let names: Vec<_> = FUNCTIONS.iter().map(|function| function.name).collect();
    let near = crate::lower::closest(name, &names);
    Err(near.map(|near| format!("did you mean `{near}`?")))
}

impl Function {
    /// How many arguments it takes, in words.
    pub(super) fn takes(&self) -> String {
        match (self.least, self.most) {
            (0, 0) => "no arguments".to_owned(),
            (1, 1) => "one argument".to_owned(),
            (0, 1) => "one argument or none".to_owned(),
            (least, usize::MAX) => format!("{least} arguments or more"),
            (least, most) if least == most => format!("{least} arguments"),
            (least, most) => format!("{least} to {most} arguments"),
        }
    }
}
