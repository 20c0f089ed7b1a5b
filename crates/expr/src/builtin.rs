//! The functions of JSONata.

/// A function of JSONata, without its `$`.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// With fewer arguments than this the context is the first argument.
    without_context: usize,
    /// The codes of the failures that only this function, or few others, can give.
    codes: &'static [&'static str],
}

const BUILTINS: &[Builtin] = &[
    builtin("abs", 1, &[]),
    builtin("append", 0, &[]),
    builtin("assert", 0, &["D3141"]),
    builtin("average", 0, &[]),
    builtin("base64decode", 1, &[]),
    builtin("base64encode", 1, &[]),
    builtin("boolean", 1, &[]),
    builtin("ceil", 1, &[]),
    builtin("clone", 1, &[]),
    builtin("contains", 2, &["T1010"]),
    builtin("count", 0, &[]),
    builtin("decodeUrl", 1, &["D3140"]),
    builtin("decodeUrlComponent", 1, &["D3140"]),
    builtin("distinct", 0, &[]),
    builtin("each", 2, &[]),
    builtin("encodeUrl", 1, &["D3140"]),
    builtin("encodeUrlComponent", 1, &["D3140"]),
    builtin("error", 0, &["D3137"]),
    builtin("eval", 0, &["D3120", "D3121"]),
    builtin("exists", 0, &[]),
    builtin("filter", 0, &[]),
    builtin("floor", 1, &[]),
    builtin("formatBase", 1, &["D3100"]),
    builtin("formatInteger", 2, &["D3130", "D3131"]),
    builtin(
        "formatNumber",
        2,
        &["D3080", "D3081", "D3082", "D3083", "D3084", "D3085", "D3086", "D3087", "D3088"],
    ),
    builtin("fromMillis", 1, &["D3132", "D3133", "D3134", "D3135"]),
    builtin("join", 0, &[]),
    builtin("keys", 1, &[]),
    builtin("length", 1, &[]),
    builtin("lookup", 2, &[]),
    builtin("lowercase", 1, &[]),
    builtin("map", 0, &[]),
    builtin("match", 2, &["D3040", "T1010", "D1004"]),
    builtin("max", 0, &[]),
    builtin("merge", 0, &[]),
    builtin("millis", 0, &[]),
    builtin("min", 0, &[]),
    builtin("not", 1, &[]),
    builtin("now", 0, &[]),
    builtin("number", 1, &["D3030"]),
    builtin("pad", 2, &[]),
    builtin("parseInteger", 2, &["D3130", "D3131"]),
    builtin("power", 2, &["D3061"]),
    builtin("random", 0, &[]),
    builtin("reduce", 0, &["D3050"]),
    builtin("replace", 3, &["D3010", "D3011", "D3012", "T1010", "D1004"]),
    builtin("reverse", 0, &[]),
    builtin("round", 1, &[]),
    builtin("shuffle", 0, &[]),
    builtin("sift", 2, &[]),
    builtin("single", 0, &["D3138", "D3139"]),
    builtin("sort", 0, &["D3070"]),
    builtin("split", 2, &["D3020", "T1010", "D1004"]),
    builtin("spread", 1, &[]),
    builtin("sqrt", 1, &["D3060"]),
    builtin("string", 1, &["D3001"]),
    builtin("substring", 2, &[]),
    builtin("substringAfter", 2, &[]),
    builtin("substringBefore", 2, &[]),
    builtin("sum", 0, &[]),
    builtin("toMillis", 1, &["D3110", "D3132", "D3133", "D3135", "D3136"]),
    builtin("trim", 1, &[]),
    builtin("type", 0, &[]),
    builtin("uppercase", 1, &[]),
    builtin("zip", 0, &[]),
];

const fn builtin(name: &'static str, without_context: usize, codes: &'static [&'static str]) -> Builtin {
    Builtin { name, without_context, codes }
}

impl Builtin {
    /// Finds a function by its name.
    pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
        BUILTINS.binary_search_by_key(&name, |builtin| builtin.name).ok().map(|at| &BUILTINS[at])
    }

    /// Tells whether a call with this many arguments works on the context.
    pub(crate) const fn takes_context(&self, arguments: usize) -> bool {
        arguments < self.without_context
    }

    /// Tells whether a failure with this code can come from this function.
    pub(crate) fn may_give(&self, jsonata_code: &str) -> bool {
        self.codes.contains(&jsonata_code) || matches!(jsonata_code, "T0410" | "T0411" | "T0412")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(BUILTINS.is_sorted_by_key(|builtin| builtin.name));
        assert!(BUILTINS.iter().all(|builtin| Builtin::find(builtin.name).is_some()));
    }
}
