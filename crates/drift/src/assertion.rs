//! The assertions of declared checks.

use actions_engine::{CallError, ErrorCode, Session, StateOptions, target_locator};
use actions_expr::Budget;
use actions_manifest::CheckedManifest;
use actions_manifest::model::{self, TargetReference};
use actions_manifest::url_matches;
use actions_primitives::{Asked, Failure, Locator, Sighting};
use serde_json::{Map, Value, json};

/// A declared check that is ready to be made.
#[derive(Debug)]
pub(crate) struct Check<'m> {
    pub(crate) item: &'m model::Check,
    pub(crate) id: String,
    pub(crate) pointer: String,
    pub(crate) assertions: Vec<Assertion<'m>>,
}

/// One thing that must hold.
#[derive(Debug)]
pub(crate) struct Assertion<'m> {
    item: &'m model::Assertion,
    /// The target it is about, with what the target says of the page.
    target: Option<&'m model::Target>,
    locator: Option<Locator>,
    /// Where it stands in the map, from the root.
    pub(crate) pointer: String,
    /// Where the target that it is about stands.
    pub(crate) target_pointer: Option<String>,
}

/// Why an assertion does not hold.
#[derive(Debug)]
pub(crate) struct Unmet {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) evidence: Map<String, Value>,
}

impl Unmet {
    fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), evidence: Map::new() }
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.evidence.insert(key.to_owned(), value.into());
        self
    }
}

/// The declared checks of a map; those of imported maps are made with them.
pub(crate) fn checks(manifest: &CheckedManifest) -> Vec<Check<'_>> {
    let root = manifest.root();
    let document = manifest.document();
    let check = |item: &'_ model::Check| -> (String, String) {
        (item.id.value.to_string(), document.node(item.at).pointer())
    };
    root.checks
        .iter()
        .map(|item| {
            let (id, pointer) = check(item);
            let assertions = item.assertions.iter().map(|item| assertion(manifest, item)).collect();
            Check { item, id, pointer, assertions }
        })
        .collect()
}

fn assertion<'m>(manifest: &'m CheckedManifest, item: &'m model::Assertion) -> Assertion<'m> {
    let root = manifest.root();
    let of_tool = |name: &str| {
        root.tools.iter().find(|tool| tool.name.value.as_str() == name).and_then(|tool| tool.target.as_ref())
    };
    let of_attachment =
        |name: &str| root.attachments.iter().find(|one| one.id.value.as_str() == name).map(|one| &one.target);
    let target = match (&item.target, &item.tool, &item.attachment) {
        (Some(TargetReference::Inline(target)), ..) => Some(&**target),
        (Some(TargetReference::Named(name)), ..) => {
            of_tool(&name.value).or_else(|| of_attachment(&name.value))
        }
        (None, Some(tool), _) => of_tool(&tool.value),
        (None, None, Some(attachment)) => of_attachment(&attachment.value),
        (None, None, None) => None,
    };
    let pointer_of = |at| manifest.document().node(at).pointer();
    Assertion {
        item,
        target,
        locator: target.and_then(target_locator),
        pointer: pointer_of(item.at),
        target_pointer: target.map(|target| pointer_of(target.at)),
    }
}

