//! Positions of a value that are not known yet.

use serde_json::Value;

/// The holes of one value, as JSON pointers.
pub(crate) struct Holes {
    pointers: Vec<String>,
}

impl Holes {
    /// Nothing is unknown.
    pub(crate) fn none() -> Self {
        Holes { pointers: Vec::new() }
    }

    /// Asks about every position of the value once.
    pub(crate) fn find(value: &Value, is_hole: &dyn Fn(&str) -> bool) -> Self {
        let mut holes = Holes { pointers: Vec::new() };
        holes.visit(value, String::new(), is_hole);
        holes
    }

    fn visit(&mut self, value: &Value, pointer: String, is_hole: &dyn Fn(&str) -> bool) {
        if is_hole(&pointer) {
            self.pointers.push(pointer);
            return;
        }
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    self.visit(value, child(&pointer, key), is_hole);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    self.visit(value, format!("{pointer}/{index}"), is_hole);
                }
            }
            _ => {}
        }
    }

    /// Whether the position is a hole or lies inside one.
    pub(crate) fn cover(&self, pointer: &str) -> bool {
        self.pointers.iter().any(|hole| is_within(pointer, hole))
    }

    /// Whether the position is a hole or has one inside.
    pub(crate) fn touch(&self, pointer: &str) -> bool {
        self.cover(pointer) || self.pointers.iter().any(|hole| is_within(hole, pointer))
    }
}

/// The pointer of a property.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn is_within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Holes;

    #[test]
    fn a_hole_covers_what_is_inside_and_touches_what_is_around() {
        let value = json!({"a/b": {"c": "{% 1 %}"}, "ab": 1});
        let holes = Holes::find(&value, &|pointer| pointer == "/a~1b/c");
        assert!(holes.cover("/a~1b/c"));
        assert!(!holes.cover("/a~1b"));
        assert!(holes.touch("/a~1b"));
        assert!(holes.touch(""));
        assert!(!holes.touch("/ab"));
    }
}
