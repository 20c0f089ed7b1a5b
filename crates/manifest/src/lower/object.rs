//! The macro that declares an object of the format.

/// Declares an object of the format once: its type, its reader and its JSON Schema.
///
/// A line is `kind name: Type`, with kinds `required`, `optional`, `list`, `required_list`, `map` and `optional_map`
/// (which tells an empty object from none); `as "key"` gives the key when it is not the field's name, `=> rule` the rule
/// that is broken when the key is missing. After the lines, `and { … }` adds keywords to the JSON Schema for what rules
/// ask of several keys together.
macro_rules! object {
    (
        $(#[doc = $doc:literal])+
        $name:ident $definition:literal $policy:ident {
            $($(#[doc = $key_doc:literal])+ $kind:ident $field:ident $(as $key:literal)? : $type:ty $(=> $missing:path)?,)*
        }
        $(and { $($keyword:literal: $demand:tt),+ $(,)? })?
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug)]
        pub struct $name {
            /// Where it stands in its document.
            pub at: $crate::document::NodeId,
            $($(#[doc = $key_doc])+ pub $field: $crate::lower::object!(@type $kind $type),)*
        }

        impl $crate::lower::Lower for $name {
            fn lower(node: $crate::document::Node<'_>, report: &mut $crate::finding::Report) -> Option<Self> {
                const KEYS: &[&str] = &[$($crate::lower::object!(@key $field $($key)?)),*];
                let fields = $crate::lower::Fields::open(node, $crate::lower::Policy::$policy, KEYS, report)?;
                $(let $field = $crate::lower::object!(
                    @read $kind $type, fields, $crate::lower::object!(@key $field $($key)?), report $(, $missing)?
                );)*
                Some(Self { at: $crate::lower::at(node), $($field: $crate::lower::object!(@take $kind $field),)* })
            }

            fn schema(definitions: &mut $crate::lower::Definitions) -> serde_json::Value {
                definitions.object(
                    $definition,
                    concat!($($doc, "\n"),+),
                    $crate::lower::Policy::$policy,
                    |definitions, members| {
                        $(members.add(
                            $crate::lower::object!(@key $field $($key)?),
                            concat!($($key_doc, "\n"),+),
                            $crate::lower::object!(@must $kind),
                            $crate::lower::object!(@schema $kind $type, definitions),
                        );)*
                        $($(members.demand($keyword, serde_json::json!($demand));)+)?
                    },
                )
            }
        }
    };

    (@type required $type:ty) => { $type };
    (@type optional $type:ty) => { Option<$type> };
    (@type list $type:ty) => { Vec<$type> };
    (@type required_list $type:ty) => { Vec<$type> };
    (@type map $type:ty) => { Vec<($crate::lower::Located<String>, $type)> };
    (@type optional_map $type:ty) => { Option<Vec<($crate::lower::Located<String>, $type)>> };

    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };

    (@read required $type:ty, $fields:ident, $key:expr, $report:ident) => {
        $fields.required::<$type>($key, $crate::lower::MISSING, $report)
    };
    (@read required $type:ty, $fields:ident, $key:expr, $report:ident, $missing:path) => {
        $fields.required::<$type>($key, &$missing, $report)
    };
    (@read required_list $type:ty, $fields:ident, $key:expr, $report:ident) => {
        $fields.required_list::<$type>($key, $crate::lower::MISSING, $report)
    };
    (@read required_list $type:ty, $fields:ident, $key:expr, $report:ident, $missing:path) => {
        $fields.required_list::<$type>($key, &$missing, $report)
    };
    (@read $kind:ident $type:ty, $fields:ident, $key:expr, $report:ident) => {
        $fields.$kind::<$type>($key, $report)
    };

    (@take required $field:ident) => { $field? };
    (@take $kind:ident $field:ident) => { $field };

    (@must required) => { true };
    (@must required_list) => { true };
    (@must $kind:ident) => { false };

    (@schema list $type:ty, $definitions:ident) => {
        serde_json::json!({ "type": "array", "items": <$type as $crate::lower::Lower>::schema($definitions) })
    };
    (@schema required_list $type:ty, $definitions:ident) => {
        $crate::lower::object!(@schema list $type, $definitions)
    };
    (@schema map $type:ty, $definitions:ident) => {
        serde_json::json!({
            "type": "object",
            "additionalProperties": <$type as $crate::lower::Lower>::schema($definitions),
        })
    };
    (@schema optional_map $type:ty, $definitions:ident) => {
        $crate::lower::object!(@schema map $type, $definitions)
    };
    (@schema $kind:ident $type:ty, $definitions:ident) => { <$type as $crate::lower::Lower>::schema($definitions) };
}

pub(crate) use object;
