//! A slice of what `cargo xtask fuzz expensive` runs: smaller maps, because this is not a release build.

use std::time::Duration;

use actions_workshop::fuzz::expensive::{Cost, case};

const SEED: u64 = 1;
const CASES: u64 = 120;
const SIZE: usize = 20_000;

/// What this looks for takes minutes; a busy machine and a build without optimisation take seconds.
const TIME: Duration = Duration::from_secs(20);

#[test]
fn no_small_map_takes_much_time_or_memory() {
    for number in 0..CASES {
        let case = case(SEED, number, SIZE);
        let cost = case.cost().expect("it is measured");
        let is_quick = cost.validation.max(cost.call) < TIME;
        assert!(is_quick && cost.memory < Cost::MEMORY, "{number} of seed {SEED}, {}: {cost:?}", case.name);
    }
}
