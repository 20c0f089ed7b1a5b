//! Every parser of bytes that come from elsewhere, with texts to begin with and what must hold of it.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::{fs, io};

use actions_browser::har::Har;
use actions_browser::{Archive, StorageState, reads_message};
use actions_protocol::Item;

use crate::fuzz::random::Random;
use crate::fuzz::text_change::TEXT_CHANGES;
use crate::fuzz::{Judge, rule_fixtures};

/// A parser and what it is fed.
pub struct Parser {
    /// What it parses.
    pub name: &'static str,
    /// Texts that it accepts, or nearly so.
    seeds: fn() -> io::Result<Vec<Vec<u8>>>,
    /// What is wrong with its answer, if anything is. Panics are found besides.
    breach: fn(&[u8]) -> Option<String>,
}

/// Every parser.
pub const PARSERS: &[Parser] = &[
    Parser { name: "map", seeds: rule_fixtures, breach: map },
    Parser { name: "har", seeds: || files(&["sites"], "har", 200_000), breach: har },
    Parser { name: "storage", seeds: storage_states, breach: storage_state },
    Parser { name: "cdp", seeds: messages, breach: message },
    Parser { name: "item", seeds: || files(&["fixtures/protocol"], "json", 200_000), breach: item },
];

impl Parser {
    /// The parser of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PARSERS.iter().find(|parser| parser.name == name)
    }

    /// The texts to begin with. There is at least one.
    pub fn seeds(&self) -> io::Result<Vec<Vec<u8>>> {
        let seeds = (self.seeds)()?;
        match seeds.is_empty() {
            true => Err(io::Error::other(format!("there are no texts for the parser `{}`", self.name))),
            false => Ok(seeds),
        }
    }

    /// A damaged text: the same for the same seed and number.
    pub fn text(&self, seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::of_execution(seed, number);
        let mut text = random.choose(seeds).clone();
        if random.percent(20) {
            // The beginning of one text and the end of another.
            let other = random.choose(seeds);
            text.truncate(random.below(text.len() + 1));
            text.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        for _ in 0..=random.below(6) {
            random.choose(TEXT_CHANGES).apply(&mut text, &mut random);
        }
        text
    }

    /// What is wrong with the answer to a text, if anything is.
    pub fn breach(&self, text: &[u8]) -> Option<String> {
        match panic::catch_unwind(AssertUnwindSafe(|| (self.breach)(text))) {
            Ok(breach) => breach,
            Err(panicked) => {
                let said = panicked.downcast_ref::<String>().map(String::as_str);
                let said = said.or_else(|| panicked.downcast_ref::<&str>().copied());
                Some(format!("it panicked: {}", said.unwrap_or("without a message")))
            }
        }
    }
}

fn map(bytes: &[u8]) -> Option<String> {
    thread_local! {
        static JUDGE: Judge = Judge::new();
    }
    JUDGE.with(|judge| judge.judge(bytes)).map(|breach| breach.to_string())
}

fn har(bytes: &[u8]) -> Option<String> {
    let har = Har::parse("fuzz.har", bytes).ok()?;
    // A recording that cannot be replayed is refused, not misread.
    let _ = Archive::of(&har, "fuzz.har");
    let written = har.to_json();
    let again = match Har::parse("fuzz.har", written.as_bytes()) {
        Ok(again) => again,
        Err(error) => return Some(format!("what it writes it does not read: {error}")),
    };
    (again.to_json() != written).then(|| "what it writes it reads as something else".to_owned())
}

fn storage_state(bytes: &[u8]) -> Option<String> {
    let state: StorageState = serde_json::from_slice(bytes).ok()?;
    let written = serde_json::to_value(&state).ok()?;
    match serde_json::from_value::<StorageState>(written.clone()) {
        Err(error) => Some(format!("what it writes it does not read: {error}")),
        Ok(again) if serde_json::to_value(&again).ok() != Some(written) => {
            Some("what it writes it reads as something else".to_owned())
        }
        Ok(_) => None,
    }
}

fn message(bytes: &[u8]) -> Option<String> {
    // The transport replaces what is no UTF-8.
    reads_message(&String::from_utf8_lossy(bytes));
    None
}

fn item(bytes: &[u8]) -> Option<String> {
    let item = Item::parse(std::str::from_utf8(bytes).ok()?).ok()?;
    let written = item.to_json();
    match Item::parse(&written) {
        Err(error) => Some(format!("what it writes it does not read: {error}")),
        Ok(again) if again.to_json() != written => {
            Some("what it writes it reads as something else".to_owned())
        }
        Ok(_) => None,
    }
}

fn storage_states() -> io::Result<Vec<Vec<u8>>> {
    let full = br#"{"cookies":[{"name":"sid","value":"a","domain":".a.example","path":"/","expires":-1,"httpOnly":true,
        "secure":true,"sameSite":"Lax"}],"origins":[{"origin":"https://a.example","localStorage":[{"name":"a","value":"b"}],
        "sessionStorage":[{"name":"c","value":"d"}]}]}"#;
    Ok(vec![br#"{"cookies":[],"origins":[]}"#.to_vec(), full.to_vec()])
}

fn messages() -> io::Result<Vec<Vec<u8>>> {
    let messages: [&[u8]; 4] = [
        br#"{"id":7,"sessionId":"A1","result":{"result":{"type":"string","value":"\ud83d\ude00 \ud800 x"}}}"#,
        br#"{"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"value":1e400}],"timestamp":1.5},"sessionId":"B"}"#,
        br#"{"id":8,"error":{"code":-32000,"message":"Cannot find context","data":"x"}}"#,
        br#"{"method":"Target.attachedToTarget","params":{"sessionId":"C","targetInfo":{"targetId":"D","type":"page"}}}"#,
    ];
    Ok(messages.map(<[u8]>::to_vec).to_vec())
}

/// The files of some folders that end so and are no longer than `most` bytes, in order.
fn files(folders: &[&str], extension: &str, most: u64) -> io::Result<Vec<Vec<u8>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut paths = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let (path, metadata) = entry.and_then(|entry| Ok((entry.path(), entry.metadata()?)))?;
            if metadata.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|has| has == extension) && metadata.len() <= most {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}
