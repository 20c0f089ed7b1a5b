//! Attacks on the `actions` command: browsers that answer wrongly, late or not at all, and signals at random moments.
//!
//! Every attack is drawn from a seed, so it can be made again. The tests make few rounds by default; `cargo xtask hold`
//! makes many, with `ACTIONS_HOLD_ROUNDS`, and judges the lines that begin with `hold:`.

mod attempt;
mod faults;
mod namespace;
mod proxy;
mod random;
mod signals;
mod silence;
mod uploads;

/// How many rounds a test makes.
fn rounds(few: u64) -> u64 {
    std::env::var("ACTIONS_HOLD_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}
