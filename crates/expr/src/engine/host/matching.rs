//! `$contains`, `$match`, `$split` and `$replace`, with strings and regular expressions.

use std::rc::Rc;

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::{JMap, JValue};
use regex::{Captures, Regex};

use super::arguments::{Arguments, failed};
use super::{Outcome, Runtime};

/// What is looked for.
enum Pattern<'a> {
    Text(&'a str),
    Regex(&'a Regex),
}

pub(super) fn contains(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (Some(text), Some(pattern)) = (arguments.string(0)?, pattern(runtime, arguments)?) else {
        return Ok(JValue::Undefined);
    };
    Ok(JValue::Bool(match pattern {
        Pattern::Text(part) => text.contains(part),
        Pattern::Regex(regex) => regex.is_match(text),
    }))
}

pub(super) fn matches(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (text, pattern) = (arguments.string(0)?, pattern(runtime, arguments)?);
    let Some(text) = text else {
        return undefined(arguments);
    };
    let Some(Pattern::Regex(regex)) = pattern else {
        return Err(arguments.mismatch(1));
    };
    let limit = limit(
        arguments,
        2,
        "D3040: Third argument of the $match function must evaluate to a positive number",
    )?;
    let mut found = Vec::new();
    // JavaScript counts in units of UTF-16.
    let (mut index, mut counted) = (0, 0);
    each_match(runtime, regex, text, limit, |captures, start, end| {
        index += text[counted..start].encode_utf16().count();
        counted = start;
        let groups = captures
            .iter()
            .skip(1)
            .map(|group| group.map_or(JValue::Undefined, |group| group.as_str().into()));
        let groups: Vec<_> = groups.collect();
        runtime.meter.charge(200 + (end - start) * (1 + groups.len()))?;
        found.push(JValue::Object(Rc::new(JMap::from_iter([
            ("match".to_owned(), JValue::from(&text[start..end])),
            ("index".to_owned(), JValue::from(index)),
            ("groups".to_owned(), JValue::array(groups)),
        ]))));
        Ok(())
    })?;
    Ok(JValue::sequence(found))
}

pub(super) fn split(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (text, pattern) = (arguments.string(0)?, pattern(runtime, arguments)?);
    let Some(text) = text else {
        return undefined(arguments);
    };
    // Nothing fits in a limit of zero or in one that is not a number.
    if arguments.number(2)?.is_some_and(|limit| limit == 0.0 || limit.is_nan()) {
        return Ok(JValue::array(Vec::new()));
    }
    let Some(pattern) = pattern else {
        return Err(failed(
            "T1010: The matcher function argument passed to function $split is not a function",
        ));
    };
    // JavaScript makes the limit a number of 32 bits without a fraction, but only where it splits by a text.
    let whole = arguments.number(2)?.map_or(usize::MAX, |limit| limit.rem_euclid(4_294_967_296.0) as usize);
    let limit = limit(arguments, 2, "D3020: Third argument of split function must be a positive number")?;
    let mut parts = Vec::new();
    let mut push = |part: &str| {
        runtime.meter.charge(64 + part.len())?;
        parts.push(JValue::from(part));
        Ok::<_, EvaluatorError>(())
    };
    match pattern {
        Pattern::Text("") => {
            let mut buffer = [0; 4];
            text.chars().take(whole).try_for_each(|char| push(char.encode_utf8(&mut buffer)))?;
        }
        Pattern::Text(separator) => text.split(separator).take(whole).try_for_each(push)?,
        Pattern::Regex(regex) => {
            let (mut position, mut count) = (0, 0);
            each_match(runtime, regex, text, limit, |_, start, end| {
                push(&text[position..start])?;
                position = end;
                count += 1;
                Ok(())
            })?;
            if count < limit || count == 0 {
                push(&text[position..])?;
            }
        }
    }
    Ok(JValue::array(parts))
}

pub(super) fn replace(runtime: &Runtime, arguments: Arguments<'_>) -> Outcome {
    let (text, pattern) = (arguments.string(0)?, pattern(runtime, arguments)?);
    let Some(text) = text else {
        return undefined(arguments);
    };
    let Some(pattern) = pattern else {
        return Err(failed(
            "T1010: The matcher function argument passed to function $replace is not a function",
        ));
    };
    let Some(replacement) = arguments.string(2)? else {
        return Err(arguments.mismatch(2));
    };
    if matches!(pattern, Pattern::Text("")) {
        return Err(failed("D3010: Second argument of replace function cannot be an empty string"));
    }
    let limit =
        limit(arguments, 3, "D3011: Fourth argument of replace function must evaluate to a positive number")?;
    let mut replaced = String::new();
    let mut position = 0;
    let mut push = |part: &str| {
        runtime.meter.charge(part.len())?;
        replaced.push_str(part);
        Ok::<_, EvaluatorError>(())
    };
    match pattern {
        Pattern::Text(part) => {
            for (start, _) in text.match_indices(part).take(limit) {
                push(&text[position..start])?;
                push(replacement)?;
                position = start + part.len();
            }
        }
        Pattern::Regex(regex) => each_match(runtime, regex, text, limit, |captures, start, end| {
            push(&text[position..start])?;
            position = end;
            substitute(replacement, captures, &mut push)
        })?,
    }
    push(&text[position..])?;
    Ok(JValue::string(replaced))
}

/// Writes a replacement: `$0` is the whole match, `$1` a group, `$$` a dollar sign, any other `$` itself.
fn substitute(
    replacement: &str,
    captures: &Captures<'_>,
    push: &mut impl FnMut(&str) -> Result<(), EvaluatorError>,
) -> Result<(), EvaluatorError> {
    let groups = captures.len() - 1;
    // A group has as many digits as the last group has, or one less if there is no group of that number.
    let max_digits = groups.max(1).ilog10() as usize + 1;
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('$') {
        push(before)?;
        rest = after;
        if let Some(after) = rest.strip_prefix('$') {
            push("$")?;
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix('0') {
            push(captures.get(0).map_or("", |whole| whole.as_str()))?;
            rest = after;
            continue;
        }
        let digits = rest.bytes().take(max_digits).take_while(u8::is_ascii_digit).count();
        let number = |digits: usize| rest[..digits].parse::<usize>().unwrap_or(usize::MAX);
        let digits = if digits > 1 && number(digits) > groups { digits - 1 } else { digits };
        if digits == 0 {
            push("$")?;
            continue;
        }
        push(captures.get(number(digits)).map_or("", |group| group.as_str()))?;
        rest = &rest[digits..];
    }
    push(rest)
}

/// Calls `visit` with every match and its first and last byte, up to `limit` of them.
fn each_match<'t>(
    runtime: &Runtime,
    regex: &Regex,
    text: &'t str,
    limit: usize,
    mut visit: impl FnMut(&Captures<'t>, usize, usize) -> Result<(), EvaluatorError>,
) -> Result<(), EvaluatorError> {
    let mut position = 0;
    for count in 0..limit {
        if count > 0 && position >= text.len() {
            break;
        }
        // One match takes time in proportion to the text; only their number could make it long.
        runtime.meter.check_time()?;
        let Some(captures) = regex.captures_at(text, position) else {
            break;
        };
        let Some(whole) = captures.get(0) else {
            break;
        };
        if count > 0 && whole.is_empty() {
            return Err(failed("D1004: Regular expression matches zero length string"));
        }
        position = whole.end();
        visit(&captures, whole.start(), whole.end())?;
        if whole.is_empty() && position >= text.len() {
            break;
        }
    }
    Ok(())
}

/// The second argument.
fn pattern<'a>(
    runtime: &'a Runtime,
    arguments: Arguments<'a>,
) -> Result<Option<Pattern<'a>>, EvaluatorError> {
    match arguments.get(1) {
        JValue::Undefined => Ok(None),
        JValue::String(text) => Ok(Some(Pattern::Text(text))),
        JValue::Regex { pattern, flags } => {
            let known =
                runtime.patterns.iter().find(|known| *known.source == **pattern && *known.flags == **flags);
            // Every regular expression is a literal of this expression.
            known.map(|known| Some(Pattern::Regex(&known.regex))).ok_or_else(|| arguments.mismatch(1))
        }
        _ => Err(arguments.mismatch(1)),
    }
}

/// What a call without a text gives: the further arguments must still be of their types.
fn undefined(arguments: Arguments<'_>) -> Outcome {
    let last = match arguments.function {
        "replace" => {
            arguments.string(2)?;
            3
        }
        _ => 2,
    };
    arguments.number(last)?;
    Ok(JValue::Undefined)
}

/// How often at most; `message` is the error of a negative number.
fn limit(arguments: Arguments<'_>, index: usize, message: &str) -> Result<usize, EvaluatorError> {
    match arguments.number(index)? {
        None => Ok(usize::MAX),
        Some(limit) if limit < 0.0 => Err(failed(message)),
        // The casts saturate. A fraction counts as the next whole number, as `count < limit` does.
        Some(limit) => Ok(limit.ceil() as usize),
    }
}
