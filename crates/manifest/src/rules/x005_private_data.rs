//! A map holds nothing private.
//!
//! Maps are shared and published. Tokens, keys, cookies, passwords in addresses and paths below somebody's home folder
//! do not belong in them. The finding does not repeat the secret.
//!
//! Breaks the rule:
//! ```json
//! { "provenance": { "source": "/home/ada/maps/inbox" } }
//! ```
//!
//! Instead: leave it out, or let the caller pass it as an input with `"writeOnly": true`.

use super::Rule;
use crate::check::Subject;
use crate::finding::{Report, Spot};

pub(crate) static RULE: Rule = Rule::warning("X005", include_str!("x005_private_data.rs")).checks(check);

fn check(subject: &Subject<'_>, report: &mut Report) {
    subject.document.root().walk(&mut |node| {
        let Some(text) = node.as_str() else { return };
        for (offset, len, what) in TELLS.iter().filter_map(|tell| tell.find(text)) {
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

static TELLS: &[Tell] = &[
    tell("/home/", 1, path, "a path below somebody's home folder"),
    tell("/Users/", 1, path, "a path below somebody's home folder"),
    tell("C:\\Users\\", 1, path, "a path below somebody's home folder"),
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

impl Tell {
    fn find(&self, text: &str) -> Option<(usize, usize, &'static str)> {
        let offset = text.find(self.beginning)?;
        let before = text[..offset].chars().next_back();
        if before.is_some_and(|c| c.is_ascii_alphanumeric()) {
            return None;
        }
        let rest = &text[offset + self.beginning.len()..];
        let len = rest.find(|c: char| !(self.follows)(c)).unwrap_or(rest.len());
        (rest[..len].chars().count() >= self.least).then_some((offset, self.beginning.len() + len, self.what))
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
