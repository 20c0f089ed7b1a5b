//! Resources: maps, prompts, context, states, pictures, recordings and the dictionary.

use std::time::Duration;

use actions_dictionary::Dictionary;
use actions_engine::browser::{Deadline, Screenshot};
use actions_engine::{ByteLimit, CallError, ErrorCode, Failure, Millis, SiteAnswer, StateOptions};
use rmcp::RoleServer;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use crate::address::{Address, Kind};
use crate::answer::untrusted_meta;
use crate::catalogue::Catalogue;
use crate::client::Client;
use crate::prompts::prose;
use crate::recording;
use crate::shared::{Place, Shared};
use crate::site::brief;
use crate::versions::handle;

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// How long a picture may take.
const PICTURE: Duration = Duration::from_secs(10);

/// The largest width and height of a picture.
const PICTURE_SIZE: u32 = 1_280;

/// How large a state may be that is read as a resource. A client has asked for all of it.
pub(crate) const WHOLE: ByteLimit = ByteLimit(3 << 20);

/// How long a look at the page for its context may take.
const LOOK: Millis = Millis(5_000);

/// The resources of a server. Those of one page stand there with the current page in mind.
pub(crate) fn list(shared: &Shared) -> Vec<Resource> {
    let catalogue = shared.catalogue();
    let mut all: Vec<Resource> = Vec::new();
    let mut add = |uri: String, name: String, kind: &str, description: Option<String>| {
        let resource = Resource::new(uri, name).with_mime_type(kind);
        all.push(description.into_iter().fold(resource, Resource::with_description));
    };
    for map in catalogue.maps() {
        let slug = &map.slug;
        add(format!("actions://map/{slug}"), format!("map {slug}"), JSON, None);
        if map.version.engine.manifest().root().prompt.is_some() {
            add(format!("actions://prompt/{slug}"), format!("prompt {slug}"), MARKDOWN, None);
        }
    }
    let about = "documentation that applies to the current page".to_owned();
    add("actions://context".to_owned(), "context".to_owned(), JSON, Some(about));
    for (name, description, summaries) in projections(&catalogue) {
        add(format!("actions://state/{name}"), format!("state {name}"), JSON, description);
        for summary in summaries {
            add(format!("actions://state/{name}/{summary}"), format!("{summary} of {name}"), JSON, None);
        }
        add(format!("actions://diff/{name}"), format!("changes of {name}"), JSON, None);
    }
    add("actions://picture".to_owned(), "picture of the page".to_owned(), "image/png", None);
    add("actions://dictionary".to_owned(), "primitives".to_owned(), JSON, None);
    for path in &shared.options.recordings {
        let Some(name) = recording::name(path) else { continue };
        add(format!("actions://recording/{name}"), format!("recording {name}"), JSON, None);
    }
    all
}

/// The kinds of resources that take something.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let table: &[(&str, &str, &str)] = &[
        ("actions://state/{projection}{?page}", "state", "the page as data, by a projection of its map"),
        (
            "actions://diff/{projection}{?page,since}",
            "changes",
            "what changed since the state with the hash `since`",
        ),
        ("actions://picture{?page}", "picture", "a picture of a page"),
        ("actions://dictionary/{primitive}", "primitive", "what a primitive takes and returns"),
        ("actions://result/{number}", "result", "a result that was too large for an answer"),
    ];
    let template = |(uri, name, description): &(&str, &str, &str)| {
        ResourceTemplate::new(*uri, *name).with_description(*description)
    };
    table.iter().map(template).collect()
}

/// The projections of all maps, each once, with their descriptions and the summaries that take nothing.
fn projections(catalogue: &Catalogue) -> Vec<(String, Option<String>, Vec<String>)> {
    let mut all: Vec<(String, Option<String>, Vec<String>)> = Vec::new();
    for map in catalogue.maps() {
        for projection in map.version.engine.manifest().projections() {
            let name = projection.name.to_string();
            if all.iter().any(|(known, ..)| *known == name) {
                continue;
            }
            let takes_nothing = |summary: &&actions_manifest::model::Summary| {
                let schema = summary.input_schema.as_ref().map(|schema| &schema.schema);
                schema.and_then(|schema| schema.get("required")).is_none_or(|required| *required == json!([]))
            };
            let summaries = projection.item.summaries.iter().filter(takes_nothing);
            let summaries = summaries.map(|summary| summary.name.to_string()).collect();
            all.push((name, projection.item.description.as_ref().map(|text| text.0.clone()), summaries));
        }
    }
    all
}

