//! Chooses the one runtime that a call means.

use actions_engine::{CallError, ErrorCode};
use actions_protocol::{ActionCall, RuntimeId, RuntimeKey};
use serde_json::{Map, Value, json};

/// How a call says which runtime it means. All of it has to fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    ids: Vec<RuntimeId>,
    key: Option<RuntimeKey>,
    url: Option<String>,
    title: Option<String>,
}

/// A runtime as routing sees it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) runtime_id: RuntimeId,
    pub(crate) runtime_key: RuntimeKey,
    pub(crate) url: String,
    pub(crate) title: String,
    /// Whether it is the current page of its session.
    pub(crate) is_current: bool,
    /// Its session.
    pub(crate) session: String,
}

impl Wanted {
    /// The routing of a call; that within the arguments of `actions.site` counts too.
    pub(crate) fn of(call: &ActionCall) -> Self {
        let target = call.target.as_ref();
        let mut ids: Vec<RuntimeId> = Vec::new();
        ids.extend(call.runtime_id.clone());
        ids.extend(target.and_then(|target| target.runtime_id.clone()));
        ids.extend(call.target_runtime_id.clone());
        let mut wanted = Self {
            ids,
            key: target.and_then(|target| target.runtime_key.clone()),
            url: call.target_url_contains.clone(),
            title: call.target_title_contains.clone(),
        };
        if call.name == "actions.site" {
            wanted.add(&call.arguments);
        }
        wanted
    }

    /// Means one runtime.
    pub(crate) fn runtime(id: RuntimeId) -> Self {
        Self { ids: vec![id], ..Self::default() }
    }

    fn add(&mut self, arguments: &Map<String, Value>) {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        self.ids.extend(text("target_runtime_id").and_then(|id| RuntimeId::parse(id).ok()));
        if let Some(url) = text("target_url_contains") {
            self.url.get_or_insert_with(|| url.to_owned());
        }
    }

    fn is_anything(&self) -> bool {
        *self == Self::default()
    }

    fn fits(&self, candidate: &Candidate) -> bool {
        let contains = |text: &str, part: &Option<String>| {
            part.as_ref().is_none_or(|part| text.to_lowercase().contains(&part.to_lowercase()))
        };
        self.ids.iter().all(|id| *id == candidate.runtime_id)
            && self.key.as_ref().is_none_or(|key| *key == candidate.runtime_key)
            && contains(&candidate.url, &self.url)
            && contains(&candidate.title, &self.title)
    }

    /// The place of the one candidate that is meant. A call that names none means the current page of the only session.
    pub(crate) fn choose(&self, candidates: &[Candidate]) -> Result<usize, CallError> {
        let fitting = || candidates.iter().enumerate().filter(|(_, candidate)| self.fits(candidate));
        let mut found: Vec<usize> = fitting().map(|(at, _)| at).collect();
        let is_one_session = candidates.windows(2).all(|pair| pair[0].session == pair[1].session);
        if self.is_anything() && is_one_session && found.len() > 1 {
            found.retain(|at| candidates[*at].is_current);
        }
        let (code, message, shown): (_, _, Vec<&Candidate>) = match found.as_slice() {
            [at] => return Ok(*at),
            [] if candidates.is_empty() => {
                (ErrorCode::RuntimeNotFound, "no page is open".to_owned(), Vec::new())
            }
            [] => {
                let message = "no page fits what the call says of its runtime".to_owned();
                (ErrorCode::RuntimeNotFound, message, candidates.iter().collect())
            }
            several => {
                let message = format!("{} pages fit what the call says of its runtime", several.len());
                let shown = several.iter().map(|at| &candidates[*at]).collect();
                (ErrorCode::AmbiguousRuntime, message, shown)
            }
        };
        let described = |candidate: &&Candidate| {
            json!({
                "runtime_id": candidate.runtime_id, "runtime_key": candidate.runtime_key,
                "url": candidate.url, "title": candidate.title,
            })
        };
        let candidates: Vec<Value> = shown.iter().map(described).collect();
        Err(CallError::new(code, message)
            .with_evidence("candidates", candidates)
            .with_evidence("hint", "name one of the candidates by its `runtime_id`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: &str, url: &str, title: &str, is_current: bool) -> Candidate {
        Candidate {
            runtime_id: RuntimeId::parse(id).unwrap(),
            runtime_key: RuntimeKey::parse(&format!("page:{id}")).unwrap(),
            url: url.to_owned(),
            title: title.to_owned(),
            is_current,
            session: id.split('-').next().unwrap_or_default().to_owned(),
        }
    }

    fn pages() -> Vec<Candidate> {
        vec![
            candidate("a-1", "https://shop.example/", "Shop", false),
            candidate("a-2", "https://shop.example/cart", "Cart", true),
            candidate("a-3", "https://board.example/", "Board of Shop", false),
        ]
    }

    fn choose(call: Value, candidates: &[Candidate]) -> Result<usize, ErrorCode> {
        let mut whole = json!({ "call_id": "c", "name": "t", "arguments": {} });
        whole.as_object_mut().unwrap().extend(call.as_object().unwrap().clone());
        let call: ActionCall = serde_json::from_value(whole).unwrap();
        Wanted::of(&call).choose(candidates).map_err(|error| error.code)
    }

    #[test]
    fn every_way_of_routing_means_exactly_one_runtime_or_fails_with_candidates() {
        let table = [
            (json!({ "runtime_id": "a-1" }), Ok(0)),
            (json!({ "target": { "runtime_id": "a-3" } }), Ok(2)),
            (json!({ "target_runtime_id": "a-3" }), Ok(2)),
            (json!({ "target": { "runtime_key": "page:a-2" } }), Ok(1)),
            (json!({ "target_url_contains": "CART" }), Ok(1)),
            (json!({ "target_title_contains": "board" }), Ok(2)),
            (json!({ "target_url_contains": "shop", "target_title_contains": "cart" }), Ok(1)),
            (json!({}), Ok(1)),
            (json!({ "name": "actions.site", "arguments": { "target_runtime_id": "a-1" } }), Ok(0)),
            (json!({ "name": "actions.site", "arguments": { "target_url_contains": "board" } }), Ok(2)),
            (json!({ "target_url_contains": "shop" }), Err(ErrorCode::AmbiguousRuntime)),
            (json!({ "runtime_id": "a-1", "target_url_contains": "cart" }), Err(ErrorCode::RuntimeNotFound)),
            (json!({ "runtime_id": "a-1", "target_runtime_id": "a-2" }), Err(ErrorCode::RuntimeNotFound)),
            (json!({ "runtime_id": "a-9" }), Err(ErrorCode::RuntimeNotFound)),
        ];
        for (call, expected) in table {
            assert_eq!(choose(call.clone(), &pages()), expected, "{call}");
        }
    }

    #[test]
    fn a_call_that_names_no_runtime_is_ambiguous_when_there_are_several_sessions() {
        let mut pages = pages();
        pages.push(candidate("b-1", "https://mail.example/", "Mail", true));
        assert_eq!(choose(json!({}), &pages), Err(ErrorCode::AmbiguousRuntime));
        assert_eq!(choose(json!({}), &pages[3..]), Ok(0));
        assert_eq!(choose(json!({}), &[]), Err(ErrorCode::RuntimeNotFound));
    }
}
