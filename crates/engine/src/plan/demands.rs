//! What a tool demands before it runs: a person's yes, other tools, a pace, and that the site works.

use std::time::Duration;

use actions_manifest::model::{self, Availability, ConfirmDemand, LimitScope};
use serde::Serialize;

use super::Planner;

/// What a tool demands before it runs, as its map says under `x_actions`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Demands {
    /// What it does to the site, in the word of the map: `read`, `write`, `destructive`, `irreversible`, or another.
    pub effect: Option<String>,
    /// What it needs of a person.
    pub confirm: ConfirmNeed,
    /// Why.
    pub reasons: Vec<String>,
    /// How often it may be called in a session.
    pub limits: Vec<CallLimit>,
    /// The tools that must have succeeded in the session before.
    pub depends_on: Vec<String>,
    /// What the site said of it when its map was made.
    pub standing: SiteStanding,
}

/// What a call needs of a person before it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmNeed {
    /// Nothing.
    #[default]
    Never,
    /// A yes, which can be given for all tools in advance.
    Recommended,
    /// A yes to this very tool.
    Mandatory,
}

/// What a site said of an action when its map was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteStanding {
    /// It works.
    #[default]
    Available,
    /// It does not work well.
    Degraded,
    /// The site does not work.
    Unavailable,
}

/// How often a tool may be called in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallLimit {
    /// What is counted: tools with the same name here are counted together.
    pub counted: String,
    /// How many calls.
    pub count: usize,
    /// Within which time.
    pub per: Duration,
}

impl Demands {
    pub(super) fn plan(planner: &Planner<'_>, tool: &model::Tool, name: &str) -> Self {
        let Some(x_actions) = tool.x_actions.as_ref() else { return Self::default() };
        let site = planner.part_manifest().and_then(|manifest| manifest.surface());
        let site = site.and_then(|surface| surface.origin.as_ref()).map(|origin| origin.as_str());
        let site = site.unwrap_or_else(|| planner.part.document().source().name());
        let limits = x_actions.limits.iter().map(|limit| CallLimit {
            counted: match limit.scope {
                LimitScope::Action => format!("action {name}"),
                LimitScope::Site => format!("site {site}"),
            },
            count: usize::try_from(limit.count.0).unwrap_or(usize::MAX),
            per: Duration::from_millis(limit.per_ms.0),
        });
        Self {
            effect: x_actions.effect.as_ref().map(|effect| effect.value.clone()),
            confirm: match x_actions.confirm.as_ref().map(|confirm| confirm.value) {
                None | Some(ConfirmDemand::Never) => ConfirmNeed::Never,
                Some(ConfirmDemand::Recommended) => ConfirmNeed::Recommended,
                Some(ConfirmDemand::Mandatory) => ConfirmNeed::Mandatory,
            },
            reasons: x_actions.confirm_reasons.clone(),
            limits: limits.collect(),
            depends_on: x_actions.depends_on.iter().map(|tool| planner.exposed_name(tool.as_str())).collect(),
            standing: match x_actions.availability {
                None | Some(Availability::Available) => SiteStanding::Available,
                Some(Availability::Degraded) => SiteStanding::Degraded,
                Some(Availability::Unavailable) => SiteStanding::Unavailable,
            },
        }
    }
}
