//! What every type that is a checked text can do.

/// Gives a `struct T(String)` with a fallible `T::parse(&str)` what a text type needs: `as_str`, `Display`,
/// `AsRef<str>`, `Borrow<str>`, `FromStr`, and serde as a plain string that is checked when it is read.
macro_rules! checked_text {
    ($type:ident, $error:ty) => {
        impl $type {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl ::std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl ::std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text)
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = ::std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                Self::parse(&text).map_err(::serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use checked_text;
