//! The functions of JSONata that fall back on the context.

/// The functions that take the context as their first argument, with the number of arguments from which they do not.
const CONTEXT_FUNCTIONS: &[(&str, usize)] = &[
    ("abs", 1),
    ("base64decode", 1),
    ("base64encode", 1),
    ("boolean", 1),
    ("ceil", 1),
    ("clone", 1),
    ("contains", 2),
    ("decodeUrl", 1),
    ("decodeUrlComponent", 1),
    ("each", 2),
    ("encodeUrl", 1),
    ("encodeUrlComponent", 1),
    ("floor", 1),
    ("formatBase", 1),
    ("formatInteger", 2),
    ("formatNumber", 2),
    ("fromMillis", 1),
    ("keys", 1),
    ("length", 1),
    ("lookup", 2),
    ("lowercase", 1),
    ("match", 2),
    ("not", 1),
    ("number", 1),
    ("pad", 2),
    ("parseInteger", 2),
    ("power", 2),
    ("replace", 3),
    ("round", 1),
    ("sift", 2),
    ("split", 2),
    ("spread", 1),
    ("sqrt", 1),
    ("string", 1),
    ("substring", 2),
    ("substringAfter", 2),
    ("substringBefore", 2),
    ("toMillis", 1),
    ("trim", 1),
    ("uppercase", 1),
];

/// Tells whether `$name` called with this many arguments works on the context.
pub(super) fn takes_context(name: &str, arguments: usize) -> bool {
    CONTEXT_FUNCTIONS.iter().any(|(known, enough)| *known == name && arguments < *enough)
}
