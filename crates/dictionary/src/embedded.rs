//! The embedded files, as listed by the build script.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Finds the text of a row by its name.
pub(crate) fn find(table: &'static [(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.binary_search_by_key(&name, |row| row.0).ok().map(|row| table[row].1)
}
