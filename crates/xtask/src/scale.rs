//! `cargo xtask scale`: five hundred maps in one `actions check`, and how much memory that takes.
//!
//! The memory of the command and of its browser is sampled while it runs on 50 and on 500 maps: if it still grows in the last
//! quarter, something is kept that should have been let go. Among the maps are one that is broken, one whose page never
//! stops, and one whose page takes all the memory it can get; no other map may notice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::load_average;
use crate::failure::Failure;
use crate::program::{measured, target};
use crate::recorded_maps::generate;
use crate::workspace::{root, write};

/// The numbers of maps that are compared.
const COUNTS: [usize; 2] = [50, 500];
const ORIGIN: &str = "https://shops.example";
/// By how much the memory of the browser may grow from the second to the last quarter of the larger number: by then
/// everything that is kept for good is there.
const BROWSER_GROWTH: f64 = 1.15;
/// What the command may keep of each map, in kilobytes: its results.
const KEPT: f64 = 64.0;
const SAMPLING: Duration = Duration::from_millis(250);

/// What was measured while a command ran.
struct Measured {
    took: Duration,
    report: Value,
    samples: Vec<Sample>,
}

/// The memory at one moment, in megabytes, and how many processes render pages.
#[derive(Clone, Copy)]
struct Sample {
    engine: f64,
    browser: f64,
    renderers: usize,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "it has none".to_owned()));
    }
    let program = measured()?;
    let mut rows = Vec::new();
    let mut results = BTreeMap::new();
    for count in COUNTS {
        let folder = target()?.join(format!("scale/{count}"));
        drop(fs::remove_dir_all(&folder));
        generate(&folder, count, ORIGIN)?;
        disturb(&folder)?;
        check(&program, &folder, &["--update-lock"])?;
        let measured = check(&program, &folder, &[])?;
        judge(&measured, count)?;
        rows.push(measured.row(count));
        results.insert(count, measured.to_json());
    }
    println!(
        "\n| maps | checks | time | checks per minute | engine: median, peak | browser: median, peak | renderers: median, peak |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    rows.iter().for_each(|row| println!("{row}"));
    let quarters = |part: &str| {
        let of = |key: &str| results[&COUNTS[1]][part][key].as_f64().unwrap_or(f64::NAN);
        (of("second_quarter_mb"), of("last_quarter_mb"))
    };
    let ((from, to), (before, after)) = (quarters("engine"), quarters("browser"));
    // The middles of the two quarters are half of the maps apart.
    let kept = (to - from) * 1024.0 / (COUNTS[1] as f64 / 2.0);
    let growth = after / before;
    println!(
        "\nfrom the second to the last quarter of {} maps: the browser grew × {growth:.2} (at most × {BROWSER_GROWTH}), \
         the command kept {kept:.0} KB per map (at most {KEPT} KB)",
        COUNTS[1]
    );
    let result = json!({
        "load_average": load_average(), "maps": results,
        "browser_growth": { "ratio": growth, "at_most": BROWSER_GROWTH },
        "kept_per_map_kb": { "kb": kept.round(), "at_most": KEPT },
    });
    write(&root().join("bench/results/scale.json"), format!("{result:#}\n").as_bytes())?;
    match growth <= BROWSER_GROWTH && kept <= KEPT {
        true => Ok(()),
        false => {
            Err(Failure::GoalsMissed { goals: vec!["memory that does not grow with the number of maps"] })
        }
    }
}

/// Makes three of the maps troublesome.
fn disturb(folder: &Path) -> Result<(), Failure> {
    write(&folder.join("shop-0007/actions.json"), b"{ \"protocol\": ")?;
    let scripts = [
        ("shop-0013", "<script>for (;;) {}</script>"),
        (
            "shop-0021",
            "<script>const all = []; setInterval(() => all.push(new Uint8Array(1 << 20).fill(1)), 1)</script>",
        ),
    ];
    for (shop, script) in scripts {
        let path = folder.join(shop).join("recordings/page.har");
        let text =
            fs::read_to_string(&path).map_err(|source| Failure::File { path: path.clone(), source })?;
        let script = script.replace('"', "\\\"");
        write(&path, text.replace("<footer>", &format!("{script}<footer>")).as_bytes())?;
    }
    Ok(())
}

fn check(program: &Path, folder: &Path, more: &[&str]) -> Result<Measured, Failure> {
    let mut command = Command::new(program);
    command
        .arg("check")
        .arg(folder)
        .arg("--replay")
        .arg(folder)
        .args(["--format", "json", "-q", "--patience", "1s"])
        .args(more);
    let not_started = |source| Failure::NotStarted { command: "actions check".to_owned(), source };
    let begun = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(not_started)?;
    let output = child.stdout.take();
    let reading = thread::spawn(move || {
        let mut text = String::new();
        output.map(|mut output| std::io::Read::read_to_string(&mut output, &mut text));
        text
    });
    let samples = watch(&mut child);
    let took = begun.elapsed();
    let text = reading.join().unwrap_or_default();
    let report = serde_json::from_str(&text).unwrap_or_default();
    Ok(Measured { took, report, samples })
}