impl Client {
    /// Reads a resource. `None`: there is no such resource.
    pub(crate) async fn resource(
        &self,
        context: &RequestContext<RoleServer>,
        uri: &str,
    ) -> Result<Option<ResourceContents>, CallError> {
        let Some(address) = Address::parse(uri) else { return Ok(None) };
        let shared = &self.shared;
        let catalogue = shared.catalogue();
        let text = |kind: &str, text: String| ResourceContents::text(text, uri).with_mime_type(kind);
        let data = |value: Value| text(JSON, value.to_string());
        let untrusted = |value: Value| data(value).with_meta(untrusted_meta());
        let contents = match &address.kind {
            Kind::Map(slug) => catalogue.map(slug).map(|map| {
                let document = map.version.engine.manifest().document();
                text(JSON, document.source().text().to_owned())
            }),
            Kind::Prompt(slug) => catalogue
                .map(slug)
                .and_then(|map| map.version.engine.manifest().root().prompt.clone())
                .map(|prompt| text(MARKDOWN, prose(&prompt))),
            Kind::Dictionary => Some(data(dictionary())),
            Kind::Primitive(name) => Dictionary::builtin().get(name).map(|primitive| {
                data(json!({
                    "name": primitive.name, "summary": primitive.summary, "description": primitive.description,
                    "mutating": primitive.mutating, "input_schema": primitive.input_schema(),
                    "output_schema": primitive.output_schema(),
                }))
            }),
            Kind::Recording(name) => {
                let known = shared.options.recordings.iter().find(|path| recording::name(path) == Some(name));
                match known.cloned() {
                    None => None,
                    Some(path) => {
                        let read = tokio::task::spawn_blocking(move || recording::summary(&path)).await;
                        let read = read.map_err(|error| CallError::new(ErrorCode::InternalError, error.to_string()))?;
                        Some(untrusted(read?))
                    }
                }
            }
            Kind::Result(number) => {
                shared.large.get(*number).map(|value| text(JSON, value.to_string()).with_meta(untrusted_meta()))
            }
            Kind::Context => Some(data(applying(&self.at(context, &address).await?).await?)),
            Kind::State(projection) | Kind::Diff(projection) | Kind::Summary(projection, _)
                if !catalogue.has_projection(projection) =>
            {
                None
            }
            Kind::State(_) | Kind::Diff(_) | Kind::Summary(..) => {
                let place = self.at(context, &address).await?;
                Some(untrusted(state(shared, &place, &address).await?))
            }
            Kind::Picture => {
                let place = self.at(context, &address).await?;
                let picture = ResourceContents::blob(picture(&place).await?, uri).with_mime_type("image/png");
                Some(picture.with_meta(untrusted_meta()))
            }
        };
        Ok(contents)
    }

    async fn at(&self, context: &RequestContext<RoleServer>, address: &Address) -> Result<Place, CallError> {
        self.shared.place(&self.session_name(context), address.page.as_deref()).await
    }
}

/// The names of all primitives, with what they do in a sentence.
fn dictionary() -> Value {
    let rows = Dictionary::builtin().iter();
    rows.map(|primitive| (primitive.name.clone(), json!(primitive.summary)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// The documentation that applies to a page now.
pub(crate) async fn applying(place: &Place) -> Result<Value, CallError> {
    let lease = place.session.lease(&place.route).await?;
    let mut blocks: Vec<Value> = Vec::new();
    for view in place.session.views() {
        for block in view.on(lease.page_id()).context(None, Some(LOOK)).await? {
            let block = json!({ "id": block.id, "title": block.title, "body": block.body });
            if !blocks.contains(&block) {
                blocks.push(block);
            }
        }
    }
    Ok(json!({ "url": lease.page().url(), "context": blocks }))
}

/// The state of a page, a summary of it, or what changed in it.
async fn state(shared: &Shared, place: &Place, address: &Address) -> Result<Value, CallError> {
    let projection = address.projection().unwrap_or_default();
    let lease = place.session.lease_for_projection(projection, &place.route).await?;
    let options = StateOptions::default().max_bytes(WHOLE);
    match &address.kind {
        Kind::Summary(_, summary) => {
            let read = Box::pin(lease.summary(projection, summary, &json!({}), options)).await?;
            shared.versions.keep(&lease, projection);
            Ok(brief(SiteAnswer::Summary(read)))
        }
        Kind::Diff(_) => {
            let read = Box::pin(lease.peek_state(projection, options)).await?;
            shared.versions.keep_snapshot(&handle(&lease), read);
            let diff = shared.versions.diff(&handle(&lease), projection, address.since.as_deref());
            diff.map(|diff| brief(SiteAnswer::Diff(diff))).ok_or_else(|| {
                let message = "the state with this hash is not known any more";
                CallError::new(ErrorCode::InvalidInput, message)
                    .with_evidence("hint", "read the state, and ask for changes since its `state_hash`")
            })
        }
        _ => {
            let read = Box::pin(lease.read_state(projection, options)).await?;
            shared.versions.keep(&lease, projection);
            Ok(brief(SiteAnswer::State(read)))
        }
    }
}

/// A picture of a page, in base 64.
async fn picture(place: &Place) -> Result<String, CallError> {
    let lease = place.session.lease(&place.route).await?;
    let deadline = Deadline::after(&*lease.stage().clock(), PICTURE);
    let what =
        Screenshot { max_width: Some(PICTURE_SIZE), max_height: Some(PICTURE_SIZE), ..Screenshot::default() };
    let taken = lease.page().screenshot(what, deadline).await;
    let taken = taken.map_err(|error| CallError::from(Failure::from(error)))?;
    Ok(data_encoding::BASE64.encode(&taken))
}
