//! Reads from the sources which modules of a crate use which others.
//!
//! Only the first level below the crate counts: `crate::run::call` belongs to the module `run`. Tests may look anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of a crate, each with the modules it uses.
pub(crate) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Reads the sources of a crate.
pub(crate) fn uses(source: &Path) -> Uses {
    let mut files = Vec::new();
    collect(source, &mut Vec::new(), &mut files);
    let modules: BTreeSet<String> = files.iter().filter_map(|file| file.module.first().cloned()).collect();
    let roots: Vec<&File> = files.iter().filter(|file| file.module.is_empty()).collect();
    let exported = roots.iter().flat_map(|root| exports(&root.tokens, &modules)).collect();
    let mut uses: Uses = modules.iter().map(|module| (module.clone(), BTreeSet::new())).collect();
    for file in &files {
        let Some(own) = file.module.first() else { continue };
        let named = names(&file.tokens, file.module.len()).into_iter();
        let used = named.filter_map(|name| resolve(&name, &modules, &exported)).filter(|used| used != own);
        uses.entry(own.clone()).or_default().extend(used);
    }
    uses
}

fn resolve(name: &str, modules: &BTreeSet<String>, exported: &BTreeMap<String, String>) -> Option<String> {
    if modules.contains(name) { Some(name.to_owned()) } else { exported.get(name).cloned() }
}

struct File {
    /// The path of its module; empty for the root of the crate.
    module: Vec<String>,
    tokens: Vec<String>,
}

fn collect(folder: &Path, module: &mut Vec<String>, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if stem == "tests" || stem == "bin" {
            continue;
        }
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files);
            module.pop();
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let mut module = module.clone();
            if !["lib", "main", "mod"].contains(&stem.as_str()) {
                module.push(stem);
            }
            let text = fs::read_to_string(&path).expect("a source file");
            files.push(File { module, tokens: without_tests(tokens(&text)) });
        }
    }
}

/// The words and marks of a Rust text, without comments and literals. `::` is one mark.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts = |at: usize, mark: &str| mark.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
    while at < chars.len() {
        if starts(at, "//") {
            while at < chars.len() && chars[at] != '\n' {
                at += 1;
            }
        } else if starts(at, "/*") {
            let mut depth = 0;
            loop {
                if starts(at, "/*") {
                    (depth, at) = (depth + 1, at + 2);
                } else if starts(at, "*/") {
                    (depth, at) = (depth - 1, at + 2);
                } else {
                    at += 1;
                }
                if depth == 0 || at >= chars.len() {
                    break;
                }
            }
        } else if let Some(end) = raw_string_end(&chars, at) {
            at = end;
        } else if chars[at] == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if chars[at] == '\'' {
            // A character, or else the mark of a lifetime.
            at += match (chars.get(at + 1), chars.get(at + 2)) {
                (Some('\\'), _) => {
                    3 + chars[(at + 3).min(chars.len())..].iter().take_while(|c| **c != '\'').count() + 1
                }
                (Some(_), Some('\'')) => 3,
                _ => 1,
            };
        } else if is_word(chars[at]) {
            let word: String = chars[at..].iter().take_while(|c| is_word(**c)).collect();
            at += word.chars().count();
            // `r#move` names the module `move`.
            if word == "r" && starts(at, "#") {
                at += 1;
            } else {
                tokens.push(word);
            }
        } else if starts(at, "::") {
            tokens.push("::".to_owned());
            at += 2;
        } else {
            if !chars[at].is_whitespace() {
                tokens.push(chars[at].to_string());
            }
            at += 1;
        }
    }
    tokens
}

/// Where a raw string that begins here ends.
fn raw_string_end(chars: &[char], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|before| chars.get(before));
    if before.is_some_and(|c| c.is_alphanumeric() || *c == '_') {
        return None;
    }
    let mut open = at + usize::from(chars[at] == 'b');
    (chars.get(open) == Some(&'r')).then_some(())?;
    open += 1;
    let hashes = chars[open..].iter().take_while(|c| **c == '#').count();
    (chars.get(open + hashes) == Some(&'"')).then_some(())?;
    let body = open + hashes + 1;
    let closes = |end: &usize| {
        chars[*end] == '"' && chars[end + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes
    };
    (body..chars.len()).find(closes).map(|end| end + 1 + hashes)
}

