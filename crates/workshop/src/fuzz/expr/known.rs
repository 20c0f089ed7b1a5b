//! Differences that stay, each with its reason.

use serde_json::Value;

use super::Answer;

/// A difference that stays.
pub struct Known {
    /// What differs, in a sentence.
    pub difference: &'static str,
    /// Why it stays.
    pub reason: &'static str,
    /// An expression that shows it.
    pub example: &'static str,
    applies: fn(&Case<'_>) -> bool,
}

/// An expression and its two answers.
struct Case<'c> {
    source: &'c str,
    ours: &'c Answer,
    theirs: &'c Answer,
}

impl Case<'_> {
    fn our_code(&self, code: &str) -> bool {
        matches!(self.ours, Answer::Error(Some(ours)) if ours == code)
    }

    fn their_code(&self, code: &str) -> bool {
        matches!(self.theirs, Answer::Error(Some(theirs)) if theirs == code)
    }

    fn their_text_has(&self, part: &str) -> bool {
        matches!(self.theirs, Answer::Value(theirs) if theirs.to_string().contains(part))
    }

    fn has(&self, part: &str) -> bool {
        self.source.contains(part)
    }
}

/// Every difference that stays.
pub const KNOWN: &[Known] = &[
    Known {
        difference: "An expression beyond its budget is an error.",
        reason: "jsonata.js has no limits unless its caller sets them; a map must not take the memory and time of its host.",
        example: "$count([1..1000000])",
        applies: |case| {
            case.our_code("expression_budget_exceeded") || case.our_code("expression_output_too_large")
        },
    },
    Known {
        difference: "Where jsonata.js fails with an error of JavaScript itself, there is a value or undefined.",
        reason: "Such an error has no code and no meaning in JSONata: jsonata.js reads a property of null or sets one of a number.",
        example: "{'n': 1} ~> | n | {'x': 1} |",
        applies: |case| *case.theirs == Answer::Error(None) && !matches!(case.ours, Answer::Error(_)),
    },
    Known {
        difference: "In an object that the expression made itself, `*`, $each, $string and `&` see keys that are whole numbers where they were put.",
        reason: "JavaScript moves them to the front of any object. The engine keeps the order; results, $keys, $spread and what comes from the scope are put in order.",
        example: "$string({'b': 1, '2': 2, '1': 3})",
        applies: |case| match (case.ours, case.theirs) {
            (Answer::Value(ours), Answer::Value(theirs)) => {
                let sees_order = ["*", "$each(", "$string(", "&", "$sift("].iter().any(|part| case.has(part));
                sees_order && has_number_key(case.source) && unordered(ours) == unordered(theirs)
            }
            _ => false,
        },
    },
    Known {
        difference: "An array that is written out and then filtered or sorted can be followed by further steps.",
        reason: "jsonata.js loses the value there, and gives undefined, an empty array or an error.",
        example: "[{'n': 1}, {'n': 2}][0].n",
        applies: |case| {
            let is_nothing = match case.theirs {
                Answer::Undefined => true,
                Answer::Value(theirs) => theirs.as_array().is_some_and(Vec::is_empty),
                _ => false,
            };
            is_nothing && case.source.starts_with('[') && (case.has("].") || case.has(")."))
        },
    },
    Known {
        difference: "Square brackets behind nothing select nothing.",
        reason: "jsonata.js counts a missing value as an item, puts null where nothing is, and fails where a number is wanted.",
        example: "[{'a': 1}, {'a': 2}].n[[0..1]]",
        applies: |case| {
            let is_nulls = matches!(case.theirs, Answer::Value(Value::Array(items))
                if !items.is_empty() && items.iter().all(Value::is_null));
            let in_list = case.has("[[") && (case.their_text_has("null") || case.their_code("T0412"));
            let is_nothing = *case.ours == Answer::Undefined && (is_nulls || case.has("[["));
            in_list || (case.has("[") && is_nothing) || has_constant_condition(case.source)
        },
    },
    Known {
        difference: "Grouping an empty array leaves it empty.",
        reason: "jsonata.js adds undefined to the array of its caller, which every later reading sees.",
        example: "($a := []; $exists($a{'k': $}) ? $a : 1)",
        applies: |case| {
            let is_null =
                matches!(case.theirs, Answer::Value(theirs) if *theirs == serde_json::json!([null]));
            case.has("{") && *case.ours == Answer::Value(serde_json::json!([])) && is_null
        },
    },
    Known {
        difference: "A slash behind a sort or behind `[]` is a division.",
        reason: "jsonata.js takes it for the beginning of a regular expression.",
        example: "(1^(n) / 0)",
        applies: |case| {
            let divides = (case.has("^(") && case.has(") / ")) || case.has("[] / ");
            divides && case.their_code("S0302")
        },
    },
    Known {
        difference: "`[]` behind an object that is written out, or before a grouping, does not keep what is made of it an array.",
        reason: "jsonata.js hands the mark on through `~>` and `{…}`; the engine hands on values.",
        example: "{'a': 1}[] ~> $keys()",
        applies: |case| {
            let is_wrapped = match (case.theirs, case.ours) {
                (Answer::Value(Value::Array(items)), Answer::Value(item)) => {
                    items.as_slice() == std::slice::from_ref(item)
                }
                _ => false,
            };
            (case.has("[] ~>") || case.has("[]{")) && is_wrapped
        },
    },
    Known {
        difference: "NaN is a number to $type, true in an array to $boolean, and the first position in square brackets.",
        reason: "It comes only from dividing by zero and from texts that $parseInteger cannot read.",
        example: "$type(0 / 0)",
        applies: |case| {
            let has_nan =
                case.has("$parseInteger(") || case.has(" / ") || case.has(" % ") || case.has("$round(");
            has_nan
                && (case.has("$type(")
                    || case.has("$boolean([")
                    || case.has("[[")
                    || case.has("[$parseInteger("))
        },
    },
    Known {
        difference: "$fromMillis of a number that is no date, with a time zone that is no offset, or with a component in quotes, is not `NaN` or `undefined`.",
        reason: "jsonata.js writes these words into the text.",
        example: "$fromMillis(1e21)",
        applies: |case| {
            let is_quoted = case.has("$string([");
            case.has("$fromMillis(")
                && (case.our_code("D3110")
                    || case.our_code("D3134")
                    || case.their_text_has("undefined")
                    || is_quoted)
        },
    },
    Known {
        difference: "$replace without a pattern or replacement is an error.",
        reason: "jsonata.js writes the word undefined into the text, and notices nothing where it finds nothing to replace.",
        example: "$replace('a', 'a', missing)",
        applies: |case| {
            let codes = ["T0410", "T1010", "expression_evaluation_failed"];
            case.has("$replace(") && codes.into_iter().any(|code| case.our_code(code))
        },
    },
    Known {
        difference: "$split by the empty text gives characters.",
        reason: "jsonata.js cuts characters beyond U+FFFF in two, and halves are no text.",
        example: "$split('\u{1F600}z', '')",
        applies: |case| {
            case.has("$split(")
                && matches!(case.theirs, Answer::Value(theirs) if theirs.to_string().contains(char::REPLACEMENT_CHARACTER))
        },
    },
    Known {
        difference: "$reduce of no items does not look at its function.",
        reason: "The result is undefined whatever the function is.",
        example: "$reduce([], $uppercase)",
        applies: |case| case.has("$reduce(") && case.their_code("D3050"),
    },
    Known {
        difference: "Powers can differ in the last of sixteen digits.",
        reason: "They are rounded by another library, and are not exact in jsonata.js either.",
        example: "$power(1e10, 7)",
        applies: |case| {
            let number = |answer: &Answer| match answer {
                Answer::Value(value) => value.as_f64(),
                _ => None,
            };
            let both = number(case.ours).zip(number(case.theirs));
            let is_close = both.is_some_and(|(ours, theirs)| (ours / theirs - 1.0).abs() < 1e-14);
            // A number that is written out again shows the digit in a text.
            let is_written = case.has("$formatInteger(") && case.has(", 'a')");
            (case.has("$parseInteger(") || case.has("$power(")) && (is_close || is_written)
        },
    },
    Known {
        difference: "Sorting at most one item gives what sorting several gives: an array, or nothing.",
        reason: "jsonata.js gives back what it was given, which depends on how it was made.",
        example: "([].n)^($)",
        applies: |case| {
            let is_wrapped = |outer: &Answer, inner: &Answer| match (outer, inner) {
                (Answer::Value(Value::Array(items)), Answer::Value(item)) => {
                    items.as_slice() == std::slice::from_ref(item)
                }
                (Answer::Value(Value::Array(items)), Answer::Undefined) => items.is_empty(),
                _ => false,
            };
            case.has("^(") && (is_wrapped(case.ours, case.theirs) || is_wrapped(case.theirs, case.ours))
        },
    },
    Known {
        difference: "A condition in square brackets behind nothing may be evaluated or not.",
        reason: "jsonata.js evaluates it once without a context behind undefined, and not behind an empty array.",
        example: "missing[$ >= null]",
        applies: |case| {
            let fails_there = !matches!(case.ours, Answer::Error(_)) && case.their_code("T2010");
            let codes = ["T0410", "T1010", "D3050"];
            let fails_here =
                codes.into_iter().any(|code| case.our_code(code)) && *case.theirs == Answer::Undefined;
            case.has("[") && (fails_there || fails_here)
        },
    },
    Known {
        difference: "`?:` and `??` take the value of their left side, also where that matches a regular expression.",
        reason: "jsonata.js evaluates the left side twice, and the second time goes on behind the first match.",
        example: "($match('a', /a/).match ?: 1)",
        applies: |case| (case.has("?:") || case.has("??")) && case.has(", /"),
    },
    Known {
        difference: "$base64encode of characters beyond U+00FF is an error.",
        reason: "Node drops half of the character; browsers refuse it.",
        example: "$base64encode('\u{20AC}')",
        applies: |case| case.has("$base64encode(") && case.our_code("expression_evaluation_failed"),
    },
    Known {
        difference: "$base64decode passes over characters that base64 has not.",
        reason: "Node takes such a character for the one with the same low byte.",
        example: "$base64decode('0\u{2030}')",
        applies: |case| {
            let is_other_text = matches!((case.ours, case.theirs), (Answer::Value(_), Answer::Value(_)));
            case.has("$base64decode(") && is_other_text && !case.source.is_ascii()
        },
    },
    Known {
        difference: "$map leaves out what $keys finds nothing in.",
        reason: "jsonata.js puts an empty list there, which counts as an item and shows as nothing.",
        example: "$single($map([1], $keys))",
        applies: |case| case.has("$map(") && case.has("$keys)"),
    },
    Known {
        difference: "A grouping behind `@` and `#` groups what the step before it made.",
        reason: "jsonata.js groups by the bound items, and then finds no value or only the last one under the keys.",
        example: "({'r': [{'s': 'x'}, {'s': 'y'}]}).r@$v#$i.{'s': $v.s}{s: n, 'k': s}",
        applies: |case| {
            let is_group = matches!(case.theirs, Answer::Value(Value::Object(_)));
            case.has("@$") && case.has("}{") && is_group
        },
    },
    Known {
        difference: "A transformed or cloned object keeps its functions, which results leave out.",
        reason: "jsonata.js copies the object by way of JSON text, in which a function is the empty text.",
        example: "{'f': $sum, 'n': 1} ~> | $ | {'n': 2} |",
        applies: |case| (case.has("|") || case.has("$clone(")) && case.has("'f': $sum"),
    },
    Known {
        difference: "A transform that looks at objects as a whole also changes objects that are equal to one it found.",
        reason: "The engine finds the objects again by their value. They are distinguished by one more field, which `*`, `**` and functions would see.",
        example: "{'a': {}, 'b': {}} ~> | a | {'n': $count(*)} |",
        applies: |case| {
            let looks_at_all = ["*", "$", "&", " = ", " in "].iter().any(|part| {
                case.source.split_once("~> |").is_some_and(|(_, transform)| transform.contains(part))
            });
            looks_at_all && matches!((case.ours, case.theirs), (Answer::Value(_), Answer::Value(_)))
        },
    },
    Known {
        difference: "A function that is applied in part checks the types of its arguments when it is called.",
        reason: "jsonata.js does so for calls only, and fails or goes on with a wrong value in the middle of the function.",
        example: "($f := $substring(?, 0, 2); $f([null]))",
        applies: |case| case.has("(?") && (case.our_code("T0410") || case.our_code("T0412")),
    },
    Known {
        difference: "$number of a text that only starts as a hexadecimal number is an error.",
        reason: "jsonata.js gives NaN, which JSON writes as null.",
        example: "$number('0x1F!')",
        applies: |case| case.has("$number") && case.our_code("D3030"),
    },
];

