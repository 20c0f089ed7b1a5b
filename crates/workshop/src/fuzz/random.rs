//! Reproducible random numbers.

/// A sequence of numbers that looks random and is the same for the same seed on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of one execution out of many that share a seed.
    pub fn of_execution(seed: u64, execution: u64) -> Self {
        let mut random = Self(seed);
        Self(random.number() ^ execution.wrapping_mul(0xD134_2543_DE82_EF95))
    }

    /// The next number of the sequence (SplitMix64).
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 when there is none below it.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 {
            return 0;
        }
        (self.number() % limit as u64) as usize
    }

    /// True this many times in a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the items; there must be one.
    pub fn pick<'i, T: ?Sized>(&mut self, items: &[&'i T]) -> &'i T {
        items[self.below(items.len())]
    }

    /// One of the items; there must be one.
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_same_seed_gives_the_same_sequence() {
        let first: Vec<u64> = std::iter::repeat_with({
            let mut random = Random::of_execution(1, 7);
            move || random.number()
        })
        .take(4)
        .collect();
        let mut again = Random::of_execution(1, 7);
        assert!(first.iter().all(|number| *number == again.number()));
        assert_ne!(first[0], Random::of_execution(1, 8).number());
    }
}
