//! One process of a campaign: every execution of its share, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;

use actions_workshop::fuzz::{Executions, Judge, shrink};
use serde::{Deserialize, Serialize};

use super::arguments::Campaign;

/// A process stops after this many kinds of breach.
const ENOUGH: usize = 20;

/// What a process reports on standard output, one line of JSON each.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Report {
    /// A property does not hold.
    Breach { execution: u64, breach: String, file: String, text: String },
    /// The share is done.
    Done(Tally),
}

/// The totals of a share.
#[derive(Default, Deserialize, Serialize)]
pub(crate) struct Tally {
    pub(crate) executions: u64,
    pub(crate) bytes: u64,
    pub(crate) accepted: u64,
    /// How many texts broke each rule.
    pub(crate) rules: BTreeMap<String, u64>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.executions += other.executions;
        self.bytes += other.bytes;
        self.accepted += other.accepted;
        for (code, count) in other.rules {
            *self.rules.entry(code).or_default() += count;
        }
    }
}

/// Works through a share; true when every property holds throughout.
pub(crate) fn run(campaign: &Campaign, share: u64) -> io::Result<bool> {
    let executions = Executions::new(campaign.seed)?;
    let judge = Judge::new();
    let place = File::create(campaign.place_file(share))?;
    let mut tally = Tally::default();
    let mut kinds = BTreeSet::new();
    let mut number = campaign.first + share;
    while number < campaign.end() && kinds.len() < ENOUGH {
        // If the process crashes, the supervisor reads the number from the file.
        place.write_all_at(&number.to_le_bytes(), 0)?;
        let text = executions.text(number);
        let verdict = judge.verdict(&text);
        tally.executions += 1;
        tally.bytes += text.len() as u64;
        tally.accepted += u64::from(verdict.accepted);
        for code in BTreeSet::from_iter(verdict.codes) {
            *tally.rules.entry(code.to_owned()).or_default() += 1;
        }
        if let Some(breach) = verdict.breach
            && kinds.insert(breach.kind())
        {
            let same = |text: &[u8]| judge.judge(text).is_some_and(|other| other.property == breach.property);
            let small = shrink(&text, &same);
            let detail = judge.judge(&small).map_or_else(|| breach.to_string(), |breach| breach.to_string());
            print(&report(campaign, number, detail, &small)?)?;
        }
        number += campaign.jobs;
    }
    print(&Report::Done(tally))?;
    Ok(kinds.is_empty())
}

/// Writes a reproducer to a file.
pub(crate) fn report(campaign: &Campaign, execution: u64, breach: String, text: &[u8]) -> io::Result<Report> {
    let file = campaign.folder.join(format!("{}-{execution}.json", campaign.seed));
    fs::write(&file, text)?;
    let text: String = String::from_utf8_lossy(text).chars().take(2000).collect();
    Ok(Report::Breach { execution, breach, file: file.display().to_string(), text })
}

fn print(report: &Report) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    line.push(b'\n');
    io::stdout().write_all(&line)
}
