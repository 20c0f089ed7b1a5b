//! Checks that what documents refer to exists: pages, anchors, and files of the repository.

use std::{
    collections::BTreeMap,
    fs,
    path::{Component, Path, PathBuf},
};

use super::markdown::{Found, Markdown};
use crate::{failure::Failure, workspace::root};

/// Folders without documents of ours.
const NOT_SEARCHED: &[&str] = &[".git", "node_modules", "target"];

/// The folder of the book. Links of its pages must stay inside: the built book contains nothing else.
const BOOK: &str = "docs";

/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Code that begins with one of these folders names a file or folder of the repository.
const FOLDERS: &[&str] = &[
    ".ci/",
    ".config/",
    ".github/",
    "bench/",
    "crates/",
    "docs/",
    "fixtures/",
    "primitives/",
    "sites/",
    "tests/",
];

/// Checks every document and prints what is wrong, one line each.
pub(crate) fn check() -> Result<(), Failure> {
    let root = root();
    let mut documents = BTreeMap::new();
    read_documents(&root, Path::new(""), &mut documents)?;
    let mut problems = Vec::new();
    for (path, markdown) in &documents {
        let mut report = |found: &Found, what: String| {
            problems.push(format!("{}:{}: {what}", path.display(), found.line));
        };
        for link in &markdown.links {
            if let Some(problem) = link_problem(&root, &documents, path, &link.text) {
                report(link, problem);
            }
        }
        // The log of changes names files that are gone.
        for code in markdown.code.iter().filter(|_| path != Path::new("CHANGELOG.md")) {
            if names_a_file(&code.text) && !root.join(&code.text).exists() {
                report(code, format!("there is no `{}`", code.text));
            }
        }
    }
    problems.extend(unlisted(&documents));
    problems.iter().for_each(|problem| println!("    {problem}"));
    match problems.len() {
        0 => {
            println!("    the links of {} documents are good", documents.len());
            Ok(())
        }
        count => Err(Failure::BrokenLinks(count)),
    }
}

type Documents = BTreeMap<PathBuf, Markdown>;

fn read_documents(root: &Path, folder: &Path, documents: &mut Documents) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| Failure::File { path, source }
    };
    for entry in fs::read_dir(root.join(folder)).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let path = folder.join(entry.file_name());
        let is_folder = entry.file_type().map_err(failed(&path))?.is_dir();
        if is_folder && !NOT_SEARCHED.iter().any(|name| entry.file_name() == *name) {
            read_documents(root, &path, documents)?;
        } else if !is_folder && path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(root.join(&path)).map_err(failed(&path))?;
            documents.insert(path, Markdown::read(&text));
        }
    }
    Ok(())
}

/// Why a link leads nowhere, if it does. Links to other hosts are not followed.
fn link_problem(root: &Path, documents: &Documents, from: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = match file {
        "" => from.to_owned(),
        file => resolve(from, file),
    };
    if from.starts_with(BOOK) && !target.starts_with(BOOK) {
        return Some(format!("`{link}` leads out of the book; write the path as code instead"));
    }
    if !documents.contains_key(&target) && !root.join(&target).exists() {
        return Some(format!("`{link}` leads to {}, which does not exist", target.display()));
    }
    let anchor = anchor?;
    let known =
        documents.get(&target).is_some_and(|markdown| markdown.anchors.iter().any(|own| own == anchor));
    (!known).then(|| format!("{} has no heading for `#{anchor}`", target.display()))
}

/// The path of a link, relative to the top level of the repository.
fn resolve(from: &Path, link: &str) -> PathBuf {
    let mut path = from.parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path
}

fn names_a_file(code: &str) -> bool {
    FOLDERS.iter().any(|folder| code.starts_with(folder))
        && !code.contains(|c: char| c.is_whitespace() || "*<>{}…$\\".contains(c))
        // A made-up name, as in a recipe.
        && !code.contains("NAME")
        && !code.contains("CODE")
}

/// Pages of the book that its table of contents does not list.
fn unlisted(documents: &Documents) -> Vec<String> {
    let Some(summary) = documents.get(Path::new(SUMMARY)) else {
        return vec![format!("{SUMMARY} does not exist")];
    };
    let listed: Vec<PathBuf> =
        summary.links.iter().map(|link| resolve(Path::new(SUMMARY), &link.text)).collect();
    let pages = documents.keys().filter(|path| path.starts_with(BOOK) && *path != Path::new(SUMMARY));
    let missing = pages.filter(|path| !listed.contains(path));
    missing.map(|path| format!("{SUMMARY}: {} is not listed", path.display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Documents {
        let page = |text| Markdown::read(text);
        BTreeMap::from([
            (PathBuf::from("docs/SUMMARY.md"), page("[A](a.md)")),
            (PathBuf::from("docs/a.md"), page("# One thing")),
            (PathBuf::from("docs/b.md"), page("")),
        ])
    }

    #[test]
    fn a_link_must_lead_to_a_file_and_a_heading() {
        let root = root();
        let problem = |from: &str, link: &str| link_problem(&root, &documents(), Path::new(from), link);
        assert_eq!(problem("README.md", "https://example.com/#x"), None);
        assert_eq!(problem("README.md", "crates/xtask"), None);
        assert_eq!(problem("docs/a.md", "#one-thing"), None);
        assert_eq!(problem("docs/a.md", "#two"), Some("docs/a.md has no heading for `#two`".to_owned()));
        assert!(
            problem("docs/a.md", "../README.md").is_some_and(|problem| problem.contains("out of the book"))
        );
        assert!(problem("README.md", "no/such.md").is_some_and(|problem| problem.contains("does not exist")));
    }

    #[test]
    fn a_page_that_the_table_of_contents_does_not_list_is_reported() {
        assert_eq!(unlisted(&documents()), ["docs/SUMMARY.md: docs/b.md is not listed"]);
    }

    #[test]
    fn only_code_that_looks_like_a_path_names_a_file() {
        assert!(names_a_file("crates/xtask/src/main.rs"));
        assert!(!names_a_file("crates/*/src"));
        assert!(!names_a_file("primitives/<family>/<name>.json"));
        assert!(!names_a_file("cargo xtask docs"));
    }
}
