//! `cargo xtask fuzz expensive`: looks for maps of at most 1 MB that take more than 2 s or 300 MB, each in a process of its
//! own.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use actions_workshop::fuzz::expensive::{Cost, case};

use crate::failure::Failure;

/// The name of the task: it runs this program again for each case.
pub(crate) const TASK: &str = "fuzz-expensive";

const USAGE: &str = "cargo xtask fuzz expensive [--executions N] [--seed S] [--first N] [--size BYTES]";

/// A case that takes longer is ended. This is time on the clock, which a busy machine uses up too.
const HANGS_AFTER: Duration = Duration::from_secs(120);

struct Arguments {
    executions: u64,
    seed: u64,
    first: u64,
    size: usize,
    folder: PathBuf,
    /// The process measures this case.
    one: Option<u64>,
}

/// Looks for counterexamples, or measures one case.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::parse(words)?;
    match arguments.one {
        Some(number) => measure(&arguments, number).map_err(Failure::Fuzz),
        None => match look(&arguments).map_err(Failure::Fuzz)? {
            true => Ok(()),
            false => Err(Failure::Breach),
        },
    }
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Self, Failure> {
        let folder = env::temp_dir().join("actions-fuzz");
        let mut arguments = Self { executions: 300, seed: 1, first: 0, size: 1_000_000, folder, one: None };
        for pair in words.chunks(2) {
            let [name, value] = pair else {
                return Err(Failure::Usage { message: format!("`{}` needs a value", pair[0]), usage: USAGE });
            };
            let number = || {
                let message = format!("`{name}` needs a whole number, not `{value}`");
                value.replace('_', "").parse::<u64>().map_err(|_| Failure::Usage { message, usage: USAGE })
            };
            match name.as_str() {
                "--executions" => arguments.executions = number()?,
                "--seed" => arguments.seed = number()?,
                "--first" => arguments.first = number()?,
                "--size" => arguments.size = number()? as usize,
                "--folder" => arguments.folder = value.into(),
                "--one" => arguments.one = Some(number()?),
                _ => return Err(Failure::unknown_argument(name, USAGE)),
            }
        }
        Ok(arguments)
    }
}

/// Prints what one case costs.
fn measure(arguments: &Arguments, number: u64) -> io::Result<()> {
    let case = case(arguments.seed, number, arguments.size);
    let cost = case.cost()?;
    let verdict = if cost.is_allowed() { "ok" } else { "TOO MUCH" };
    println!(
        "{verdict:<8} {:>6} ms validation {:>6} ms call {:>5} MB  {:>8} bytes  {}",
        cost.validation.as_millis(),
        cost.call.as_millis(),
        cost.memory >> 20,
        case.map.to_string().len(),
        case.name
    );
    Ok(())
}

/// Measures every case; true if none costs too much.
fn look(arguments: &Arguments) -> io::Result<bool> {
    fs::create_dir_all(&arguments.folder)?;
    let mut worst = Vec::new();
    let start = Instant::now();
    for number in arguments.first..arguments.first + arguments.executions {
        let said = ask(arguments, number)?;
        if !said.starts_with("ok") {
            let case = case(arguments.seed, number, arguments.size);
            let file = arguments.folder.join(format!("expensive-{}-{number}.json", arguments.seed));
            fs::write(&file, case.map.to_string())?;
            println!("execution {number} of seed {}: {said}\n    {}", arguments.seed, file.display());
            worst.push(number);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{} cases of at most {} bytes in {seconds:.0} s", arguments.executions, arguments.size);
    println!("{} of them take more than {:?} or {} MB", worst.len(), Cost::TIME, Cost::MEMORY >> 20);
    Ok(worst.is_empty())
}

/// Measures a case in a process of its own.
fn ask(arguments: &Arguments, number: u64) -> io::Result<String> {
    let numbers = [("--seed", arguments.seed), ("--one", number), ("--size", arguments.size as u64)];
    let mut child = Command::new(env::current_exe()?)
        .arg(TASK)
        .args(numbers.iter().flat_map(|(name, number)| [(*name).to_owned(), number.to_string()]))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > HANGS_AFTER {
            child.kill()?;
            child.wait()?;
            return Ok(format!("it did not end within {HANGS_AFTER:?}"));
        }
        thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(if output.status.success() { said } else { format!("it ended with {}", output.status) })
}
