//! The functions that maps may not use.

use actions_protocol::ErrorCode;

use crate::engine::PREFIX;
use crate::syntax::{Kind, Literal, Node};
use crate::{CompileError, Place};

/// The functions that maps may not use, with what to do instead.
///
/// A map must mean the same every time it is run, so that a run can be repeated and checked. `$shuffle` is here beside
/// the four that the format names because it is as random as `$random`. Refused is also a `$toMillis` that would
/// fill in the missing parts of a date from the clock.
pub const FORBIDDEN_FUNCTIONS: &[(&str, &str)] = &[
    ("eval", "write the expression out; text is never run as code"),
    ("random", "take the value from the caller: input.<name>"),
    ("shuffle", "keep the order, or sort with $sort or ^(…)"),
    ("now", "take the time from the caller: input.<name>"),
    ("millis", "take the time from the caller: input.<name>"),
];

/// Refuses a tree that refers to a forbidden function: called, passed on, bound to another name or applied in part.
///
/// The names are reserved altogether: they cannot be bound to something else either.
pub(crate) fn check(node: &Node) -> Result<(), CompileError> {
    let mut found = None;
    visit(node, &mut found);
    found.map_or(Ok(()), Err)
}

/// The entry of the table for a function.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    FORBIDDEN_FUNCTIONS.iter().copied().find(|(forbidden, _)| *forbidden == name)
}

pub(crate) fn refuse(name: &str, hint: &str, place: Place) -> CompileError {
    CompileError {
        code: ErrorCode::DisallowedExpressionFunction,
        jsonata_code: None,
        place,
        message: format!("maps may not use `${name}`"),
        hint: Some(hint.to_owned()),
    }
}

fn visit(node: &Node, found: &mut Option<CompileError>) {
    let bound: &[String] = match &node.kind {
        Kind::Variable(name) | Kind::Bind { name, .. } | Kind::Focus(_, name) | Kind::Index(_, name) => {
            std::slice::from_ref(name)
        }
        Kind::Lambda { parameters, .. } => parameters,
        Kind::Call { callee, arguments } => {
            check_to_millis(callee, arguments, found);
            &[]
        }
        _ => &[],
    };
    for (name, hint) in bound.iter().filter_map(|name| find(name)) {
        found.get_or_insert_with(|| refuse(name, hint, node.place));
    }
    if let Some(name) = bound.iter().find(|name| name.starts_with(PREFIX)) {
        found.get_or_insert_with(|| refuse(name, "names that start like this are reserved", node.place));
    }
    if found.is_none() {
        node.each_child(&mut |child| crate::syntax::grow(|| visit(child, found)));
    }
}

/// A picture without a year takes the year, and what else is missing before its first part, from the clock.
fn check_to_millis(callee: &Node, arguments: &[Node], found: &mut Option<CompileError>) {
    let (Kind::Variable(name), [_, picture, ..]) = (&callee.kind, arguments) else {
        return;
    };
    if name != "toMillis" {
        return;
    }
    let hint = match &picture.kind {
        Kind::Literal(Literal::String(text)) if text.contains("[Y") || text.contains("[X") => return,
        Kind::Literal(_) => "give the picture a year, [Y]; without it the date of the day is filled in",
        _ => "write the picture as a string, so that it can be checked for a year",
    };
    found.get_or_insert_with(|| CompileError {
        message: "`$toMillis` may not fill in a date from the clock".to_owned(),
        ..refuse(name, hint, picture.place)
    });
}

#[cfg(test)]
mod tests {
    use crate::Expression;

    /// The text a refusal points at, or nothing if the source is allowed.
    fn refused(source: &str) -> Option<&str> {
        let error = Expression::compile(source).err()?;
        assert_eq!(error.code().as_str(), "disallowed_expression_function", "{source}: {error}");
        Some(&source[error.offset()..error.offset() + error.len()])
    }

    #[test]
    fn a_forbidden_function_is_found_however_it_is_referred_to() {
        for (source, text) in [
            ("$now()", "$now"),
            ("$millis() - 1", "$millis"),
            ("$eval('1')", "$eval"),
            ("$random()", "$random"),
            ("$shuffle([1, 2])", "$shuffle"),
            ("$map([1], $eval)", "$eval"),
            ("($f := $now; $f())", "$now"),
            ("$eval(?, 1)", "$eval"),
            ("'1' ~> $eval", "$eval"),
            ("'1' ~> $eval()", "$eval"),
            ("[1..3].{'a': $random()}", "$random"),
            ("input.list[$random() > 0.5]", "$random"),
            ("function($x) { $now() }(1)", "$now"),
            ("input ~> |a|{'b': $millis()}|", "$millis"),
            ("a{b: $now()}", "$now"),
            ("a^($random())", "$random"),
        ] {
            assert_eq!(refused(source), Some(text), "{source}");
        }
    }

    #[test]
    fn the_names_are_reserved() {
        assert_eq!(refused("($now := 1; 2)"), Some("$now := 1"));
        assert_eq!(refused("function($eval) { 1 }"), Some("function($eval) { 1 }"));
    }

    #[test]
    fn text_fields_and_other_variables_are_not_functions() {
        for source in [
            "'$eval(1)'",
            "\"$now()\"",
            "now",
            "input.eval",
            "$nowhere",
            "$Eval",
            "`$now`",
            "/$now/",
            "/* $now() */ 1",
            "$$now",
        ] {
            assert_eq!(refused(source), None, "{source}");
        }
    }

    #[test]
    fn a_date_is_not_filled_in_from_the_clock() {
        assert_eq!(refused("$toMillis('10:30', '[H]:[m]')"), Some("'[H]:[m]'"));
        assert_eq!(refused("$toMillis(input.a, input.b)"), Some("input.b"));
        assert_eq!(refused("$toMillis('2020-01-02')"), None);
        assert_eq!(refused("$toMillis('2020 1', '[Y] [M]')"), None);
    }
}
