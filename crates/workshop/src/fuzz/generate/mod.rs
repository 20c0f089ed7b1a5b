//! Generates maps from the vocabulary of the format: its JSON Schema, the dictionary, and JSONata.

mod by_schema;
mod expression;
mod schema;
mod text;

use actions_manifest::json_schema;
use serde_json::Value;

use crate::fuzz::random::Random;

/// Makes maps.
#[derive(Debug)]
pub struct Generator {
    format: Value,
    expressions: Vec<String>,
}

/// How large a map may become: about this many values.
const VALUES: usize = 120;

impl Generator {
    /// A generator for the format of this build. It uses these expressions beside those it makes up.
    pub fn new(expressions: Vec<String>) -> Self {
        Self { format: json_schema(), expressions }
    }

    /// A map that has the shape of one, half of the time.
    pub fn map(&self, random: &mut Random) -> Value {
        let slips = if random.percent(50) { 0 } else { 2 };
        let mut writer = self.writer(random);
        writer.slips = slips;
        writer.by_schema(&self.format, "", 0)
    }

    /// A value as it might stand under this key.
    pub fn member(&self, key: &str, random: &mut Random) -> Value {
        let schemas: Vec<&Value> = self.objects().filter_map(|properties| properties.get(key)).collect();
        if schemas.is_empty() {
            return self.writer(random).anything(key, 0);
        }
        let schema = random.pick(&schemas);
        self.writer(random).by_schema(schema, key, 0)
    }

    /// A key of the format.
    pub fn key(&self, random: &mut Random) -> String {
        let keys: Vec<&String> = self.objects().flat_map(|properties| properties.keys()).collect();
        random.choose(&keys).to_string()
    }

    /// A string as it might stand under this key.
    pub fn text(&self, key: &str, random: &mut Random) -> String {
        self.writer(random).text(key)
    }

    fn writer<'g>(&'g self, random: &'g mut Random) -> Writer<'g> {
        Writer { root: &self.format, expressions: &self.expressions, random, values_left: VALUES, slips: 2 }
    }

    fn objects(&self) -> impl Iterator<Item = &serde_json::Map<String, Value>> {
        let definitions = self.format["$defs"].as_object().into_iter().flat_map(|defs| defs.values());
        definitions.filter_map(|definition| definition["properties"].as_object())
    }
}

/// Writes one value, whose size is bounded.
struct Writer<'g> {
    /// The document references are looked up in.
    root: &'g Value,
    expressions: &'g [String],
    random: &'g mut Random,
    values_left: usize,
    /// How often, in a hundred, something is written that does not fit.
    slips: usize,
}

#[cfg(test)]
mod tests {
    use actions_manifest::{Options, validate};

    use super::*;

    #[test]
    fn generated_maps_are_often_read_without_an_error_of_shape() {
        let generator = Generator::new(Vec::new());
        let schema = jsonschema::draft202012::new(&json_schema()).unwrap();
        let maps: Vec<Value> = (0..400).map(|seed| generator.map(&mut Random::new(seed))).collect();
        let fitting = maps.iter().filter(|map| schema.is_valid(map)).count();
        assert!(fitting > 160, "only {fitting} of 400 maps fit the schema");
        let accepted =
            |map: &&Value| validate("t", map.to_string().as_bytes(), &Options::default()).manifest.is_some();
        let accepted = maps.iter().filter(accepted).count();
        assert!(accepted > 8, "only {accepted} of 400 maps are accepted");
    }
}
