//! JSONata expressions, most of them valid.

use super::Writer;

const PATHS: &[&str] = &[
    "input",
    "input.query",
    "steps",
    "steps.find.output",
    "steps.find.output.clickable_center.x",
    "steps.read.output.matches[0]",
    "steps.a.error.code",
    "steps.`b`.output",
    "steps.\"click\".ok",
    "$$.steps.find",
    "$lookup(steps, 'find')",
    "item",
    "item.id",
    "index",
    "records.lists",
    "state.board.lists.name",
    "url",
    "title",
    "projection",
    "$",
    "$$",
    "*",
    "**",
    "%",
    "$x",
    "$y",
    "a.b.c",
    "`data-total`",
    "input.*",
    "steps.later.output",
];

const LITERALS: &[&str] = &[
    "1",
    "0",
    "-1",
    "1.5",
    "1e3",
    "1e999",
    "'text'",
    "\"text\"",
    "''",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "'\\u0041'",
    "'\\ud800'",
    "'{%'",
    "/a+/i",
    "/[/]/",
    "/(/",
    "'it\\'s'",
    "0x1",
    "9007199254740993",
];

const FUNCTIONS: &[&str] = &[
    "$exists",
    "$count",
    "$sum",
    "$string",
    "$number",
    "$not",
    "$append",
    "$map",
    "$filter",
    "$reduce",
    "$sort",
    "$join",
    "$split",
    "$substring",
    "$substringAfter",
    "$trim",
    "$lowercase",
    "$contains",
    "$match",
    "$replace",
    "$keys",
    "$lookup",
    "$merge",
    "$type",
    "$boolean",
    "$zip",
    "$spread",
    "$encodeUrlComponent",
    "$now",
    "$eval",
    "$random",
    "$millis",
    "$shuffle",
    "$each",
    "$sift",
    "$single",
    "$distinct",
    "$formatNumber",
    "$toMillis",
    "$x",
    "$nope",
];

const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "&", "=", "!=", "<", ">", "<=", ">=", "and", "or", "in", "~>", ".", "..", "??",
    "?:", ":=", "@", "#", "==", "&&", "||",
];

impl Writer<'_> {
    /// A string that is one slot, most of the time.
    pub(super) fn slot(&mut self) -> String {
        let known = !self.expressions.is_empty() && self.random.percent(30);
        let body = if known { self.random.choose(self.expressions).clone() } else { self.expression(0) };
        let body = if self.random.percent(10) { self.blurred(&body) } else { body };
        match self.random.below(20) {
            0 => body,
            1 => format!("{{%{body}%}}"),
            2 => format!(" \n{{% {body} %}}\t"),
            3 => format!("text {{% {body} %}}"),
            _ => format!("{{% {body} %}}"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        let forms = if depth > 3 { 2 } else { 20 };
        match self.random.below(forms) {
            0 | 2 | 3 | 4 => self.random.pick(PATHS).to_owned(),
            1 | 5 => self.random.pick(LITERALS).to_owned(),
            6 | 7 => {
                let operator = self.random.pick(OPERATORS);
                format!("{} {operator} {}", self.expression(depth + 1), self.expression(depth + 1))
            }
            8..=10 => {
                let function = self.random.pick(FUNCTIONS);
                format!("{function}({})", self.list(depth))
            }
            11 => format!(
                "({} ? {} : {})",
                self.expression(depth + 1),
                self.expression(depth + 1),
                self.expression(depth + 1)
            ),
            12 => format!("[{}]", self.list(depth)),
            13 => {
                let members = 0..self.random.below(3);
                let members: Vec<String> =
                    members.map(|number| format!("'k{number}': {}", self.expression(depth + 1))).collect();
                format!("{{{}}}", members.join(", "))
            }
            14 => format!(
                "($x := {}; $y := {}; {})",
                self.expression(depth + 1),
                self.expression(depth + 1),
                self.expression(depth + 1)
            ),
            15 => format!("{}[{}]", self.expression(depth + 1), self.expression(depth + 1)),
            16 => format!("{}.({})", self.expression(depth + 1), self.expression(depth + 1)),
            17 => format!(
                "$map({}, function($x) {{ {} }})",
                self.expression(depth + 1),
                self.expression(depth + 1)
            ),
            18 => format!("{}^(>{})", self.expression(depth + 1), self.expression(depth + 1)),
            _ => match self.random.below(5) {
                0 => format!(
                    "{} ~> |{}|{{'a': {}}}|",
                    self.expression(depth + 1),
                    self.expression(depth + 1),
                    self.expression(depth + 1)
                ),
                1 => format!(
                    "{}{{{}: {}}}",
                    self.expression(depth + 1),
                    self.expression(depth + 1),
                    self.expression(depth + 1)
                ),
                2 => format!("-{}", self.expression(depth + 1)),
                3 => format!("/* {} */ {}", self.random.pick(PATHS), self.expression(depth + 1)),
                _ => format!(
                    "function($x, $y)<{}>{{ {} }}",
                    self.random.pick(&["nn:n", "a<s>:o", "x-", "("]),
                    self.expression(depth + 1)
                ),
            },
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let items = 0..self.random.below(4);
        items.map(|_| self.expression(depth + 1)).collect::<Vec<_>>().join(", ")
    }
}
