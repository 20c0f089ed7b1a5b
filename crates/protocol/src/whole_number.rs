//! Numbers with a unit, read from JSON.

/// Reads a `struct T(n)` from any JSON number that is whole and in range, and says what was expected otherwise.
///
/// JSON has one kind of number: `1e4` and `10000.0` are the same length of time as `10000`.
macro_rules! whole_number {
    ($type:ident($number:ty), $expected:literal) => {
        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visitor;

                impl ::serde::de::Visitor<'_> for Visitor {
                    type Value = $type;

                    fn expecting(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                        f.write_str($expected)
                    }

                    fn visit_u64<E: ::serde::de::Error>(self, number: u64) -> Result<$type, E> {
                        <$number>::try_from(number)
                            .map($type)
                            .map_err(|_| E::invalid_value(::serde::de::Unexpected::Unsigned(number), &self))
                    }

                    fn visit_f64<E: ::serde::de::Error>(self, number: f64) -> Result<$type, E> {
                        // Up to 2^53 every whole number has a float of its own; beyond, a float names several.
                        const EXACT: f64 = 9_007_199_254_740_992.0;
                        if number.fract() == 0.0 && (0.0..=EXACT).contains(&number) {
                            return self.visit_u64(number as u64);
                        }
                        Err(E::invalid_value(::serde::de::Unexpected::Float(number), &self))
                    }
                }

                deserializer.deserialize_u64(Visitor)
            }
        }
    };
}

pub(crate) use whole_number;
