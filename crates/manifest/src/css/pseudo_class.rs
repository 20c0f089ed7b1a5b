//! The pseudo-classes that Chromium knows.

/// The pseudo-classes without arguments that Chromium knows.
const PLAIN: &[&str] = &[
    "-webkit-any-link",
    "-webkit-autofill",
    "-webkit-drag",
    "-webkit-full-page-media",
    "-webkit-full-screen",
    "-webkit-full-screen-ancestor",
    "active",
    "active-view-transition",
    "any-link",
    "autofill",
    "checked",
    "current",
    "default",
    "defined",
    "disabled",
    "empty",
    "enabled",
    "end",
    "first-child",
    "first-of-type",
    "focus",
    "focus-visible",
    "focus-within",
    "fullscreen",
    "future",
    "horizontal",
    "host",
    "hover",
    "in-range",
    "increment",
    "indeterminate",
    "interest-source",
    "interest-target",
    "invalid",
    "last-child",
    "last-of-type",
    "link",
    "modal",
    "no-button",
    "only-child",
    "only-of-type",
    "open",
    "optional",
    "out-of-range",
    "past",
    "picture-in-picture",
    "placeholder-shown",
    "popover-open",
    "read-only",
    "read-write",
    "required",
    "root",
    "scope",
    "single-button",
    "start",
    "target",
    "target-after",
    "target-before",
    "target-current",
    "user-invalid",
    "user-valid",
    "valid",
    "vertical",
    "visited",
    "window-inactive",
    "xr-overlay",
];

/// What stands in the brackets of a functional pseudo-class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// A list of selectors.
    List,
    /// A list of selectors without combinators.
    CompoundList,
    /// One selector without combinators.
    Compound,
    /// A list of selectors that may begin with a combinator.
    RelativeList,
    /// `2n+1`, `odd` or `even`.
    Nth,
    /// The same, perhaps with `of` and a list of selectors.
    NthOf,
    /// One name.
    Name,
    /// Names with commas between.
    Names,
}

/// The pseudo-classes with arguments that Chromium knows.
const FUNCTIONAL: &[(&str, Argument)] = &[
    ("-webkit-any", Argument::CompoundList),
    ("active-view-transition-type", Argument::Names),
    ("dir", Argument::Name),
    ("has", Argument::RelativeList),
    ("host", Argument::Compound),
    ("host-context", Argument::Compound),
    ("is", Argument::List),
    ("lang", Argument::Name),
    ("not", Argument::List),
    ("nth-child", Argument::NthOf),
    ("nth-last-child", Argument::NthOf),
    ("nth-last-of-type", Argument::Nth),
    ("nth-of-type", Argument::Nth),
    ("state", Argument::Name),
    ("where", Argument::List),
];

/// Pseudo-elements that may be written with one colon.
const OLD_PSEUDO_ELEMENTS: &[&str] = &["after", "before", "first-letter", "first-line"];

const BY_TEXT: &str = "give the text beside the selector, as `text_contains` or `text_equals`";
const BY_NUMBER: &str = "give the number beside the selector, as `nth`, counted from 0";
const BY_STATE: &str =
    "whether an element is visible is asked by `locator.wait_for` or a check, not by a selector";
const BY_TYPE: &str = "name the elements, such as `button, input[type='button']`";

/// Pseudo-classes of other tools, and what to write instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("any", "write `:is(…)`"),
    ("-moz-any", "write `:is(…)`"),
    ("matches", "write `:is(…)`"),
    ("contains", BY_TEXT),
    ("has-text", BY_TEXT),
    ("text", BY_TEXT),
    ("text-is", BY_TEXT),
    ("text-matches", BY_TEXT),
    ("eq", BY_NUMBER),
    ("first", BY_NUMBER),
    ("gt", BY_NUMBER),
    ("last", BY_NUMBER),
    ("lt", BY_NUMBER),
    ("nth", BY_NUMBER),
    ("nth-match", BY_NUMBER),
    ("even", "write `:nth-child(even)`"),
    ("odd", "write `:nth-child(odd)`"),
    ("hidden", BY_STATE),
    ("visible", BY_STATE),
    ("button", BY_TYPE),
    ("checkbox", BY_TYPE),
    ("header", BY_TYPE),
    ("input", BY_TYPE),
    ("radio", BY_TYPE),
    ("submit", BY_TYPE),
    ("parent", "write `:not(:empty)`"),
    ("selected", "write `:checked`"),
];

/// What is wrong with `:name`, or with `:name(…)` when there are arguments.
pub(super) struct Unknown {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// Accepts a pseudo-class without arguments.
pub(super) fn plain(name: &str) -> Result<(), Unknown> {
    let lower = name.to_ascii_lowercase();
    if PLAIN.contains(&lower.as_str()) {
        return Ok(());
    }
    if OLD_PSEUDO_ELEMENTS.contains(&lower.as_str()) {
        return Err(pseudo_element(name));
    }
    if functional_argument(&lower).is_some() {
        let message = format!("`:{name}` needs arguments");
        return Err(Unknown { message, help: Some(format!("write `:{name}(…)`")) });
    }
    Err(unknown(&lower, format!(":{name}")))
}

/// What a pseudo-class takes in its brackets.
pub(super) fn functional(name: &str) -> Result<Argument, Unknown> {
    let lower = name.to_ascii_lowercase();
    if let Some(argument) = functional_argument(&lower) {
        return Ok(argument);
    }
    if PLAIN.contains(&lower.as_str()) {
        return Err(Unknown { message: format!("`:{name}` takes no arguments"), help: None });
    }
    Err(unknown(&lower, format!(":{name}()")))
}

/// Says that a pseudo-element is no element.
pub(super) fn pseudo_element(name: &str) -> Unknown {
    Unknown {
        message: format!("`::{name}` is a pseudo-element: it can be drawn, but neither found nor acted on"),
        help: Some("select the element it belongs to".to_owned()),
    }
}

fn functional_argument(lower: &str) -> Option<Argument> {
    FUNCTIONAL.iter().find(|(known, _)| *known == lower).map(|(_, argument)| *argument)
}

fn unknown(lower: &str, shown: String) -> Unknown {
    let elsewhere = ELSEWHERE.iter().find(|(known, _)| *known == lower).map(|(_, help)| (*help).to_owned());
    let known: Vec<&str> = PLAIN.iter().copied().chain(FUNCTIONAL.iter().map(|(name, _)| *name)).collect();
    let near = || crate::lower::closest(lower, &known).map(|near| format!("did you mean `:{near}`?"));
    Unknown { message: format!("there is no pseudo-class `{shown}`"), help: elsewhere.or_else(near) }
}
