//! A slice of what `cargo xtask fuzz expensive` runs: smaller maps, because this is not a release build.

use actions_workshop::fuzz::expensive::{Cost, case};

const SEED: u64 = 1;
const CASES: u64 = 120;
const SIZE: usize = 20_000;

#[test]
fn no_small_map_takes_much_time_or_memory() {
    for number in 0..CASES {
        let case = case(SEED, number, SIZE);
        let cost = case.cost().expect("it is measured");
        assert!(cost.is_allowed(), "{number} of seed {SEED}, {}: {cost:?} of {:?}", case.name, Cost::TIME);
    }
}
