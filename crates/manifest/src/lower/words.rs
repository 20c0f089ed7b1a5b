//! The macro that declares a closed list of words.

/// Declares a closed list of words as an enum with its reader and its JSON Schema.
macro_rules! words {
    (
        $(#[doc = $doc:literal])+
        $name:ident { $($(#[doc = $word_doc:literal])+ $variant:ident = $word:literal,)+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $word_doc])+ $variant,)+
        }

        impl $name {
            /// Every word, in the order of the declaration.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word as it stands in a manifest.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Reads a word.
            pub fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::lower::Lower for $name {
            fn lower(node: $crate::document::Node<'_>, report: &mut $crate::finding::Report) -> Option<Self> {
                let Some(word) = node.as_str() else {
                    $crate::lower::wrong_type(node, "a string", report);
                    return None;
                };
                let parsed = Self::parse(word);
                if parsed.is_none() {
                    $crate::lower::unknown_word(node, word, Self::WORDS, report);
                }
                parsed
            }

            fn schema(_: &mut $crate::lower::Definitions) -> serde_json::Value {
                serde_json::json!({ "enum": Self::WORDS })
            }
        }
    };
}

pub(crate) use words;
