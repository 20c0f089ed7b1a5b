//! What is known about a value before there is one.

use crate::Place;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// It is what stands at this path below the root of the scope, or an item of it, or a selection of its items.
    /// The root itself has the empty path.
    At(Vec<Segment>),
    /// It was computed. Whatever of the scope went into it has been recorded as read.
    Computed,
}

/// One name of a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) name: String,
    pub(super) place: Place,
}

impl Shape {
    pub(super) const ROOT: Shape = Shape::At(Vec::new());

    /// The shape of the field `name` of this value.
    pub(super) fn field(&self, name: &str, place: Place) -> Shape {
        match self {
            Shape::At(path) => {
                let mut path = path.clone();
                path.push(Segment { name: name.to_owned(), place });
                Shape::At(path)
            }
            Shape::Computed => Shape::Computed,
        }
    }

    /// Tells whether this is `base` or something below it.
    pub(super) fn is_within(&self, base: &Shape) -> bool {
        match (self, base) {
            (Shape::At(path), Shape::At(base)) => path.starts_with(base),
            (Shape::At(_), Shape::Computed) => false,
            (Shape::Computed, _) => *base == Shape::Computed,
        }
    }
}
