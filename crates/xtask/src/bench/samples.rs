//! Measured times and their statistics.

use serde_json::{Value, json};

/// Times of one thing in milliseconds.
#[derive(Default)]
pub(super) struct Samples(Vec<f64>);

impl Samples {
    pub(super) fn add(&mut self, ms: f64) {
        self.0.push(ms);
    }

    pub(super) fn median(&self) -> f64 {
        self.at(0.5)
    }

    pub(super) fn p95(&self) -> f64 {
        self.at(0.95)
    }

    /// The time this share of the samples stays within (nearest rank).
    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn to_json(&self) -> Value {
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        json!({
            "samples": self.0.len(),
            "min_ms": rounded(least),
            "median_ms": rounded(self.median()),
            "p95_ms": rounded(self.p95()),
        })
    }
}

/// Three digits after the point: a clock on a shared machine is no more precise.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::Samples;

    #[test]
    fn the_median_and_the_95th_percentile_are_samples() {
        let mut samples = Samples::default();
        (1..=100).rev().for_each(|ms| samples.add(f64::from(ms)));
        assert_eq!((samples.median(), samples.p95()), (50.0, 95.0));
    }
}
