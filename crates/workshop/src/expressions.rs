//! `cargo xtask fuzz expr`: evaluates random expressions here and with jsonata.js, and shows where the two differ.
//!
//! Our side evaluates in a process of its own, so that an expression that ends the process is found and shown like any
//! other difference.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use actions_workshop::fuzz::Random;
use actions_workshop::fuzz::expr::{
    Answer, Grammar, Judgement, KNOWN, Peer, Question, Stored, Tree, compare, known, random_scope, shrink,
};
use serde_json::Value;

use crate::failure::Failure;

/// The name of the task: it runs this program again to evaluate.
pub(crate) const TASK: &str = "fuzz-expr";

const USAGE: &str = "cargo xtask fuzz expr [--executions N] [--seed S] [--store FILE]";

/// The pinned jsonata.js, which the table of expressions is filled with too.
const PACKAGE: &str = "crates/expr/tests/table";
const SCRIPT: &str = "crates/workshop/src/fuzz/expr/evaluate.mjs";

/// How many expressions are evaluated at once.
const BATCH: u64 = 1_000;
/// More differences than this are counted, not made small and shown.
const ENOUGH: usize = 100;
/// How many scopes a file of stored answers has.
const STORED_SCOPES: u64 = 48;

/// The longest answer that is stored.
const MAX_STORED: usize = 300;

struct Arguments {
    executions: u64,
    seed: u64,
    folder: PathBuf,
    store: Option<PathBuf>,
    /// The process is our side of the comparison.
    answers: bool,
}

/// Compares, or is our side of a comparison.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::parse(arguments)?;
    if arguments.answers {
        return answer_questions().map_err(Failure::Fuzz);
    }
    install(&arguments.folder)?;
    let mut ours = Command::new(env::current_exe().map_err(Failure::Fuzz)?);
    ours.args([TASK, "--answers", "1"]);
    let mut theirs = Command::new("node");
    theirs.arg("--max-old-space-size=300").arg(SCRIPT).arg(&arguments.folder);
    let mut comparison = Comparison::new(Peer::new(ours), Peer::new(theirs));
    comparison.run(&arguments).map_err(Failure::Fuzz)?;
    if let Some(file) = &arguments.store {
        let text = comparison.stored.write();
        fs::write(file, text).map_err(|source| Failure::File { path: file.clone(), source })?;
        println!("{} answers stored in {}", comparison.stored.rows.len(), file.display());
    }
    if comparison.unexplained == 0 { Ok(()) } else { Err(Failure::Difference) }
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Self, Failure> {
        let folder = env::temp_dir().join("actions-jsonata");
        let mut arguments = Self { executions: 10_000, seed: 1, folder, store: None, answers: false };
        for pair in words.chunks(2) {
            let [name, value] = pair else {
                return Err(Failure::Usage { message: format!("`{}` needs a value", pair[0]), usage: USAGE });
            };
            let number = || {
                let message = format!("`{name}` needs a whole number, not `{value}`");
                value.replace('_', "").parse().map_err(|_| Failure::Usage { message, usage: USAGE })
            };
            match name.as_str() {
                "--executions" => arguments.executions = number()?,
                "--seed" => arguments.seed = number()?,
                "--folder" => arguments.folder = value.into(),
                "--store" => arguments.store = Some(value.into()),
                "--answers" => arguments.answers = true,
                _ => return Err(Failure::unknown_argument(name, USAGE)),
            }
        }
        Ok(arguments)
    }
}

/// Answers every question on the standard input.
fn answer_questions() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let answer = Answer::ours(question["source"].as_str().unwrap_or_default(), &question["scope"]);
        writeln!(output, "{}", answer.to_json())?;
        output.flush()?;
    }
    Ok(())
}

/// Installs jsonata.js into a folder, unless it is there.
fn install(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|source| Failure::File { path: folder.to_owned(), source })?;
    let mut is_new = !folder.join("node_modules/jsonata").exists();
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        let (from, to) = (Path::new(PACKAGE).join(name), folder.join(name));
        let content = fs::read(&from).map_err(|source| Failure::File { path: from, source })?;
        if fs::read(&to).ok().as_ref() != Some(&content) {
            is_new = true;
            fs::write(&to, content).map_err(|source| Failure::File { path: to, source })?;
        }
    }
    if !is_new {
        return Ok(());
    }
    let npm = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .status();
    let is_installed = npm.map_err(Failure::Fuzz)?.success();
    if is_installed { Ok(()) } else { Err(Failure::Install(folder.to_owned())) }
}

/// A comparison under way.
struct Comparison {
    ours: Peer,
    theirs: Peer,
    counts: BTreeMap<&'static str, u64>,
    explained: BTreeMap<&'static str, u64>,
    /// The differences that were made small, by their expression.
    shown: BTreeMap<String, (Value, Answer, Answer)>,
    unexplained: u64,
    stored: Stored,
}

