//! What a site publishes, fetched from its well-known places and made into maps.

use std::time::Duration;

use actions_engine::{CallError, ErrorCode, Timestamp};
use actions_manifest::Finding;
use serde_json::Value;
use url::Url;

use super::{ImportError, Imported, Source, Wishes, import as import_document};
use crate::classify::{System, classify};
use crate::fetch::{Client, FetchError, Response};

/// Where sites publish documents, in the order of preference of their systems. The content decides what a document is.
const PLACES: &[(System, &[&str])] = &[
    (System::Actions, &["/actions.json", "/.well-known/actions.json"]),
    (System::Wab, &["/agent-bridge.json", "/.well-known/wab.json"]),
    (System::Awp, &["/agent.json", "/.well-known/agent.json"]),
    (System::Awas, &["/.well-known/ai-actions.json"]),
];
/// The entry points of AWAS for agents that speak MCP or A2A, and the members that name its catalogue.
const ENTRY_POINTS: &[(&str, &str)] = &[
    ("/.well-known/mcp-manifest.json", "/endpoints/actions"),
    ("/.well-known/a2a-manifest.json", "/endpoints/actions_registry"),
];
/// How long a document is kept whose headers say nothing.
const KEPT: Duration = Duration::from_secs(300);

/// A map that a site publishes, or that was made of a document of it.
#[derive(Clone, Debug)]
pub struct Published {
    /// The system of the document.
    pub system: System,
    /// The address of the document.
    pub name: String,
    /// The map.
    pub map: Value,
}

/// Why nothing came of what a site publishes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The address cannot be read.
    #[error("`{address}` is not an address of the web")]
    NotAnAddress {
        /// The address.
        address: String,
    },
    /// The site does not answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The address answers with an error.
    #[error("{url} answered with status {status}")]
    Status {
        /// The address.
        url: String,
        /// The status.
        status: u16,
    },
    /// The document does not become a map.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The site publishes nothing that is known.
    #[error("{origin} publishes nothing for agents that becomes a map")]
    Nothing {
        /// The site.
        origin: String,
    },
    /// The time is over.
    #[error("the site did not answer within {limit:?}")]
    TimedOut {
        /// The time it had.
        limit: Duration,
    },
}

impl LiveError {
    /// Everything that is wrong with the document, if that is why.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Import(error) => error.findings(),
            _ => &[],
        }
    }
}

impl From<&LiveError> for CallError {
    fn from(error: &LiveError) -> Self {
        let code = match error {
            LiveError::NotAnAddress { .. } => ErrorCode::WrongUsage,
            LiveError::Fetch(error) => return error.into(),
            LiveError::Import(error) => return error.into(),
            LiveError::Status { .. } | LiveError::Nothing { .. } => ErrorCode::ManifestNotFound,
            LiveError::TimedOut { .. } => ErrorCode::HandlerTimeout,
        };
        CallError::new(code, error.to_string())
    }
}

/// Makes a map of the document at an address. If that is the page of a site, the documents that the site publishes are tried.
pub async fn import(client: &Client, address: &str, wishes: &Wishes) -> Result<Imported, LiveError> {
    let url = web(address)?;
    let response = client.document(&url, KEPT).await?;
    if response.is_success() && serde_json::from_slice::<Value>(&response.body).is_ok() {
        return Ok(import_document(&source(&response), wishes)?);
    }
    if !response.is_success() && url.path() != "/" {
        return Err(LiveError::Status { url: url.to_string(), status: response.status });
    }
    let mut refused = None;
    for (system, response) in documents(client, &url).await? {
        if system == System::Actions || wishes.system.is_some_and(|wanted| wanted != system) {
            continue;
        }
        match import_document(&source(&response), wishes) {
            Ok(imported) => return Ok(imported),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    Err(refused
        .map_or_else(|| LiveError::Nothing { origin: url.origin().ascii_serialization() }, LiveError::Import))
}

/// The maps of what a site publishes, in the order of preference. What does not become a map is passed over.
pub async fn maps(client: &Client, address: &str, wishes: &Wishes) -> Result<Vec<Published>, LiveError> {
    let url = web(address)?;
    let mut maps = Vec::new();
    for (system, response) in documents(client, &url).await? {
        let name = response.url.to_string();
        let map = match system {
            System::Actions => serde_json::from_slice(&response.body).ok(),
            _ => import_document(&source(&response), wishes).ok().map(|imported| imported.map),
        };
        maps.extend(map.map(|map| Published { system, name, map }));
    }
    Ok(maps)
}

fn web(address: &str) -> Result<Url, LiveError> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    url.ok_or_else(|| LiveError::NotAnAddress { address: address.to_owned() })
}

fn source(response: &Response) -> Source {
    Source {
        fetched_at: Some(Timestamp::from_unix_millis(response.fetched_at).to_string()),
        etag: response.header("etag").map(str::to_owned),
        ..Source::fetched(response.url.clone(), response.body.clone())
    }
}

/// The documents of a site: of each system the first place that has one. The error is that of the site if it answers nothing.
async fn documents(client: &Client, url: &Url) -> Result<Vec<(System, Response)>, LiveError> {
    let fetches = PLACES.iter().map(|(system, places)| async move {
        let mut failed = None;
        for place in *places {
            match at(client, url, place).await {
                Ok(Some((found, response))) if found == *system => return Ok(Some((found, response))),
                Ok(_) => {}
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(None), Err)
    });
    let entries = ENTRY_POINTS.iter().map(|(place, member)| entry_point(client, url, place, member));
    let (found, entries) = futures_util::future::join(
        futures_util::future::join_all(fetches),
        futures_util::future::join_all(entries),
    )
    .await;
    let mut documents = Vec::new();
    let mut failed = None;
    for one in found {
        match one {
            Ok(one) => documents.extend(one),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // A catalogue that only an entry point names is used if the usual place has none.
    if !documents.iter().any(|(system, _)| *system == System::Awas) {
        documents.extend(entries.into_iter().flatten().next());
    }
    match (documents.is_empty(), failed) {
        (true, Some(error)) => Err(error.into()),
        _ => Ok(documents),
    }
}

/// The document at a place of a site, with its system.
async fn at(client: &Client, url: &Url, place: &str) -> Result<Option<(System, Response)>, FetchError> {
    let Ok(address) = url.join(place) else { return Ok(None) };
    let response = client.document(&address, KEPT).await?;
    // A document that a redirect brought from another site does not speak for this one.
    if !response.is_success() || response.url.origin() != url.origin() {
        return Ok(None);
    }
    let value: Option<Value> = serde_json::from_slice(&response.body).ok();
    let system = value.and_then(|value| classify(&value).system);
    Ok(system.map(|system| (system, Response::clone(&response))))
}

/// The catalogue that an entry point names, if it is of the same site.
async fn entry_point(client: &Client, url: &Url, place: &str, member: &str) -> Option<(System, Response)> {
    let (_, response) = at(client, url, place).await.ok()??;
    let value: Value = serde_json::from_slice(&response.body).ok()?;
    let named = url.join(value.pointer(member)?.as_str()?).ok()?;
    if named.origin() != url.origin() {
        return None;
    }
    let found = at(client, &named, named.path()).await.ok()??;
    (found.0 == System::Awas).then_some(found)
}
