//! Translates a whole catalogue of actions.

use std::collections::BTreeSet;

use actions_engine::browser::origin_of;
use actions_manifest::Finding;
use serde_json::{Map, Value, json};
use url::Url;

use super::action::Action;
use super::page;
use super::read::{Catalogue, read};
use super::request::{self, Need, field_name};
use crate::document::{ImportError, Prefer, Refused, Site, Source, Wishes, names_in};
use crate::record::{Confirm, Effect, ImportedAction, ImportedSite, LeftOut, PolicyKey, namespace_of, plain};

/// Makes records of the actions of a catalogue.
pub fn import(source: &Source, wishes: &Wishes) -> Result<(ImportedSite, Vec<Finding>), ImportError> {
    let (catalogue, _, findings) = read(&source.name, &source.bytes, wishes.profile);
    let Some(catalogue) = catalogue else {
        return Err(ImportError::Invalid { name: source.name.clone(), findings });
    };
    let site = site_of(source, &catalogue)?;
    let (mut actions, mut left_out, mut origins) = (Vec::new(), Vec::new(), BTreeSet::new());
    for action in &catalogue.actions {
        match translate(action, &catalogue, &site, wishes) {
            Ok((imported, url)) => {
                origins.extend(origin_of(&url).filter(|origin| *origin != site.origin));
                actions.push(imported);
            }
            Err(reason) => left_out.push(LeftOut { id: action.id.clone(), reason }),
        }
    }
    let imported = ImportedSite {
        namespace: namespace_of(&site.origin),
        origin: site.origin.clone(),
        more_origins: origins.into_iter().collect(),
        name: catalogue.name.clone(),
        description: catalogue.description.clone(),
        hints: Vec::new(),
        actions,
        left_out,
        provenance: source.provenance("awas", catalogue.dialect.as_str()),
    };
    Ok((imported, findings))
}

/// The site of a catalogue: where it was fetched, or what its base says. A base elsewhere is not the site's to name.
fn site_of(source: &Source, catalogue: &Catalogue) -> Result<Site, ImportError> {
    let base = catalogue.base.as_deref().and_then(|base| Url::parse(base).ok()).and_then(Site::at);
    let first = || catalogue.actions.iter().find_map(|action| Url::parse(&action.place).ok());
    match (&source.url, base) {
        (Some(from), Some(base)) if base.may_be_served_by(from) => Ok(base),
        (Some(_), Some(base)) => {
            Err(ImportError::OtherSite { name: source.name.clone(), domain: base.origin })
        }
        (Some(from), None) => {
            let mut own = from.clone();
            own.set_path("");
            own.set_query(None);
            Site::at(own).ok_or_else(|| ImportError::NoSite { name: source.name.clone() })
        }
        (None, Some(base)) => Ok(base),
        // A file without a base belongs to the site of its first absolute address.
        (None, None) => {
            let own = first().map(|mut url| {
                url.set_path("");
                url.set_query(None);
                url
            });
            own.and_then(Site::at).ok_or_else(|| ImportError::NoSite { name: source.name.clone() })
        }
    }
}