/// Samples the memory of a command and of its browser until it ends.
fn watch(child: &mut Child) -> Vec<Sample> {
    let mut samples = Vec::new();
    while matches!(child.try_wait(), Ok(None)) {
        samples.extend(sample(child.id()));
        thread::sleep(SAMPLING);
    }
    samples
}

fn sample(engine: u32) -> Option<Sample> {
    let mut sample = Sample { engine: megabytes(engine)?, browser: 0.0, renderers: 0 };
    for process in descendants(engine) {
        sample.browser += megabytes(process).unwrap_or(0.0);
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        sample.renderers += usize::from(String::from_utf8_lossy(&line).contains("--type=renderer"));
    }
    Some(sample)
}

/// The memory of a process; what it shares with others is counted in parts.
fn megabytes(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

/// Every process below another one.
fn descendants(of: u32) -> Vec<u32> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse::<u32>().ok());
        parents.extend(parent.map(|parent| (id, parent)));
    }
    let is_below = |id: u32| {
        let mut at = id;
        for _ in 0..32 {
            match parents.get(&at) {
                Some(parent) if *parent == of => return true,
                Some(parent) => at = *parent,
                None => return false,
            }
        }
        false
    };
    parents.keys().copied().filter(|id| is_below(*id)).collect()
}

/// Makes sure that only the troublesome maps had trouble.
fn judge(measured: &Measured, count: usize) -> Result<(), Failure> {
    let results = measured.report["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    let troubled: BTreeMap<&str, &str> = results
        .iter()
        .filter(|result| result["status"] != "passed")
        .filter_map(|result| Some((result["map"].as_str()?.rsplit('/').nth(1)?, result["status"].as_str()?)))
        .collect();
    println!("    not passed: {troubled:?}");
    let expected = ["shop-0007", "shop-0013", "shop-0021"];
    let is_right = measured.report["summary"]["maps"] == count
        && troubled.keys().all(|shop| expected.contains(shop))
        && troubled.contains_key("shop-0007");
    match is_right {
        true => Ok(()),
        false => Err(Failure::GoalsMissed { goals: vec!["a broken map affects no other"] }),
    }
}

impl Measured {
    /// The median and the peak of something that was sampled.
    fn of(&self, part: impl Fn(&Sample) -> f64) -> (f64, f64) {
        let mut all: Vec<f64> = self.samples.iter().map(part).collect();
        all.sort_by(f64::total_cmp);
        let at = |index: usize| all.get(index).copied().unwrap_or(f64::NAN);
        (at(all.len() / 2), at(all.len().saturating_sub(1)))
    }

    /// The median of something in one quarter of the time.
    fn quarter(&self, number: usize, part: impl Fn(&Sample) -> f64) -> f64 {
        let length = self.samples.len() / 4;
        let mut all: Vec<f64> = self.samples.iter().skip(number * length).take(length).map(part).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn checks(&self) -> f64 {
        self.report["summary"]["checks"].as_f64().unwrap_or(f64::NAN)
    }

    fn per_minute(&self) -> f64 {
        self.checks() / self.took.as_secs_f64() * 60.0
    }

    fn row(&self, count: usize) -> String {
        let shown = |(median, peak): (f64, f64)| format!("{median:.0}, {peak:.0}");
        format!(
            "| {count} | {} | {:.1} s | {:.0} | {} MB | {} MB | {} |",
            self.checks(),
            self.took.as_secs_f64(),
            self.per_minute(),
            shown(self.of(|sample| sample.engine)),
            shown(self.of(|sample| sample.browser)),
            shown(self.of(|sample| sample.renderers as f64)),
        )
    }

    fn to_json(&self) -> Value {
        let part = |of: fn(&Sample) -> f64| {
            let (median, peak) = self.of(of);
            json!({
                "median_mb": median.round(), "peak_mb": peak.round(),
                "second_quarter_mb": self.quarter(1, of).round(), "last_quarter_mb": self.quarter(3, of).round(),
            })
        };
        json!({
            "checks": self.checks(), "seconds": self.took.as_secs_f64(), "checks_per_minute": self.per_minute().round(),
            "engine": part(|sample| sample.engine), "browser": part(|sample| sample.browser),
            "renderers": self.of(|sample| sample.renderers as f64).1,
        })
    }
}