impl Comparison {
    fn new(ours: Peer, theirs: Peer) -> Self {
        Self {
            ours,
            theirs,
            counts: BTreeMap::new(),
            explained: BTreeMap::new(),
            shown: BTreeMap::new(),
            unexplained: 0,
            stored: Stored::default(),
        }
    }

    fn run(&mut self, arguments: &Arguments) -> io::Result<()> {
        let start = Instant::now();
        let is_storing = arguments.store.is_some();
        if is_storing {
            self.stored.scopes = (0..STORED_SCOPES).map(|number| scope_of(arguments.seed, number)).collect();
        }
        if is_storing {
            self.store_examples()?;
        }
        let mut first = 0;
        while first < arguments.executions {
            let end = (first + BATCH).min(arguments.executions);
            let cases: Vec<(u64, Tree, Value)> = (first..end)
                .map(|number| {
                    let scope = if is_storing { number % STORED_SCOPES } else { number };
                    (number, tree_of(arguments.seed, number), scope_of(arguments.seed, scope))
                })
                .collect();
            let questions: Vec<Question> =
                cases.iter().map(|(_, tree, scope)| (tree.source(), scope.clone())).collect();
            let (ours, theirs) = (self.ours.ask(&questions)?, self.theirs.ask(&questions)?);
            for ((number, tree, scope), (ours, theirs)) in cases.into_iter().zip(ours.into_iter().zip(theirs))
            {
                if is_storing && theirs != Answer::Ended && theirs.to_string().len() <= MAX_STORED {
                    self.stored.rows.push(((number % STORED_SCOPES) as usize, tree.source(), theirs.clone()));
                }
                self.judge(tree, scope, &ours, &theirs)?;
            }
            first = end;
        }
        self.print(start);
        Ok(())
    }

    /// Keeps what jsonata.js gives for the example of every known difference.
    fn store_examples(&mut self) -> io::Result<()> {
        for known in KNOWN {
            let theirs = self.theirs.ask_one(known.example, &self.stored.scopes[0])?;
            self.stored.rows.push((0, known.example.to_owned(), theirs));
        }
        Ok(())
    }

    fn judge(&mut self, tree: Tree, scope: Value, ours: &Answer, theirs: &Answer) -> io::Result<()> {
        let judgement = compare(ours, theirs);
        let explanation = known(&tree.source(), ours, theirs);
        let name = match (judgement, explanation) {
            (Judgement::Same, _) => "the same",
            (Judgement::OtherCode, _) => "two errors with different codes",
            (Judgement::NoAnswer, _) => "without an answer of jsonata.js",
            (Judgement::Different, Some(_)) => "different, and explained",
            (Judgement::Different, None) => "different",
        };
        *self.counts.entry(name).or_default() += 1;
        if judgement != Judgement::Different {
            return Ok(());
        }
        if let Some(difference) = explanation {
            *self.explained.entry(difference.difference).or_default() += 1;
            return Ok(());
        }
        self.unexplained += 1;
        if self.shown.len() < ENOUGH {
            self.show(tree, scope)?;
        }
        Ok(())
    }

    /// Makes an unexplained difference small and keeps it to be shown.
    fn show(&mut self, tree: Tree, scope: Value) -> io::Result<()> {
        let (ours, theirs) = (&mut self.ours, &mut self.theirs);
        let mut both = |source: &str, scope: &Value| -> io::Result<(Answer, Answer)> {
            Ok((ours.ask_one(source, scope)?, theirs.ask_one(source, scope)?))
        };
        let (tree, scope) = shrink(tree, scope, |source, scope| {
            both(source, scope).is_ok_and(|(ours, theirs)| {
                compare(&ours, &theirs) == Judgement::Different && known(source, &ours, &theirs).is_none()
            })
        });
        let source = tree.source();
        let (ours, theirs) = both(&source, &scope)?;
        self.shown.insert(source, (scope, ours, theirs));
        Ok(())
    }

    fn print(&self, start: Instant) {
        for (source, (scope, ours, theirs)) in &self.shown {
            println!("{source}\n    ours   {ours}\n    theirs {theirs}\n    scope  {scope}\n");
        }
        println!("Explained differences:");
        for (difference, count) in &self.explained {
            println!("{count:>8} {difference}");
        }
        println!("Expressions in {:.0} s:", start.elapsed().as_secs_f64());
        for (name, count) in &self.counts {
            println!("{count:>8} {name}");
        }
    }
}

fn tree_of(seed: u64, number: u64) -> Tree {
    Grammar::new(&mut Random::of_execution(seed, number)).expression()
}

fn scope_of(seed: u64, number: u64) -> Value {
    random_scope(&mut Random::of_execution(!seed, number))
}
