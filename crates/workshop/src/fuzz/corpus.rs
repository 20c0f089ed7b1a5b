//! The maps of this repository, as a starting point.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::{Map, Value, json};

/// The top level of the repository this crate was built in.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A map of the repository.
#[derive(Debug)]
pub struct SiteMap {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub value: Value,
}

/// Every map in `sites/` and every valid map among the fixtures, ordered by path.
pub fn site_maps() -> io::Result<Vec<SiteMap>> {
    let mut files = Vec::new();
    json_files(&repository().join("sites"), &mut files)?;
    files.retain(|path| path.ends_with("actions.json"));
    json_files(&repository().join("fixtures/maps/valid"), &mut files)?;
    let maps = files.into_iter().map(|path| {
        let value = serde_json::from_slice(&fs::read(&path)?)?;
        Ok(SiteMap { path, value })
    });
    maps.collect()
}

/// The texts of every fixture of a rule, valid JSON or not, ordered by path.
pub fn rule_fixtures() -> io::Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    json_files(&repository().join("fixtures/rules"), &mut files)?;
    files.iter().map(fs::read).collect()
}

/// The expressions whose results are tested.
pub fn expressions() -> io::Result<Vec<String>> {
    let table = fs::read(repository().join("crates/expr/tests/table/table.json"))?;
    let table: Value = serde_json::from_slice(&table)?;
    let rows = table["rows"].as_array().into_iter().flatten();
    Ok(rows.filter_map(|row| row["expression"].as_str().map(str::to_owned)).collect())
}

/// The map in pieces that are small maps themselves: each with one element of one section, and one with what is left.
///
/// Most mutations matter to their own element alone, and a small map is checked many times faster.
pub fn slices(map: &Value) -> Vec<Value> {
    let Some(root) = map.as_object() else { return vec![map.clone()] };
    let (sections, rest): (Map<_, _>, Map<_, _>) = root
        .clone()
        .into_iter()
        .partition(|(_, value)| value.as_array().is_some_and(|list| !list.is_empty()));
    let elements = sections.into_iter().flat_map(|(section, value)| {
        let elements = value.as_array().cloned().unwrap_or_default();
        elements.into_iter().map(move |element| (section.clone(), element))
    });
    let slice = |(section, element): (String, Value)| {
        let mut slice = json!({ "protocol": "actions.json", "version": 1, "tools": [] });
        slice[section] = json!([element]);
        slice
    };
    let mut slices: Vec<Value> = elements.map(slice).collect();
    let mut rest = Value::Object(rest);
    if rest.get("tools").is_none() {
        rest["tools"] = json!([]);
    }
    slices.push(rest);
    slices
}

/// The JSON files of a folder and its folders, in order; a folder that is not there has none.
fn json_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            json_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_cut_into_maps_with_one_element_each() {
        let map = json!({"protocol": "actions.json", "tools": [1, 2], "checks": [3], "states": []});
        let base = json!({"protocol": "actions.json", "version": 1, "tools": []});
        let with = |key: &str, element: u8| {
            let mut map = base.clone();
            map[key] = json!([element]);
            map
        };
        let rest = json!({"protocol": "actions.json", "states": [], "tools": []});
        assert_eq!(slices(&map), [with("tools", 1), with("tools", 2), with("checks", 3), rest]);
    }
}
