//! Makes the text of an execution from its number.

use std::io;

use serde_json::Value;

use crate::fuzz::corpus::{expressions, rule_fixtures, site_maps, slices};
use crate::fuzz::generate::Generator;
use crate::fuzz::random::Random;
use crate::fuzz::text_change::TEXT_CHANGES;
use crate::fuzz::value_change::{change, count};

/// A sequence of texts: the same seed and number give the same text as long as the repository stays the same.
#[derive(Debug)]
pub struct Executions {
    seed: u64,
    generator: Generator,
    /// Small maps to start from.
    corpus: Vec<Value>,
}

/// A map of more values than this is too slow to start from.
const SMALL: usize = 250;

impl Executions {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> io::Result<Self> {
        let pieces = site_maps()?.into_iter().flat_map(|map| slices(&map.value));
        let fixtures = rule_fixtures()?.into_iter().filter_map(|text| serde_json::from_slice(&text).ok());
        let corpus = pieces.chain(fixtures).filter(|map| count(map) <= SMALL).collect();
        Ok(Self { seed, generator: Generator::new(expressions()?), corpus })
    }

    /// The text of this number.
    pub fn text(&self, number: u64) -> Vec<u8> {
        let mut random = Random::of_execution(self.seed, number);
        let mut map = self.start(&mut random);
        for _ in 0..random.below(5) {
            let other = self.start(&mut random);
            change(&mut map, &other, &self.generator, &mut random);
        }
        let mut text = if random.percent(50) { format!("{map:#}") } else { map.to_string() }.into_bytes();
        if random.percent(15) {
            for _ in 0..=random.below(2) {
                random.choose(TEXT_CHANGES).apply(&mut text, &mut random);
            }
        }
        text
    }

    fn start(&self, random: &mut Random) -> Value {
        if self.corpus.is_empty() || random.percent(50) {
            return self.generator.map(random);
        }
        random.choose(&self.corpus).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_text() {
        let (first, second) = (Executions::new(7).unwrap(), Executions::new(7).unwrap());
        assert!((0..50).all(|number| first.text(number) == second.text(number)));
        assert!((0..50).any(|number| first.text(number) != first.text(number + 1)));
    }
}
