//! Runs the processes of a campaign. A text that crashes or hangs its process is found and reduced as well.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use actions_manifest::RULES;
use actions_workshop::fuzz::{Executions, shrink};

use super::arguments::Campaign;
use super::worker::{Report, Tally, report};

/// An execution that takes longer than this hangs: a usual one takes a millisecond.
const HANGS_AFTER: Duration = Duration::from_secs(20);

/// How often the progress of the processes is read.
const LOOK: Duration = Duration::from_millis(100);

/// Runs a campaign; true when every property holds throughout.
pub(crate) fn run(campaign: &Campaign) -> io::Result<bool> {
    fs::create_dir_all(&campaign.folder)?;
    println!(
        "{} executions from {} with seed {} in {} process(es)",
        campaign.executions, campaign.first, campaign.seed, campaign.jobs
    );
    let start = Instant::now();
    let shares: Vec<io::Result<Outcome>> = thread::scope(|scope| {
        let running: Vec<_> =
            (0..campaign.jobs).map(|share| scope.spawn(move || Share { campaign, share }.run())).collect();
        let ended = running.into_iter().map(|share| share.join());
        ended.map(|outcome| outcome.unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))).collect()
    });
    let mut total = Outcome::default();
    for outcome in shares {
        let outcome = outcome?;
        total.tally.add(outcome.tally);
        total.breaches += outcome.breaches;
    }
    print_summary(&total, start.elapsed());
    Ok(total.breaches == 0)
}

#[derive(Default)]
struct Outcome {
    tally: Tally,
    breaches: u64,
}

fn print_summary(total: &Outcome, took: Duration) {
    let Tally { executions, bytes, accepted, rules } = &total.tally;
    let unbroken: Vec<&str> =
        RULES.iter().map(|rule| rule.code).filter(|code| !rules.contains_key(*code)).collect();
    println!(
        "{executions} executions in {:.0} s ({:.0} a second), {} bytes each on average",
        took.as_secs_f64(),
        *executions as f64 / took.as_secs_f64(),
        bytes / (*executions).max(1),
    );
    println!(
        "{accepted} maps accepted; {} of {} rules were broken; never broken: {}",
        rules.len(),
        RULES.len(),
        unbroken.join(" ")
    );
    match total.breaches {
        0 => println!("Every property holds."),
        breaches => println!("{breaches} kinds of breach."),
    }
}

/// One share of a campaign, in as many processes as it takes.
struct Share<'c> {
    campaign: &'c Campaign,
    share: u64,
}

/// How a process ended.
enum End {
    ByItself,
    Killed { hung: bool },
}

impl Share<'_> {
    fn run(&self) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut first = self.campaign.first;
        while first < self.campaign.end() {
            let mut child = self.spawn(first)?;
            let reports = child.stdout.take().map(|pipe| thread::spawn(move || read(pipe)));
            let end = self.wait(&mut child)?;
            let reports = reports.and_then(|reader| reader.join().ok()).unwrap_or_default();
            for report in reports {
                match report {
                    Report::Done(tally) => outcome.tally.add(tally),
                    breach => {
                        outcome.breaches += 1;
                        show(self.campaign.seed, breach);
                    }
                }
            }
            let End::Killed { hung } = end else { break };
            let number = self.place()?;
            outcome.breaches += 1;
            outcome.tally.executions += (number - first) / self.campaign.jobs + 1;
            show(self.campaign.seed, self.reduced(number, hung)?);
            first = number - self.share + self.campaign.jobs;
        }
        Ok(outcome)
    }

    fn spawn(&self, first: u64) -> io::Result<Child> {
        let Campaign { seed, jobs, folder, .. } = self.campaign;
        let numbers = [
            ("--seed", *seed),
            ("--first", first),
            ("--executions", self.campaign.end() - first),
            ("--jobs", *jobs),
            ("--share", self.share),
        ];
        let mut command = Command::new(env::current_exe()?);
        command
            .arg(super::TASK)
            .args(numbers.iter().flat_map(|(name, number)| [(*name).to_owned(), number.to_string()]));
        command.arg("--folder").arg(folder).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()
    }

    /// Waits for the process to end; kills it if it makes no progress.
    fn wait(&self, child: &mut Child) -> io::Result<End> {
        let mut at = None;
        let mut since = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                // It ends with 0 or 1 by itself; anything else is a crash.
                let by_itself = matches!(status.code(), Some(0 | 1));
                return Ok(if by_itself { End::ByItself } else { End::Killed { hung: false } });
            }
            let now = self.place().ok();
            if now != at {
                (at, since) = (now, Instant::now());
            }
            if since.elapsed() > HANGS_AFTER && at.is_some() {
                child.kill()?;
                child.wait()?;
                return Ok(End::Killed { hung: true });
            }
            thread::sleep(LOOK);
        }
    }

    /// The number of the execution the process is at.
    fn place(&self) -> io::Result<u64> {
        let bytes = fs::read(self.campaign.place_file(self.share))?;
        let bytes = bytes.try_into().map_err(|_| io::Error::other("the process has not begun"))?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn reduced(&self, number: u64, hung: bool) -> io::Result<Report> {
        let text = Executions::new(self.campaign.seed)?.text(number);
        let file = self.campaign.folder.join(format!("candidate-{}.json", self.share));
        let small = shrink(&text, &|text| crashes(&file, text).unwrap_or(false));
        let breach =
            if hung { "no text keeps the validator busy for ever" } else { "no text ends the process" };
        report(self.campaign, number, breach.to_owned(), &small)
    }
}

/// Whether judging this text crashes or hangs the process.
fn crashes(file: &Path, text: &[u8]) -> io::Result<bool> {
    fs::write(file, text)?;
    let mut judge = Command::new(env::current_exe()?);
    let judge = judge
        .arg(super::TASK)
        .arg("--judge")
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = judge.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(!matches!(status.code(), Some(0 | 1)));
        }
        if start.elapsed() > HANGS_AFTER {
            child.kill()?;
            child.wait()?;
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn read(pipe: impl io::Read) -> Vec<Report> {
    let lines = BufReader::new(pipe).lines().map_while(Result::ok);
    lines.filter_map(|line| serde_json::from_str(&line).ok()).collect()
}

fn show(seed: u64, report: Report) {
    if let Report::Breach { execution, breach, file, text } = report {
        println!("\n{breach}\n    execution {execution} of seed {seed}, reduced in {file}:\n{text}\n");
    }
}
