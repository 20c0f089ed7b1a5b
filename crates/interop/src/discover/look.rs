//! Asks one place, or the places of one system in their order.

use serde_json::Value;
use url::Url;

use super::artefact::{Artefact, Status};
use super::place::{Places, life};
use crate::classify::{System, classify};
use crate::fetch::{Client, FetchError, Response};

/// What the places of a system had.
pub(super) struct Look {
    pub(super) artefacts: Vec<Artefact>,
    /// Where entry points say that the catalogue of actions is.
    pub(super) catalogues: Vec<String>,
}

/// Asks the places of a system in their order, up to the first that has one of its documents. Places with nothing are one
/// row, that of the first.
pub(super) async fn chain(client: &Client, root: &Url, places: &Places) -> Look {
    let mut artefacts: Vec<Artefact> = Vec::new();
    let mut catalogues = Vec::new();
    for path in places.paths {
        let Ok(url) = root.join(path) else { continue };
        let response = client.document(&url, places.life).await;
        if let Ok(response) = &response {
            catalogues.extend(catalogue(response));
        }
        let artefact = assess(places.system, root, &url, response);
        let (is_ok, says_nothing) = (artefact.status == Status::Ok, artefact.status == Status::Absent);
        if !says_nothing || artefacts.is_empty() {
            // A place with something tells more than an earlier one with nothing.
            artefacts.retain(|known| known.status != Status::Absent);
            artefacts.push(artefact);
        }
        if is_ok {
            break;
        }
    }
    Look { artefacts, catalogues }
}

/// Asks a place that another document of the site names. Another origin is not asked.
pub(super) async fn pointed(client: &Client, root: &Url, system: System, place: &str) -> Artefact {
    let shown: String = place.chars().take(200).collect();
    let Ok(url) = root.join(place) else {
        return Artefact::at(system, shown, Status::Invalid)
            .warn("a document names this place, and it is no address");
    };
    if url.origin() != root.origin() {
        let artefact = Artefact::at(system, shown, Status::NotThisSystem);
        return artefact.warn("a document names this place; it is on another origin and was not asked");
    }
    let response = client.document(&url, life(system)).await;
    let artefact = assess(system, root, &url, response);
    match artefact.status {
        Status::Absent => artefact.warn("a document names this place, and there is nothing"),
        _ => artefact,
    }
}

/// Where an entry point says that the catalogue is.
fn catalogue(response: &Response) -> Option<String> {
    if !response.is_success() {
        return None;
    }
    let document: Value = serde_json::from_slice(&response.body).ok()?;
    let endpoints = document.get("endpoints")?;
    let place = endpoints.get("actions").or_else(|| endpoints.get("actions_registry"))?;
    place.as_str().filter(|place| place.len() <= 2_048).map(str::to_owned)
}

/// What a response is, when a document of a system was asked for.
fn assess(
    system: System,
    root: &Url,
    url: &Url,
    response: Result<std::sync::Arc<Response>, FetchError>,
) -> Artefact {
    let response = match response {
        Ok(response) => response,
        Err(error) => {
            let status = match error {
                FetchError::TooLarge { .. } | FetchError::Encoding { .. } => Status::Invalid,
                _ => Status::Unreachable,
            };
            return Artefact::at(system, url.as_str(), status).warn(format!("{}: {error}", error.code()));
        }
    };
    match response.status {
        200..300 => {}
        404 | 410 => return Artefact::at(system, url.as_str(), Status::Absent),
        500.. => {
            let artefact = Artefact::at(system, url.as_str(), Status::Unreachable);
            return artefact.warn(format!("HTTP {}", response.status));
        }
        status => {
            return Artefact::at(system, url.as_str(), Status::Absent).warn(format!("HTTP {status}"));
        }
    }
    let artefact = document(system, url, &response);
    if response.url.origin() == root.origin() {
        return artefact;
    }
    let elsewhere = response.url.origin().ascii_serialization();
    artefact.warn(format!("the site redirects to {elsewhere} for it"))
}

fn document(system: System, url: &Url, response: &Response) -> Artefact {
    let first = response.body.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'<') {
        // Many sites answer every address with a page.
        return Artefact::at(system, url.as_str(), Status::Absent);
    }
    let parsed: Value = match serde_json::from_slice(&response.body) {
        Ok(parsed) => parsed,
        Err(error) => {
            let artefact = Artefact::at(system, url.as_str(), Status::Invalid);
            return artefact.warn(format!("not JSON: line {}, column {}", error.line(), error.column()));
        }
    };
    let classified = classify(&parsed);
    let is_it = classified.system == Some(system);
    let mut artefact =
        Artefact::at(system, url.as_str(), if is_it { Status::Ok } else { Status::NotThisSystem });
    if is_it {
        artefact.version = classified.version;
        artefact.tools = classified.tools;
    } else if let Some(other) = classified.system {
        artefact = artefact.warn(format!("this is a document of {other}"));
    }
    let artefact = classified.note.into_iter().fold(artefact, Artefact::warn);
    let is_json =
        response.content_type().is_some_and(|found| found == "application/json" || found.ends_with("+json"));
    match is_json {
        true => artefact,
        false => artefact.warn("it does not come as application/json"),
    }
}
