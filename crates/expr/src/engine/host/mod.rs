//! The functions of JSONata that we do ourselves, and the guards around those that the engine does.
//!
//! Some are here because the engine's differ from jsonata.js, some because the engine's cannot be interrupted and their
//! cost is not bounded by their arguments, and those with regular expressions because the engine compiles a pattern
//! anew at every call.

mod arguments;
mod base64;
mod distinct;
mod format_number;
mod groups;
pub(super) mod guard;
mod integer;
mod javascript;
mod keys;
mod matching;
mod number;
mod range;
mod rounding;
mod spread;
mod text;
mod twins;
mod url;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use jsonata_core::evaluator::{Evaluator, EvaluatorError};
use jsonata_core::value::JValue;
use regex::Regex;

use super::meter::Meter;
use arguments::Arguments;

/// What a call of a host function gives.
type Outcome = Result<JValue, EvaluatorError>;

/// Stands before the names of our functions. No name of an expression may start with it.
pub(crate) const PREFIX: char = 'ǃ';

/// A function of ours.
pub(super) struct HostFunction {
    /// Its name, without the prefix. A function that replaces one of JSONata has the same name.
    pub(super) name: &'static str,
    /// The most arguments it takes. More in a call are left to the engine to refuse.
    pub(super) max_arguments: usize,
    /// With fewer arguments than this the context is the first argument.
    pub(super) without_context: usize,
    call: fn(&Runtime, Arguments<'_>) -> Outcome,
}

/// What the functions of one evaluation share.
pub(super) struct Runtime {
    pub(super) meter: Meter,
    pub(super) patterns: Arc<[Pattern]>,
    /// The first ends of the ranges whose last end is still to come.
    pub(super) open_ranges: RefCell<Vec<JValue>>,
}

/// A regular expression of an expression, compiled once.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The translated pattern, by which it is found.
    pub(super) source: String,
    pub(super) flags: String,
    pub(super) regex: Regex,
}

/// The functions that stand in for JSONata's own wherever those are named.
pub(super) const REPLACEMENTS: &[HostFunction] = &[
    function("trim", 1, 1, text::trim),
    function("substring", 3, 2, text::substring),
    function("join", 2, 0, text::join),
    function("number", 1, 1, number::number),
    function("round", 2, 1, rounding::round),
    function("formatBase", 2, 1, rounding::format_base),
    function("formatInteger", 2, 2, integer::format),
    function("parseInteger", 2, 2, integer::parse),
    function("formatNumber", 3, 2, format_number::format_number),
    function("reverse", 1, 0, text::reverse),
    function("keys", 1, 1, keys::keys),
    function("spread", 1, 1, spread::spread),
    function("clone", 1, 1, text::clone),
    function("distinct", 1, 0, distinct::distinct),
    function("base64encode", 1, 1, base64::encode),
    function("base64decode", 1, 1, base64::decode),
    function("encodeUrl", 1, 1, url::encode_url),
    function("encodeUrlComponent", 1, 1, url::encode_url_component),
    function("decodeUrl", 1, 1, url::decode_url),
    function("decodeUrlComponent", 1, 1, url::decode_url_component),
];

/// The functions that stand in for JSONata's own where neither pattern nor replacement is a function.
pub(super) const MATCHING: &[HostFunction] = &[
    function("contains", 2, 2, matching::contains),
    function("match", 3, 2, matching::matches),
    function("split", 3, 2, matching::split),
    function("replace", 4, 3, matching::replace),
];

/// The functions that look at a value on its way and hand it on.
pub(super) const GUARDS: &[HostFunction] = &[
    function("build", 1, 0, guard::build),
    function("keep", 1, 0, guard::keep),
    function("step", usize::MAX, 0, guard::step),
    function("width", 1, 0, guard::width),
    function("picture", 1, 0, guard::picture),
    function("listed", 1, 0, guard::listed),
    function("millis", 1, 0, guard::millis),
    function("timezone", 1, 0, guard::timezone),
    function("left", 1, 0, guard::left),
    function("right", 1, 0, guard::right),
    function("negated", 1, 0, guard::negated),
    function("truth", 1, 0, guard::truth),
    function("written", 1, 0, guard::written),
    function("twinned", 1, 0, twins::twinned),
    function("untwinned", 1, 0, twins::untwinned),
    function("from", 1, 0, range::from),
    function("to", 2, 0, range::to),
];

const fn function(
    name: &'static str,
    max_arguments: usize,
    without_context: usize,
    call: fn(&Runtime, Arguments<'_>) -> Outcome,
) -> HostFunction {
    HostFunction { name, max_arguments, without_context, call }
}

/// Makes the functions of these names known to an evaluator.
pub(super) fn register(evaluator: &mut Evaluator, names: &[&'static str], runtime: &Rc<Runtime>) {
    for function in [REPLACEMENTS, MATCHING, GUARDS].into_iter().flatten() {
        if !names.contains(&function.name) {
            continue;
        }
        let runtime = Rc::clone(runtime);
        // Only the names of the engine's own functions are refused, and none of those starts with the prefix.
        let _ = evaluator.register_fn(format!("{PREFIX}{}", function.name), move |values: &[JValue]| {
            (function.call)(&runtime, Arguments { function: function.name, values })
        });
    }
}
