//! Reads a map and, recursively, what it imports.

use std::sync::Arc;

use actions_protocol::{SafeName, limits};

use super::{Composition, Part};
use crate::document::{Document, Node};
use crate::finding::Report;
use crate::load::{Load, LoadError};
use crate::lower::Lower;
use crate::model::{Import, Manifest, Trust};
use crate::reading::{
    c001_import_not_loaded, c002_import_cycle, c003_imports_too_deep, c004_import_without_namespace,
    c005_network_import, c007_import_outside, c008_composition_too_large,
};

/// Reads a map and everything it imports.
pub(crate) fn read(name: &str, bytes: &[u8], imports: &dyn Load, report: &mut Report) -> Composition {
    let bytes_of_all = bytes.len();
    let mut reader =
        Reader { imports, report, parts: Vec::new(), bytes: bytes_of_all, tools: 0, is_too_large: false };
    reader.map(name, bytes, None, Trust::Private, None, &mut vec![name.to_owned()]);
    Composition { parts: reader.parts }
}

struct Reader<'r> {
    imports: &'r dyn Load,
    report: &'r mut Report,
    parts: Vec<Part>,
    /// The bytes of all imported maps. A map that is imported twice counts twice.
    bytes: usize,
    /// The tools of all maps so far, counted like the bytes.
    tools: usize,
    /// Whether the limit was passed: nothing more is read.
    is_too_large: bool,
}

impl Reader<'_> {
    /// Reports once that the limit is passed.
    fn too_large(&mut self, at: Node<'_>) {
        if self.is_too_large {
            return;
        }
        self.is_too_large = true;
        let message = format!(
            "the map and its imports are more than {} maps, {} MiB or {} tools",
            limits::COMPOSITION_MAPS,
            limits::MAP_BYTES.0 >> 20,
            limits::COMPOSITION_TOOLS
        );
        self.report
            .find(&c008_composition_too_large::RULE, at, message)
            .help("import each map once, and fewer of them");
    }

    fn map(
        &mut self,
        name: &str,
        bytes: &[u8],
        namespace: Option<SafeName>,
        trust: Trust,
        importer: Option<usize>,
        chain: &mut Vec<String>,
    ) {
        let Some(document) = crate::read::read(name, bytes, self.report) else { return };
        let document = Arc::new(document);
        let manifest = Manifest::lower(document.root(), self.report);
        let slots = self.report.take_slots();
        let imports: Vec<Import> =
            manifest.as_ref().map(|manifest| manifest.imports.clone()).unwrap_or_default();
        let namespace_required = manifest
            .as_ref()
            .and_then(|manifest| manifest.composition.as_ref())
            .and_then(|composition| composition.namespace_required)
            .unwrap_or(true);
        self.tools += manifest.as_ref().map_or(0, |manifest| manifest.tools.len());
        if self.tools > limits::COMPOSITION_TOOLS {
            self.too_large(document.root());
        }
        let here = self.parts.len();
        self.parts.push(Part {
            document: Arc::clone(&document),
            manifest,
            slots,
            namespace,
            trust,
            importer,
        });
        for import in imports.iter().filter(|import| import.enabled != Some(false)) {
            if import.namespace.is_none() && namespace_required {
                self.report
                    .find(
                        &c004_import_without_namespace::RULE,
                        document.node(import.at),
                        format!("the import `{}` has no namespace", import.id.as_str()),
                    )
                    .help("add `\"namespace\"`, or say `\"namespace_required\": false` in `composition`");
            }
            self.import(&document, import, here, chain);
        }
    }

    fn import(&mut self, document: &Document, import: &Import, importer: usize, chain: &mut Vec<String>) {
        if self.is_too_large {
            return;
        }
        let at = document.node(import.uri.at);
        if chain.len() > limits::IMPORT_DEPTH {
            let message = format!("imports nest more than {} levels deep", limits::IMPORT_DEPTH);
            self.report.find(&c003_imports_too_deep::RULE, at, message).help("import the inner map directly");
            return;
        }
        let from = chain.last().cloned().unwrap_or_default();
        let loaded = match self.imports.load(&from, &import.uri) {
            Ok(loaded) => loaded,
            Err(LoadError::ImportsOff) => return,
            Err(error @ LoadError::NetworkOff) => {
                self.report
                    .find(
                        &c005_network_import::RULE,
                        at,
                        format!("`{}` was not loaded: {error}", *import.uri),
                    )
                    .help("keep a reviewed copy beside the map and import that");
                return;
            }
            Err(error @ LoadError::Outside) => {
                self.report
                    .find(
                        &c007_import_outside::RULE,
                        at,
                        format!("`{}` was not loaded: {error}", *import.uri),
                    )
                    .help("keep a copy inside this folder and import that");
                return;
            }
            Err(error) => {
                let message = format!("the import `{}` could not be loaded: {error}", import.id.as_str());
                self.report
                    .find(&c001_import_not_loaded::RULE, at, message)
                    .help("the path starts at this map's folder");
                return;
            }
        };
        self.bytes += loaded.bytes.len();
        if self.parts.len() >= limits::COMPOSITION_MAPS || !limits::MAP_BYTES.allows(self.bytes) {
            self.too_large(at);
            return;
        }
        if chain.contains(&loaded.name) {
            let message = format!("`{}` imports itself through {}", loaded.name, chain.join(" → "));
            self.report.find(&c002_import_cycle::RULE, at, message).help("take one of the imports out");
            return;
        }
        let outer = self.parts[importer].namespace.clone();
        let namespace = match (&outer, &import.namespace) {
            (Some(outer), Some(own)) => Some(own.with_namespace(outer)),
            (outer, own) => own.as_ref().map(|own| own.value.clone()).or_else(|| outer.clone()),
        };
        let declared = import.trust.as_ref().map_or(Trust::Unknown, |trust| trust.value);
        let trust = least(self.parts[importer].trust, declared);
        chain.push(loaded.name.clone());
        self.map(&loaded.name, &loaded.bytes, namespace, trust, Some(importer), chain);
        chain.pop();
    }
}

/// The lesser of two trusts: an import is trusted no further than the map that imports it.
fn least(importer: Trust, import: Trust) -> Trust {
    let rank = |trust| match trust {
        Trust::Private | Trust::Local => 4,
        Trust::Website => 3,
        Trust::Shared => 2,
        Trust::Public => 1,
        Trust::Unknown => 0,
    };
    if rank(importer) < rank(import) { importer } else { import }
}

#[cfg(test)]
mod tests {
    use actions_protocol::limits;
    use serde_json::{Value, json};

    use crate::{NoImports, Options, Profile, validate};

    fn codes(tools: usize) -> Vec<&'static str> {
        let tool =
            |n| json!({ "name": format!("t{n}"), "description": "x", "x_actions": { "static_output": 1 } });
        let tools: Value = (0..tools).map(tool).collect();
        let map = json!({ "protocol": "actions.json", "version": 1, "tools": tools }).to_string();
        let options = Options { profile: Profile::Lenient, imports: &NoImports };
        validate("map.json", map.as_bytes(), &options)
            .findings
            .iter()
            .map(|finding| finding.rule.code)
            .collect()
    }

    #[test]
    fn a_map_with_more_tools_than_a_composition_may_have_is_refused() {
        assert!(!codes(limits::COMPOSITION_TOOLS).contains(&"C008"));
        assert!(codes(limits::COMPOSITION_TOOLS + 1).contains(&"C008"));
    }
}
