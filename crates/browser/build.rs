//! Joins the files of the page script into one expression, without Node.
//!
//! Every file under `js/`, `driver/` aside, is an ES module, so that editors and `tsc` understand it. The joined script
//! has no modules: each file becomes a function that gives what the file exports, all of them in one scope, in the order
//! in which they need each other. Exported names are therefore unique, and imports are dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The file whose one constant, of the same name, is the value of the joined expression.
const ENTRY: &str = "main.js";

/// The folder of functions that the driver sends as they stand.
const DRIVER: &str = "driver";

/// The text around the joined files. The script is stored on the document, under a symbol that no element of the page
/// can be named after. The global object would not do: a popup or a frame keeps the global object of its initial
/// `about:blank` when it loads a page of the same origin, and the listeners of the old document are gone by then.
const HEAD: &str = "document[Symbol.for('actions.page_script')] ??= (() => {\n'use strict';\n";
const TAIL: &str = "return main;\n})();\n";

fn main() {
    let source = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("js");
    println!("cargo::rerun-if-changed={}", source.display());
    let modules = read_modules(&source);
    check_names(&modules);
    let mut joined = String::from(HEAD);
    for name in in_order(&modules) {
        joined.push_str(&modules[&name].joined());
    }
    joined.push_str(TAIL);
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("page_script.js");
    fs::write(&out, joined).unwrap_or_else(|error| panic!("cannot write {}: {error}", out.display()));
}

/// A file of the script, as it goes into the joined text.
struct Module {
    imports: Vec<String>,
    exports: Vec<String>,
    body: String,
}

impl Module {
    /// The module as a function that is called once and gives its exports.
    fn joined(&self) -> String {
        let exports = self.exports.join(", ");
        format!("const {{ {exports} }} = (() => {{\n{}return {{ {exports} }};\n}})();\n", self.body)
    }
}

/// Reads every module, by its path below `js/`.
fn read_modules(source: &Path) -> BTreeMap<String, Module> {
    let mut modules = BTreeMap::new();
    let mut folders = vec![source.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder that was opened can be listed").path();
            if path.is_dir() {
                if !path.ends_with(DRIVER) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "js") {
                let name =
                    path.strip_prefix(source).expect("the path starts with the folder it was found in");
                let name = name.to_string_lossy().replace('\\', "/");
                let text = fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
                modules.insert(name.clone(), parse(&name, &text));
            }
        }
    }
    modules
}

/// Takes a module apart, line by line: imports and exports stand at the start of a line, comments fill whole lines, and
/// no text depends on how a line is indented.
fn parse(name: &str, text: &str) -> Module {
    let mut module = Module { imports: Vec::new(), exports: Vec::new(), body: String::new() };
    let mut in_comment = false;
    let mut import = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if in_comment || trimmed.starts_with("/*") && !trimmed.contains("*/") {
            in_comment = !trimmed.ends_with("*/");
            continue;
        }
        let whole_comment = trimmed.starts_with("//") || trimmed.starts_with("/*") && trimmed.ends_with("*/");
        if trimmed.is_empty() || whole_comment {
            continue;
        }
        if !import.is_empty() || line.starts_with("import ") {
            import.push_str(line);
            if trimmed.ends_with(';') {
                module.imports.push(imported(name, &import));
                import.clear();
            }
            continue;
        }
        let declaration = line.strip_prefix("export ");
        if let Some(declaration) = declaration {
            let export = declared(declaration);
            module.exports.push(export.unwrap_or_else(|| panic!("js/{name}: cannot read `{line}`")));
        }
        module.body.push_str(declaration.unwrap_or(line).trim_start_matches(' '));
        module.body.push('\n');
    }
    module
}

/// Gives the path, below `js/`, of the module an import statement names.
fn imported(name: &str, statement: &str) -> String {
    assert!(!statement.contains(" as "), "js/{name}: an import keeps its name: `{statement}`");
    let path = statement.split('\'').nth(1).unwrap_or_else(|| panic!("{name}: cannot read `{statement}`"));
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for step in path.split('/') {
        match step {
            "." => {}
            ".." => {
                parts.pop();
            }
            step => parts.push(step),
        }
    }
    parts.join("/")
}

/// Gives the name an exported declaration has.
fn declared(line: &str) -> Option<String> {
    let rest = ["async function ", "function ", "const ", "let ", "class "]
        .iter()
        .find_map(|word| line.strip_prefix(word))?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

/// Fails the build when two files export the same name, which would be one name in the joined scope, or when a file
/// imports one that does not exist.
fn check_names(modules: &BTreeMap<String, Module>) {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (file, module) in modules {
        for name in &module.exports {
            if let Some(other) = owners.insert(name, file) {
                panic!("js/{other} and js/{file} both export `{name}`; rename one");
            }
        }
        for import in &module.imports {
            assert!(modules.contains_key(import), "js/{file} imports js/{import}, which does not exist");
        }
    }
}

/// Orders modules so that each stands after those it imports. A cycle is fine as long as only functions use what it
/// closes over, because they run when everything is there.
fn in_order(modules: &BTreeMap<String, Module>) -> Vec<String> {
    fn visit(
        name: &str,
        modules: &BTreeMap<String, Module>,
        seen: &mut BTreeSet<String>,
        order: &mut Vec<String>,
    ) {
        if !seen.insert(name.to_owned()) {
            return;
        }
        for import in &modules[name].imports {
            visit(import, modules, seen, order);
        }
        order.push(name.to_owned());
    }
    let mut order = Vec::new();
    visit(ENTRY, modules, &mut BTreeSet::new(), &mut order);
    for name in modules.keys() {
        assert!(order.contains(name), "js/{name} is not reached from js/{ENTRY}; delete it or use it");
    }
    order
}
