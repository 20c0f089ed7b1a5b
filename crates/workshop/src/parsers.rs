//! `cargo xtask fuzz PARSER`: damages texts for one parser of foreign bytes, or for all of them.

use std::time::{Duration, Instant};

use actions_workshop::fuzz::parsers::{PARSERS, Parser};
use actions_workshop::fuzz::shrink;

use crate::failure::Failure;

/// The name of the task.
pub(crate) const TASK: &str = "fuzz-parsers";

const USAGE: &str = "cargo xtask fuzz parsers|map|har|storage|cdp|item [--executions N] [--seed S]";

/// A text of this size that takes longer keeps the parser busy.
const SLOW: Duration = Duration::from_secs(2);

/// Runs a number of executions against each parser that is asked for.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let (name, options) =
        arguments.split_first().map_or(("parsers", &[][..]), |(name, rest)| (name.as_str(), rest));
    let (mut executions, mut seed) = (20_000_u64, 1_u64);
    for pair in options.chunks(2) {
        let [option, value] = pair else {
            return Err(Failure::Usage { message: format!("`{}` needs a value", pair[0]), usage: USAGE });
        };
        let number = value.replace('_', "").parse().map_err(|_| Failure::Usage {
            message: format!("`{option}` needs a whole number, not `{value}`"),
            usage: USAGE,
        })?;
        match option.as_str() {
            "--executions" => executions = number,
            "--seed" => seed = number,
            _ => return Err(Failure::unknown_argument(option, USAGE)),
        }
    }
    let parsers: Vec<&Parser> = match name {
        "parsers" => PARSERS.iter().collect(),
        name => match Parser::named(name) {
            Some(parser) => vec![parser],
            None => return Err(Failure::unknown_argument(name, USAGE)),
        },
    };
    let mut holds = true;
    for parser in parsers {
        holds &= attack(parser, executions, seed)?;
    }
    if holds { Ok(()) } else { Err(Failure::Breach) }
}

/// Runs the executions against one parser; true if every answer was right. Stops at the first that was not.
fn attack(parser: &Parser, executions: u64, seed: u64) -> Result<bool, Failure> {
    let seeds = parser.seeds().map_err(Failure::Fuzz)?;
    let start = Instant::now();
    for number in 0..executions {
        let text = parser.text(&seeds, seed, number);
        let begun = Instant::now();
        let breach = parser.breach(&text);
        let breach = breach.or_else(|| (begun.elapsed() > SLOW).then(|| "it takes more than 2 s".to_owned()));
        if let Some(breach) = breach {
            let small = shrink(&text, &|text| parser.breach(text).is_some());
            let small = String::from_utf8_lossy(&small).into_owned();
            println!("{}: execution {number} of seed {seed}: {breach}\n{small}", parser.name);
            return Ok(false);
        }
    }
    println!(
        "{}: {executions} executions in {:.0} s, every answer right",
        parser.name,
        start.elapsed().as_secs_f64()
    );
    Ok(true)
}