/// Leaves out every item that stands below `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().map(String::as_str).take(mark.len()).eq(mark) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        while at < tokens.len() {
            match tokens[at].as_str() {
                "{" | "[" | "(" => depth += 1,
                "}" | "]" | ")" => depth -= 1,
                _ => {}
            }
            let ended = depth == 0 && matches!(tokens[at].as_str(), "}" | ";");
            at += 1;
            if ended {
                break;
            }
        }
    }
    kept
}

/// The names directly below the root of the crate that a file uses, by `crate::` or by enough `super::`.
fn names(tokens: &[String], depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut after = at;
        let mut levels = 0;
        while tokens.get(after).is_some_and(|word| word == "super")
            && tokens.get(after + 1).is_some_and(|mark| mark == "::")
        {
            (after, levels) = (after + 2, levels + 1);
        }
        if tokens[at] == "crate" && tokens.get(at + 1).is_some_and(|mark| mark == "::") {
            (after, levels) = (at + 2, depth);
        }
        if levels > 0 && levels >= depth {
            names.extend(first_names(&tokens[after..]));
        }
        at = after.max(at + 1);
    }
    names
}

/// The first name of each path of a use tree that begins here.
fn first_names(tree: &[String]) -> Vec<String> {
    match tree.first().map(String::as_str) {
        Some("{") => {
            let mut names = Vec::new();
            let (mut depth, mut begins) = (0, false);
            for token in tree {
                match token.as_str() {
                    "{" => (depth, begins) = (depth + 1, depth == 0),
                    "}" => depth -= 1,
                    "," => begins = depth == 1,
                    word if begins && depth == 1 => {
                        names.push(word.to_owned());
                        begins = false;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            names
        }
        Some(word) => vec![word.to_owned()],
        None => Vec::new(),
    }
}

/// What the root of the crate exports under a name of its own, and the module it comes from.
fn exports(tokens: &[String], modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" && tokens.get(at + 1).is_some_and(|module| modules.contains(module)) {
            let end = tokens[at..].iter().position(|mark| mark == ";").map_or(tokens.len(), |end| at + end);
            let module = &tokens[at + 1];
            // Modules on the way to a name count as well: they lead to the same module.
            let words = tokens[at + 2..end].iter().filter(|word| word.starts_with(char::is_alphabetic));
            exports.extend(words.map(|word| (word.clone(), module.clone())));
            at = end;
        }
        at += 1;
    }
    exports
}

#[test]
fn paths_are_found_in_groups_and_through_super_but_not_in_comments_literals_and_tests() {
    let text = r##"
        // crate::comment
        use crate::{first::A, second::{B, C}, r#move};
        use super::super::third::D;
        use super::sibling::E;
        const TEXT: &str = "crate::literal";
        const RAW: &str = r#"crate::raw"#;
        fn f<'a>(c: char) -> crate::fourth::F<'a> { c == '"'; crate::fifth() }
        #[cfg(test)]
        mod tests { use crate::only_in_tests; }
        mod after { use crate::sixth; }
    "##;
    let found = names(&without_tests(tokens(text)), 2);
    let expected = ["fifth", "first", "fourth", "move", "second", "sixth", "third"];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn names_of_the_root_lead_to_their_modules() {
    let modules = ["a", "b"].map(str::to_owned).into();
    let found =
        exports(&tokens("pub use a::One; pub(crate) use b::{Two, inner::Three, Four as Five};"), &modules);
    let of = |name: &str| found.get(name).map(String::as_str);
    assert_eq!([of("One"), of("Two"), of("Three"), of("Five")], [Some("a"), Some("b"), Some("b"), Some("b")]);
}
