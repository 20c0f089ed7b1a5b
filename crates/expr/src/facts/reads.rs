//! The part of a scope that an expression reads.

/// The names that are read below a place of the scope.
///
/// An evaluation is handed only this part, so that its cost does not grow with what other steps have put out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// Everything below is read, or may be.
    pub(crate) whole: bool,
    /// The fields that are read.
    pub(crate) fields: Vec<(String, Reads)>,
}

impl Reads {
    /// Notes that the path is looked at, and with `whole` that everything below it is used.
    pub(super) fn add<'a>(&mut self, path: impl IntoIterator<Item = &'a str>, whole: bool) {
        let mut here = self;
        for name in path {
            let at = here.fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                here.fields.push((name.to_owned(), Reads::default()));
                here.fields.len() - 1
            });
            here = &mut here.fields[at].1;
        }
        here.whole |= whole;
    }

    /// Tells whether nothing is read.
    pub(crate) fn is_empty(&self) -> bool {
        !self.whole && self.fields.is_empty()
    }
}
