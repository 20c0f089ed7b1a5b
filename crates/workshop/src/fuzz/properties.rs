//! A table of properties that hold for the result of validating any text.

use actions_manifest::{Finding, Severity, Validation};
use jsonschema::Validator;

use crate::fuzz::place::range_of;
use crate::fuzz::plain_json::PlainJson;

/// One text and its results.
pub(crate) struct Case<'c> {
    /// The bytes that were validated.
    pub(crate) bytes: &'c [u8],
    /// The same bytes as another reader understands them; absent when that one does not take them for JSON.
    pub(crate) json: Option<&'c PlainJson>,
    /// The result under the strict profile.
    pub(crate) strict: &'c Validation,
    /// The result under the lenient profile.
    pub(crate) lenient: &'c Validation,
    /// The JSON Schema for editors.
    pub(crate) schema: &'c Validator,
}

/// Something that is true of every result.
pub(crate) struct Property {
    /// What is true, as the beginning of a sentence about a breach.
    pub(crate) name: &'static str,
    /// The evidence against it in this case, if it does not hold.
    pub(crate) breach: fn(&Case<'_>) -> Option<String>,
}

/// Every property, the simplest first.
pub(crate) const PROPERTIES: &[Property] = &[
    Property { name: "a map is given out exactly when no finding is an error", breach: accepted_or_refused },
    Property { name: "a finding has a message, and no empty help", breach: says_something },
    Property { name: "a finding stands in the text", breach: stands_in_the_text },
    Property { name: "a pointer leads to a place in the document", breach: pointer_leads_somewhere },
    Property { name: "a pointer and a position mean the same place", breach: pointer_and_position_agree },
    Property { name: "JSON is what another reader takes for JSON", breach: reads_json },
    Property { name: "what the JSON Schema refuses is refused", breach: schema_refuses_nothing_more },
    Property { name: "an error of shape is refused by the JSON Schema too", breach: schema_refuses_shapes },
    Property { name: "the lenient profile refuses no more than the strict one", breach: lenient_is_lenient },
    Property { name: "what is given out can be found by its name", breach: names_lead_to_things },
];

/// The codes of findings after which nothing is known of the document.
const UNREAD: &[&str] = &["J001", "J003", "J004", "J005", "J006"];

impl Case<'_> {
    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.strict.findings.iter().chain(&self.lenient.findings)
    }

    fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes).ok()
    }

    fn has(&self, code: &str) -> bool {
        self.strict.findings.iter().any(|finding| finding.rule.code == code)
    }
}

fn shown(finding: &Finding) -> String {
    format!("{} at {:?} {:?}: {}", finding.rule.code, finding.pointer, finding.span, finding.message)
}

fn accepted_or_refused(case: &Case<'_>) -> Option<String> {
    let wrong =
        |validation: &Validation| (validation.count(Severity::Error) == 0) != validation.manifest.is_some();
    match (wrong(case.strict), wrong(case.lenient)) {
        (true, _) => Some("under the strict profile it is not so".to_owned()),
        (_, true) => Some("under the lenient profile it is not so".to_owned()),
        _ => None,
    }
}

fn says_something(case: &Case<'_>) -> Option<String> {
    case.findings()
        .find(|finding| {
            finding.message.trim().is_empty()
                || finding.help.as_ref().is_some_and(|help| help.trim().is_empty())
                || finding.related.iter().any(|related| related.message.trim().is_empty())
        })
        .map(shown)
}

fn stands_in_the_text(case: &Case<'_>) -> Option<String> {
    let too_large = case.has("J005");
    case.findings()
        .find(|finding| {
            let related = finding.related.iter().map(|related| (&related.source, related.span));
            let places = std::iter::once((&finding.source, finding.span)).chain(related);
            places.into_iter().any(|(source, span)| {
                let text = source.text();
                let position = source.position(span.start);
                let line = text.split('\n').nth(position.line - 1);
                let inside = line.is_some_and(|line| position.column <= line.chars().count() + 1);
                let own = too_large || case.text().is_none_or(|bytes| bytes == text);
                !inside || !own || text.get(span.start..span.end).is_none()
            })
        })
        .map(shown)
}

fn pointer_leads_somewhere(case: &Case<'_>) -> Option<String> {
    case.findings()
        .find(|finding| match case.json {
            Some(json) if !UNREAD.contains(&finding.rule.code) => {
                json.value.pointer(&finding.pointer).is_none()
            }
            _ => !finding.pointer.is_empty(),
        })
        .map(shown)
}

fn pointer_and_position_agree(case: &Case<'_>) -> Option<String> {
    let text = case.text().filter(|_| case.json.is_some())?;
    case.findings()
        // The pointer of a repeated key leads to the first of the two, its position to the second.
        .filter(|finding| !UNREAD.contains(&finding.rule.code) && finding.rule.code != "J002")
        .find(|finding| {
            range_of(text, &finding.pointer)
                .is_some_and(|range| finding.span.start < range.start || finding.span.end > range.end)
        })
        .map(shown)
}

fn reads_json(case: &Case<'_>) -> Option<String> {
    // Size and depth are bounds of our own.
    if case.has("J005") || case.has("J006") {
        return None;
    }
    let ours = !case.strict.findings.iter().any(|finding| UNREAD.contains(&finding.rule.code));
    match (ours, case.json.is_some()) {
        (true, false) => {
            let error = serde_json::from_slice::<PlainJson>(case.bytes).err()?.to_string();
            (!error.contains("recursion limit")).then(|| format!("the other reader refuses it: {error}"))
        }
        (false, true) => Some(case.strict.findings.iter().map(shown).collect::<Vec<_>>().join("; ")),
        _ => None,
    }
}

fn schema_refuses_nothing_more(case: &Case<'_>) -> Option<String> {
    let json = case.json.filter(|_| case.strict.manifest.is_some())?;
    let error = case.schema.iter_errors(&json.value).next()?;
    Some(format!("the schema refuses {:?}: {error}", error.instance_path().as_str()))
}

fn schema_refuses_shapes(case: &Case<'_>) -> Option<String> {
    let json = case.json?;
    let shape = |finding: &&Finding| finding.rule.is_shape() && finding.severity == Severity::Error;
    let finding = case.strict.findings.iter().find(shape)?;
    case.schema.is_valid(&json.value).then(|| shown(finding))
}

fn lenient_is_lenient(case: &Case<'_>) -> Option<String> {
    let refused = case.strict.manifest.is_some() && case.lenient.manifest.is_none();
    refused.then(|| "the lenient profile refuses what the strict one accepts".to_owned())
}

fn names_lead_to_things(case: &Case<'_>) -> Option<String> {
    let manifest = case.strict.manifest.as_ref().or(case.lenient.manifest.as_ref())?;
    let tools = manifest.tools().all(|tool| manifest.tool(tool.name.as_str()).is_some());
    let states = manifest.states().all(|state| manifest.state(state.name.as_str()).is_some());
    let projections =
        manifest.projections().all(|projection| manifest.projection(projection.name.as_str()).is_some());
    (!(tools && states && projections)).then(|| "a name leads nowhere".to_owned())
}
