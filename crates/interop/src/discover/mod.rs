//! What a site publishes for agents: every place is asked at once, and what is there is known by its content.

mod artefact;
mod look;
mod place;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use url::Url;

use crate::a2wf::{self, ObtainOptions, SitePolicy, State};
use crate::classify::System;
use crate::fetch::Client;
use crate::html::{PageHints, hints};
use crate::robots::Robots;

pub use artefact::{Artefact, Status};
use look::{Look, chain, pointed};

/// How a site is explored.
#[derive(Clone, Debug, Default)]
pub struct DiscoverOptions {
    /// The systems that are looked for; all if empty.
    pub systems: BTreeSet<System>,
    /// How policies are read.
    pub policy: ObtainOptions,
}

/// What a site publishes for agents.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The origin.
    pub url: String,
    /// What was found at each place.
    pub artefacts: Vec<Artefact>,
    /// The policy of the site, if it was looked for.
    pub policy: Option<SitePolicy>,
}

impl Discovery {
    /// Whether something was found that can be used.
    pub fn is_usable(&self) -> bool {
        self.artefacts.iter().any(|artefact| artefact.status == Status::Ok)
    }

    /// Whether no place could be asked at all.
    pub fn is_unreachable(&self) -> bool {
        !self.artefacts.is_empty() && self.artefacts.iter().all(|one| one.status == Status::Unreachable)
    }

    /// The discovery as programs read it.
    pub fn to_json(&self) -> Value {
        let policy = self.policy.as_ref().map(SitePolicy::to_json);
        json!({ "url": self.url, "artefacts": self.artefacts, "policy": policy })
    }
}

/// Asks every place of a site where it may publish something for agents.
///
/// ```no_run
/// # async fn example() -> Result<(), actions_interop::fetch::FetchError> {
/// use actions_interop::discover::{DiscoverOptions, discover};
/// use actions_interop::fetch::Client;
/// use actions_interop::identity::Identity;
///
/// let client = Client::new(Identity::default())?;
/// let site = "https://example.com".parse().unwrap();
/// for artefact in discover(&client, &site, &DiscoverOptions::default()).await.artefacts {
///     println!("{} {} {:?}", artefact.system, artefact.url, artefact.status);
/// }
/// # Ok(())
/// # }
/// ```
pub async fn discover(client: &Client, site: &Url, options: &DiscoverOptions) -> Discovery {
    let origin = site.origin().ascii_serialization();
    let root = site.join("/").unwrap_or_else(|_| site.clone());
    let wants = |system: System| options.systems.is_empty() || options.systems.contains(&system);
    let wanted: Vec<&place::Places> = place::PLACES.iter().filter(|places| wants(places.system)).collect();
    let mut tasks = tokio::task::JoinSet::new();
    for (at, places) in wanted.into_iter().enumerate() {
        let (client, root) = (client.clone(), root.clone());
        tasks.spawn(async move { (at, places.system, chain(&client, &root, places).await) });
    }
    let policy = async {
        match wants(System::A2wf) {
            true => Some(a2wf::obtain(client, &origin, options.policy).await),
            false => None,
        }
    };
    let finished = async { tasks.join_all().await };
    let (mut rows, policy, home, robots) =
        tokio::join!(finished, policy, a2wf::home(client, &root), a2wf::robots(client, &root));
    rows.sort_by_key(|(at, ..)| *at);
    let rows: Vec<(System, Look)> = rows.into_iter().map(|(_, system, look)| (system, look)).collect();
    let page = home.as_ref().map(|page| hints(&page.text())).unwrap_or_default();
    let pointers = Pointers::of(&rows, &page, robots.as_deref());
    let mut artefacts = Vec::new();
    for (system, look) in rows {
        let is_found = look.artefacts.iter().any(|artefact| artefact.status == Status::Ok);
        artefacts.extend(look.artefacts);
        for place in pointers.of_system(system).into_iter().filter(|_| !is_found) {
            artefacts.push(pointed(client, &root, system, &place).await);
        }
    }
    artefacts.extend(policy.as_ref().map(policy_artefact));
    if wants(System::Webmcp) {
        artefacts.extend(webmcp(&root, &page));
    }
    if wants(System::Awas) && !page.marked_actions.is_empty() {
        note_marks(&mut artefacts, &page);
    }
    Discovery { url: origin, artefacts, policy }
}

/// Where the documents of a site say that others are.
struct Pointers {
    awas: Vec<String>,
    wab: Vec<String>,
}

/// The most places that are asked because a document named them.
const MOST_POINTED: usize = 3;

impl Pointers {
    fn of(rows: &[(System, Look)], page: &PageHints, robots: Option<&Robots>) -> Self {
        let entry_points = rows.iter().flat_map(|(_, look)| look.catalogues.iter().cloned());
        let comments = robots.into_iter().flat_map(|robots| robots.manifests.iter().cloned());
        let mut awas: Vec<String> =
            entry_points.chain(page.ai_actions.iter().cloned()).chain(comments).collect();
        let mut wab = page.wab.clone();
        for places in [&mut awas, &mut wab] {
            let mut seen = BTreeSet::new();
            places.retain(|place| seen.insert(place.clone()));
            places.truncate(MOST_POINTED);
        }
        Self { awas, wab }
    }

    fn of_system(&self, system: System) -> Vec<String> {
        match system {
            System::Awas => self.awas.clone(),
            System::Wab => self.wab.clone(),
            _ => Vec::new(),
        }
    }
}

/// The policy as a row of its own.
fn policy_artefact(policy: &SitePolicy) -> Artefact {
    let status = match policy.state {
        State::Valid | State::Insecure | State::Expired => Status::Ok,
        State::Absent => Status::Absent,
        State::Unavailable => Status::Unreachable,
        State::Invalid | State::CrossDomain => Status::Invalid,
    };
    let place = policy.url.as_ref().map(ToString::to_string);
    let place = place.unwrap_or_else(|| format!("{}/siteai.json", policy.origin));
    let mut artefact = Artefact::at(System::A2wf, place, status);
    artefact.version.clone_from(&policy.policy.version);
    artefact.warnings = policy.reason.iter().chain(&policy.warnings).cloned().collect();
    artefact
}

/// Tools of the page itself: forms that declare them can be counted, scripts cannot.
fn webmcp(root: &Url, page: &PageHints) -> Option<Artefact> {
    let forms = page.webmcp_forms.len();
    if forms == 0 && !page.mentions_webmcp {
        return None;
    }
    let mut artefact = Artefact::at(System::Webmcp, root.as_str(), Status::Ok);
    artefact.tools = (forms > 0).then_some(forms);
    if page.mentions_webmcp {
        artefact = artefact
            .warn("a script of the page speaks of WebMCP; its tools are known once the page has loaded");
    }
    Some(artefact)
}

/// Says on the row of AWAS that elements of the home page name actions.
fn note_marks(artefacts: &mut [Artefact], page: &PageHints) {
    let row = artefacts.iter_mut().find(|artefact| artefact.system == System::Awas);
    let names: Vec<&str> = page.marked_actions.iter().take(10).map(String::as_str).collect();
    if let Some(row) = row {
        row.warnings.push(format!("elements of the home page name actions: {}", names.join(", ")));
    }
}
