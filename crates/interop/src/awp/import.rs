//! Translates a whole `agent.json`.

use std::collections::BTreeSet;

use actions_engine::browser::origin_of;
use actions_manifest::Finding;
use actions_manifest::document::{Document, Node};

use super::action::{Around, translate};
use super::check;
use super::endpoint::site_of;
use crate::document::{ImportError, Source, Wishes};
use crate::record::{ImportedSite, LeftOut, namespace_of};

/// The most hints that become context of the map.
const MOST_HINTS: usize = 20;

/// Makes records of the actions of an `agent.json`.
pub fn import(source: &Source, wishes: &Wishes) -> Result<(ImportedSite, Vec<Finding>), ImportError> {
    let (document, findings) = check(&source.name, &source.bytes, wishes.profile);
    let Some(document) = document else {
        return Err(ImportError::Invalid { name: source.name.clone(), findings });
    };
    let site = site(source, wishes, &document)?;
    Ok((site, findings))
}

fn site(source: &Source, wishes: &Wishes, document: &Document) -> Result<ImportedSite, ImportError> {
    let root = document.root();
    let text = |key: &str| root.get(key).and_then(Node::as_str);
    let synthetic = text("source") == Some("synthetic");
    if synthetic && !wishes.allow_synthetic {
        return Err(ImportError::Synthetic { name: source.name.clone() });
    }
    let domain = text("domain").unwrap_or_default();
    // An intermediary serves the document from a place of its own.
    let fetched_from = source.url.as_ref().filter(|_| !synthetic);
    let Some(site) = site_of(root, fetched_from) else {
        return Err(ImportError::OtherSite { name: source.name.clone(), domain: domain.to_owned() });
    };
    let around = Around { root, site: &site, synthetic, strict_results: wishes.strict_results };
    let (mut actions, mut left_out, mut origins) = (Vec::new(), Vec::new(), BTreeSet::new());
    for action in root.get("actions").into_iter().flat_map(Node::elements) {
        let Some(id) = action.get("id").and_then(Node::as_str) else { continue };
        match translate(&around, action, id) {
            Ok((mut imported, address)) => {
                origins.extend(origin_of(&address).filter(|origin| *origin != site.origin));
                imported.depends_on = needs(root, id);
                actions.push(imported);
            }
            Err(reason) => left_out.push(LeftOut { id: id.to_owned(), reason }),
        }
    }
    let version = text("awp_version").unwrap_or("0");
    let mut provenance = source.provenance("awp", version);
    provenance.synthetic = synthetic;
    provenance.confidence =
        root.get("confidence").and_then(Node::as_number).and_then(|number| number.as_f64());
    let hint = |(name, value): (&str, Node<'_>)| {
        let text = value.as_str().map_or_else(|| value.to_value().to_string(), str::to_owned);
        (name.to_owned(), text)
    };
    Ok(ImportedSite {
        namespace: namespace_of(&site.origin),
        origin: site.origin.clone(),
        more_origins: origins.into_iter().collect(),
        name: None,
        description: text("intent").map(str::to_owned),
        hints: root
            .get("agent_hints")
            .into_iter()
            .flat_map(Node::members)
            .take(MOST_HINTS)
            .map(hint)
            .collect(),
        actions,
        left_out,
        provenance,
    })
}

/// The ids of the actions that must have succeeded before this one.
fn needs(root: Node<'_>, id: &str) -> Vec<String> {
    let needs = root.get("dependencies").and_then(|dependencies| dependencies.get(id));
    let ids = needs.into_iter().flat_map(Node::elements).filter_map(Node::as_str);
    ids.filter(|needed| *needed != id).map(str::to_owned).collect()
}