/// The difference that explains two answers, if it is known.
pub fn known(source: &str, ours: &Answer, theirs: &Answer) -> Option<&'static Known> {
    if matches!(ours, Answer::Panicked | Answer::Ended) {
        return None;
    }
    let case = Case { source, ours, theirs };
    KNOWN.iter().find(|known| (known.applies)(&case))
}

/// Tells whether a value is followed by a text in square brackets: a condition that holds whatever the value is, also of
/// nothing.
fn has_constant_condition(source: &str) -> bool {
    let is_value = |before: &str| before.ends_with(|end: char| end.is_alphanumeric() || ")]*".contains(end));
    let functions = ["$substring(", "$string(", "$uppercase(", "$lowercase(", "$trim(", "$join(", "$pad("];
    let is_text = |condition: &str| {
        let is_joined = condition.starts_with('(') && condition.contains(" & ");
        condition.starts_with('\'') || is_joined || functions.iter().any(|name| condition.starts_with(name))
    };
    source.match_indices('[').any(|(at, _)| is_value(&source[..at]) && is_text(&source[at + 1..]))
}

/// Tells whether an expression makes an object with a key that is a whole number, or may make one.
fn has_number_key(source: &str) -> bool {
    let keys = source.match_indices(':').map(|(colon, _)| source[..colon].trim_end());
    keys.filter(|before| !before.ends_with('?')).any(|before| {
        let Some(text) = before.strip_suffix('\'') else { return true };
        let key = text.rsplit('\'').next().unwrap_or_default();
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The texts of all values inside a value, in an order that does not depend on the order of keys.
fn unordered(value: &Value) -> String {
    let mut parts: Vec<String> = match value {
        Value::Array(items) => items.iter().map(unordered).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, member)| format!("{key}:{}", unordered(member))).collect()
        }
        // A text that an object was written into.
        Value::String(text) if text.contains('{') => text.chars().map(String::from).collect(),
        other => return other.to_string(),
    };
    parts.sort();
    format!("({})", parts.join(","))
}