/// Translates an action, with the address it is called at; or says why it cannot be called.
fn translate(
    action: &Action,
    catalogue: &Catalogue,
    site: &Site,
    wishes: &Wishes,
) -> Result<(ImportedAction, String), String> {
    let url = site.resolve(&action.place).map_err(|refused| match refused {
        Refused::Unreadable => format!("its address `{}` cannot be read", plain(&action.place)),
        Refused::Foreign(host) => {
            format!("its address is at `{}`, which is not of this site (cross_origin_denied)", plain(&host))
        }
    })?;
    let has_selectors = action.parameters.iter().any(|one| one.selector.is_some()) || action.shown.is_some();
    // A field of the form is known to a request only if its selector names it.
    let names_are_known =
        action.parameters.iter().all(|one| one.selector.is_none() || field_name(one).is_some());
    let in_page = match wishes.prefer {
        Some(Prefer::Http) => action.navigates || !names_are_known,
        Some(Prefer::Browser) => true,
        None => action.navigates || has_selectors,
    };
    let need = need(action, catalogue);
    let mut imported = match in_page {
        true => by_page(action, &url)?,
        false => by_request(action, catalogue, &url, need)?,
    };
    imported.title = action.name.clone();
    imported.description = action.description.clone().or_else(|| action.name.clone()).unwrap_or_default();
    imported.effect = action.effect;
    imported.strict_result = wishes.strict_results;
    imported.limits = catalogue.limits.iter().chain(&action.limits).copied().collect();
    imported.more = action.more.iter().map(|(key, value)| (key.clone(), bounded(value))).collect();
    if need != Need::None {
        imported
            .more
            .insert("auth".to_owned(), json!(if need == Need::Required { "required" } else { "optional" }));
    }
    if action.effect >= Effect::Destructive {
        imported.demand(Confirm::Recommended, "the site says that it changes or removes data");
    }
    if action.kind.as_deref() == Some("search") {
        imported.policy_keys.push(PolicyKey { group: "action", key: "search", how: "derived" });
    }
    Ok((imported, url))
}

fn need(action: &Action, catalogue: &Catalogue) -> Need {
    match action.needs_auth {
        Some(true) => Need::Required,
        Some(false) => Need::None,
        None if catalogue.optional_for.contains(&action.id) => Need::Optional,
        None if catalogue.needs_auth => Need::Required,
        None => Need::None,
    }
}

fn by_page(action: &Action, url: &str) -> Result<ImportedAction, String> {
    if !names_in(url).is_empty() {
        return Err("its address has names in it, and is opened in the page".to_owned());
    }
    let in_page = page::write(action, url)?;
    let mut imported = ImportedAction::new(&action.id, in_page.workflow);
    imported.helpers = in_page.helpers;
    imported.input_schema = input_schema(action, &[], in_page.inputs);
    imported.result_schema = action.shown.as_ref().map(super::result::Shown::schema);
    Ok(imported)
}

fn by_request(
    action: &Action,
    catalogue: &Catalogue,
    url: &str,
    need: Need,
) -> Result<ImportedAction, String> {
    let (workflow, in_path) = request::write(action, catalogue.dialect, url, need)?;
    let mut imported = ImportedAction::new(&action.id, workflow);
    imported.input_schema = input_schema(action, &in_path, Map::new());
    imported.result_schema = action.output_schema.clone();
    Ok(imported)
}

/// The schema of the arguments: what the parameters and the schema of the document ask for, together.
fn input_schema(action: &Action, in_path: &[String], more: Map<String, Value>) -> Value {
    let declared = action.input_schema.clone().unwrap_or_else(|| json!({}));
    let mut properties = declared["properties"].as_object().cloned().unwrap_or_default();
    let names = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let mut required: BTreeSet<String> = names(&declared["required"]).into_iter().collect();
    for parameter in &action.parameters {
        properties.entry(parameter.name.clone()).or_insert_with(|| parameter.schema.clone());
        if parameter.required {
            required.insert(parameter.name.clone());
        }
    }
    for name in in_path {
        properties.entry(name.clone()).or_insert_with(|| json!({ "type": "string" }));
        required.insert(name.clone());
    }
    // What has a default need not be given.
    required.retain(|name| properties.get(name).is_some_and(|schema| schema.get("default").is_none()));
    properties.extend(more);
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    for key in ["$defs", "definitions"] {
        if let Some(definitions) = declared.get(key) {
            schema[key] = definitions.clone();
        }
    }
    schema
}

/// A value of the document for reviewers, without long texts.
fn bounded(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(plain(text)),
        Value::Array(items) => items.iter().take(20).map(bounded).collect(),
        Value::Bool(_) | Value::Number(_) | Value::Null => value.clone(),
        Value::Object(_) => json!(plain(&value.to_string())),
    }
}
