//! Where sites publish the documents of each system.

use std::time::Duration;

use crate::classify::System;

/// Where the documents of a system are, in the order in which they are asked for.
pub(super) struct Places {
    pub(super) system: System,
    pub(super) paths: &'static [&'static str],
    /// How long a document that does not say it is used.
    pub(super) life: Duration,
}

const HOUR: Duration = Duration::from_secs(3_600);
const FIVE_MINUTES: Duration = Duration::from_secs(300);

/// Where the documents of each system are. The first place of a system that has one of its documents ends its row.
/// Policies have rules of their own for that, and no row.
pub(super) static PLACES: &[Places] = &[
    Places {
        system: System::Actions,
        paths: &["/actions.json", "/.well-known/actions.json"],
        life: FIVE_MINUTES,
    },
    Places {
        system: System::Wab,
        paths: &["/agent-bridge.json", "/.well-known/wab.json"],
        life: FIVE_MINUTES,
    },
    Places { system: System::Awp, paths: &["/agent.json", "/.well-known/agent.json"], life: FIVE_MINUTES },
    Places { system: System::Awas, paths: &["/.well-known/ai-actions.json"], life: HOUR },
    Places { system: System::McpManifest, paths: &["/.well-known/mcp-manifest.json"], life: HOUR },
    Places { system: System::A2aManifest, paths: &["/.well-known/a2a-manifest.json"], life: HOUR },
];

/// How long documents of a system are used that do not say it.
pub(super) fn life(system: System) -> Duration {
    PLACES.iter().find(|places| places.system == system).map_or(HOUR, |places| places.life)
}
