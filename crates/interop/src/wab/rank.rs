//! Compares sites that offer the same, by what a person wants of them and never by who they are.
//!
//! The engine itself does not choose between sites. An agent that does can use this: the weights are those of the protocol,
//! every part of the result is shown, and the name, the size and the commission of a site have no weight.

use serde::Serialize;

/// How well a site fits a request: each part from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Fit {
    /// How well its commands fit what is asked for.
    pub relevance: f64,
    /// How near it is.
    pub proximity: f64,
    /// How much of the request its commands cover.
    pub depth: f64,
    /// How complete and correct its documents are.
    pub quality: f64,
    /// How recently they were checked.
    pub freshness: f64,
}

/// A site that was compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// Its origin.
    pub origin: String,
    /// Its score, from 0 to 100.
    pub score: f64,
    /// The parts of its score.
    pub fit: Fit,
    /// The commission that it says it pays, to be shown to people.
    pub commission: Option<String>,
}

/// The weight of each part.
const WEIGHTS: [f64; 5] = [40.0, 20.0, 15.0, 15.0, 10.0];

impl Fit {
    /// The score, from 0 to 100.
    pub fn score(self) -> f64 {
        let parts = [self.relevance, self.proximity, self.depth, self.quality, self.freshness];
        let part = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 };
        parts.into_iter().zip(WEIGHTS).map(|(value, weight)| part(value) * weight).sum()
    }
}

/// Orders sites by their score, the best one first. Sites of one score stand in the order of their origins, so that the order
/// in which they were found has no weight either.
///
/// ```
/// use actions_interop::wab::rank::{Fit, rank};
///
/// let near = Fit { relevance: 0.9, proximity: 1.0, ..Fit::default() };
/// let far = Fit { relevance: 0.9, proximity: 0.1, ..Fit::default() };
/// let ranked = rank([("https://far.example".to_owned(), far, None), ("https://near.example".to_owned(), near, None)]);
/// assert_eq!(ranked[0].origin, "https://near.example");
/// assert_eq!(ranked[0].score, 56.0);
/// ```
pub fn rank(sites: impl IntoIterator<Item = (String, Fit, Option<String>)>) -> Vec<Ranked> {
    let ranked = |(origin, fit, commission): (String, Fit, Option<String>)| Ranked {
        origin,
        score: fit.score(),
        fit,
        commission,
    };
    let mut ranked: Vec<Ranked> = sites.into_iter().map(ranked).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.origin.cmp(&b.origin)));
    ranked
}
