//! A map holds nothing private.
//!
//! Maps are shared and published. Tokens, keys, cookies, passwords in addresses and paths in a home folder
//! do not belong in them. The finding does not repeat the secret.
//!
//! Breaks the rule:
//! ```json
//! { "provenance": { "source": "/home/ada/maps/inbox" } }
//! ```
//!
//! Instead: leave it out, or let the caller pass it as an input with `"writeOnly": true`.

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("X005", include_str!("x005_private_data.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    subject.document.root().walk(&mut |node| {
        let Some(text) = node.as_str() else { return };
        for (offset, len, what) in secrets(text) {
            report
                .find(&RULE, Spot::Within { node, offset, len }, format!("this looks like {what}"))
                .help("leave it out, or let the caller pass it as an input with `\"writeOnly\": true`");
        }
    });
}

/// A beginning that gives a secret away, and what has to follow it.
struct Tell {
    beginning: &'static str,
    least: usize,
    follows: fn(char) -> bool,
    what: &'static str,
}

const fn tell(beginning: &'static str, least: usize, follows: fn(char) -> bool, what: &'static str) -> Tell {
    Tell { beginning, least, follows, what }
}

const TELLS: &[Tell] = &[
    tell("/home/", 1, path, "a path in a home folder"),
    tell("/Users/", 1, path, "a path in a home folder"),
    tell("C:\\Users\\", 1, path, "a path in a home folder"),
    tell("Bearer ", 16, token, "an access token"),
    tell("eyJ", 40, token, "a JSON Web Token"),
    tell("ghp_", 30, token, "an access token"),
    tell("github_pat_", 30, token, "an access token"),
    tell("gho_", 30, token, "an access token"),
    tell("glpat-", 16, token, "an access token"),
    tell("xoxb-", 10, token, "an access token"),
    tell("xoxp-", 10, token, "an access token"),
    tell("sk-", 32, token, "a secret key"),
    tell("sk_live_", 16, token, "a secret key"),
    tell("AKIA", 16, upper, "an access key"),
    tell("AIza", 35, token, "an access key"),
    tell("-----BEGIN ", 3, upper, "a private key"),
    tell("Set-Cookie:", 3, any, "a cookie"),
    tell("sessionid=", 8, token, "a session cookie"),
    tell("PHPSESSID=", 8, token, "a session cookie"),
    tell("JSESSIONID=", 8, token, "a session cookie"),
];

/// Whether a tell begins with this byte.
static BEGINS_A_TELL: [bool; 256] = {
    let mut begins = [false; 256];
    let mut at = 0;
    while at < TELLS.len() {
        begins[TELLS[at].beginning.as_bytes()[0] as usize] = true;
        at += 1;
    }
    begins
};

/// The places of a text that look like something private, and like what.
fn secrets(text: &str) -> impl Iterator<Item = (usize, usize, &'static str)> {
    let bytes = text.as_bytes();
    // Every string of a map is looked at, so most places are passed over at once. A secret begins a word.
    let begins = move |at: &usize| {
        BEGINS_A_TELL[usize::from(bytes[*at])] && (*at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
    };
    let tells =
        move |at| TELLS.iter().filter_map(move |tell| tell.find(text, at).map(|len| (at, len, tell.what)));
    (0..bytes.len()).filter(begins).flat_map(tells)
}

impl Tell {
    /// The length of what is given away, if it begins here.
    fn find(&self, text: &str, at: usize) -> Option<usize> {
        let rest = text.as_bytes()[at..].strip_prefix(self.beginning.as_bytes())?;
        let rest = &text[text.len() - rest.len()..];
        let len = rest.find(|c: char| !(self.follows)(c)).unwrap_or(rest.len());
        (rest[..len].chars().count() >= self.least).then_some(self.beginning.len() + len)
    }
}

fn token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '=')
}

fn upper(c: char) -> bool {
    c.is_ascii_uppercase() || c.is_ascii_digit()
}

fn path(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '"' | '<' | '>' | '*')
}

fn any(c: char) -> bool {
    c != '\n'
}