impl<'m> Assertion<'m> {
    /// What it asks the page.
    pub(crate) fn question(&self) -> Option<Asked<'_>> {
        let attribute = self.item.attribute.as_ref().map(|attribute| attribute.name.as_str());
        self.locator.as_ref().map(|locator| Asked { locator, attribute })
    }

    /// Whether it needs its element to be on the page.
    pub(crate) fn wants_element(&self) -> bool {
        let absent = self.item.hidden == Some(true)
            || self.item.visible == Some(false)
            || self.item.exists == Some(false)
            || self.item.max_count.is_some_and(|most| most.0 == 0)
            || self.item.count.is_some_and(|count| count.0 == 0);
        self.locator.is_some() && !absent
    }

    /// The projection it reads.
    pub(crate) fn projection(&self) -> Option<&'m str> {
        self.item.projection.as_ref().map(|name| name.value.as_str())
    }

    /// Whether it holds, by what the page answered. Expressions are evaluated by [`Assertion::projected`].
    pub(crate) fn judge(
        &self,
        url: &str,
        current: &[String],
        seen: Option<&Result<Sighting, Failure>>,
    ) -> Result<(), Unmet> {
        self.at(url)?;
        let target_state = self.target.and_then(|target| target.state.as_ref());
        for state in [self.item.state.as_ref(), target_state].into_iter().flatten() {
            if !current.contains(&state.value) {
                let message = format!("the state `{}` is not current", state.value);
                return Err(Unmet::new(ErrorCode::StateMismatch, message).with("current", current.to_vec()));
            }
        }
        match seen {
            None => Ok(()),
            Some(Ok(sighting)) => self.element(sighting),
            Some(Err(failure)) => Err(Unmet {
                code: failure.code,
                message: failure.message.clone(),
                evidence: failure.evidence.clone(),
            }),
        }
    }

    fn at(&self, url: &str) -> Result<(), Unmet> {
        let of = |contains: Option<&String>, matches: Option<&model::UrlPatterns>| {
            contains.is_none_or(|part| url.contains(part.as_str()))
                && matches.is_none_or(|patterns| {
                    patterns.0.is_empty() || patterns.0.iter().any(|pattern| url_matches(&pattern.value, url))
                })
        };
        let own = of(self.item.url_contains.as_ref(), self.item.url_matches.as_ref());
        let target =
            self.target.is_none_or(|target| of(target.url_contains.as_ref(), target.url_matches.as_ref()));
        if own && target {
            return Ok(());
        }
        let wanted = self.item.url_contains.as_deref();
        let wanted = wanted.map_or_else(String::new, |part| format!("; `{part}` should be in it"));
        Err(Unmet::new(ErrorCode::StateMismatch, format!("the page is at {url}{wanted}")).with("url", url))
    }

    fn element(&self, seen: &Sighting) -> Result<(), Unmet> {
        let item = self.item;
        let what = self.named();
        let counts = |unmet: Unmet| unmet.with("matched", seen.attached).with("rendered", seen.rendered);
        let fail = |code, message: String| Err(counts(Unmet::new(code, message)));
        if item.hidden == Some(true) || item.visible == Some(false) {
            return match seen.rendered {
                0 => Ok(()),
                _ => fail(ErrorCode::DriftDetected, format!("{what} is visible, and should be hidden")),
            };
        }
        if item.exists == Some(false) {
            return match seen.attached {
                0 => Ok(()),
                _ => fail(ErrorCode::DriftDetected, format!("{what} is there, and should not be")),
            };
        }
        let counted = if item.visible == Some(true) { seen.rendered } else { seen.attached };
        let exact = item.count.map(|count| count.0);
        let least = exact.or(item.min_count.map(|count| count.0));
        let most = exact.or(item.max_count.map(|count| count.0));
        if least.is_some() || most.is_some() {
            if least.is_some_and(|least| counted < least) || most.is_some_and(|most| counted > most) {
                let bounds = match (least, most) {
                    (Some(least), Some(most)) if least == most => format!("{least}"),
                    (Some(least), Some(most)) => format!("{least} to {most}"),
                    (Some(least), None) => format!("at least {least}"),
                    (None, most) => format!("at most {}", most.unwrap_or_default()),
                };
                let code = if counted == 0 { ErrorCode::TargetNotFound } else { ErrorCode::DriftDetected };
                return fail(code, format!("{counted} elements match {what}; {bounds} should"));
            }
            if counted == 0 {
                return Ok(());
            }
        }
        if seen.attached == 0 {
            return fail(ErrorCode::TargetNotFound, format!("nothing on the page matches {what}"));
        }
        if item.visible == Some(true) && seen.rendered == 0 {
            return fail(ErrorCode::TargetNotActionable, format!("{what} is there, but not visible"));
        }
        let Some(first) = &seen.first else { return Ok(()) };
        if let Some(enabled) = item.enabled.filter(|enabled| *enabled != first.enabled) {
            let (is, should) = if enabled { ("disabled", "enabled") } else { ("enabled", "disabled") };
            return fail(ErrorCode::DriftDetected, format!("{what} is {is}, and should be {should}"));
        }
        let texts = [(item.text_equals.as_deref(), true), (item.text_contains.as_deref(), false)];
        for (wanted, whole) in texts.into_iter().filter_map(|(text, whole)| Some((text?, whole))) {
            let is = |text: &str| if whole { text == wanted } else { text.contains(wanted) };
            if !is(&first.text) && !is(&first.name) {
                let relation = if whole { "is" } else { "contains" };
                let message =
                    format!("the text of {what} is not what it should be: it {relation} not `{wanted}`");
                return Err(
                    counts(Unmet::new(ErrorCode::DriftDetected, message)).with("text", cut(&first.text))
                );
            }
        }
        self.attribute(seen)
    }

    fn attribute(&self, seen: &Sighting) -> Result<(), Unmet> {
        let Some(wanted) = &self.item.attribute else { return Ok(()) };
        let what = self.named();
        let Some(value) = &seen.attribute else {
            let message = format!("{what} has no attribute `{}`", wanted.name);
            return Err(Unmet::new(ErrorCode::DriftDetected, message));
        };
        let holds = wanted.equals.as_ref().is_none_or(|equals| value == equals)
            && wanted.contains.as_ref().is_none_or(|part| value.contains(part.as_str()));
        if holds {
            return Ok(());
        }
        let message = format!("the attribute `{}` of {what} has another value", wanted.name);
        Err(Unmet::new(ErrorCode::DriftDetected, message).with("value", cut(value)))
    }

    /// Whether the projection can be read, fits its schema, and makes the expression true.
    pub(crate) async fn projected(&self, session: &Session) -> Result<Option<Value>, Unmet> {
        let Some(name) = self.projection() else { return Ok(None) };
        let reading = session.read_state(name, StateOptions::default()).await;
        let reading = reading.map_err(|error: CallError| Unmet {
            code: error.code,
            message: error.message.clone(),
            evidence: error.evidence.clone(),
        })?;
        let Some(code) = &self.item.expression else { return Ok(Some(reading.state)) };
        let scope = json!({ "state": reading.state, "url": reading.observation.url });
        let expression = &code.0.expression;
        let value = expression.evaluate(&scope, &Budget::default()).map_err(|error| {
            Unmet::new(ErrorCode::ExpressionEvaluationFailed, format!("the expression failed: {error}"))
        })?;
        match value.is_truthy() {
            true => Ok(Some(reading.state)),
            false => {
                let message =
                    format!("`{}` is not true of the projection `{name}`", expression.source().trim());
                Err(Unmet::new(ErrorCode::DriftDetected, message))
            }
        }
    }

    /// The element in words.
    fn named(&self) -> String {
        let Some(target) = self.target else { return "the element".to_owned() };
        let selector = target.selector.as_ref().map(|selector| selector.value.as_str());
        match (selector, &target.role, &target.name) {
            (Some(selector), ..) => format!("`{selector}`"),
            (None, Some(role), Some(name)) => format!("the {} `{name}`", role.value),
            (None, Some(role), None) => format!("a {}", role.value),
            _ => "the element".to_owned(),
        }
    }
}

/// The start of a text of the page.
fn cut(text: &str) -> String {
    text.chars().take(200).collect()
}
