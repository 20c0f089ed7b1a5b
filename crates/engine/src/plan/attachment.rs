//! Plans the attachments of a map: what is put on the page for a person, where, and when.

use std::path::{Component, Path, PathBuf};

use actions_manifest::model::{self, Placement};
use actions_manifest::{CheckedManifest, Exposed};
use actions_primitives::Locator;
use serde_json::{Map, Value};

use super::target::Predicate;
use super::{Planner, Target};
use crate::limits::Limits;

/// The largest document of an overlay.
const LARGEST_OVERLAY: u64 = 256 * 1024;

/// The most copies of one attachment.
const MOST_INSTANCES: u64 = 50;

/// An attachment of a map: something that is put on the page for a person.
#[derive(Debug)]
pub struct AttachmentPlan {
    /// Its id.
    pub id: String,
    /// What it is: `overlay_launcher`, `annotation`, `status_badge`, `shortcut` or another kind.
    pub kind: String,
    /// The element beside which it stands.
    pub locator: Option<Locator>,
    /// The state that the page must be in.
    pub state: Option<String>,
    /// The visible label.
    pub label: String,
    /// Where it stands beside its target: one of the words of `insertAdjacentElement`.
    pub placement: &'static str,
    /// How many may be on the page.
    pub max_instances: u64,
    /// The key of a shortcut.
    pub key: Option<String>,
    /// What it opens.
    pub opens: Option<Overlay>,
    /// Whether it goes with its target.
    pub removes: bool,
    /// Whether it comes back with its target.
    pub reattaches: bool,
    /// The signals that its use sends.
    pub signals: Vec<String>,
    address: Vec<Predicate>,
}

/// The document that an attachment opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// Its title.
    pub title: String,
    /// The document, or why there is none.
    pub html: Result<String, String>,
}

impl AttachmentPlan {
    /// The attachments of a composition.
    pub(crate) fn all(manifest: &CheckedManifest, limits: &Limits) -> Vec<Self> {
        let attachments = manifest.attachments();
        attachments.map(|one| Self::plan(&Planner { manifest, limits, part: one.part }, &one)).collect()
    }

    fn plan(planner: &Planner<'_>, exposed: &Exposed<'_, model::Attachment>) -> Self {
        let attachment = exposed.item;
        let target = Target::plan(planner, &attachment.target);
        let affordance = attachment.affordance.as_ref();
        let word = |policy: &Option<model::Prose>| policy.as_ref().map(|word| word.to_string());
        let lifecycle = &attachment.lifecycle;
        let label = affordance.and_then(|affordance| affordance.label.clone());
        let document = exposed.part.document();
        let key = affordance.and_then(|affordance| {
            document.node(affordance.at).get("key").and_then(|key| key.as_str().map(str::to_owned))
        });
        let folder = Path::new(document.source().name()).parent().unwrap_or(Path::new(""));
        Self {
            id: exposed.name.to_string(),
            kind: attachment.kind.to_string(),
            locator: target.locator,
            state: target.state,
            address: target.address,
            label: label.unwrap_or_else(|| attachment.id.to_string()),
            placement: match affordance.and_then(|affordance| affordance.placement.as_ref()) {
                Some(Placement::BeforeBegin) => "beforebegin",
                Some(Placement::AfterBegin) => "afterbegin",
                Some(Placement::BeforeEnd) => "beforeend",
                Some(Placement::AfterEnd) | None => "afterend",
            },
            max_instances: affordance
                .and_then(|affordance| affordance.max_instances.as_ref())
                .map_or(1, |most| most.0.clamp(1, MOST_INSTANCES)),
            key,
            opens: affordance.and_then(|affordance| affordance.opens.as_ref()).and_then(|opens| {
                let arguments = opens.arguments.as_ref()?;
                (opens.tool.value == "overlay.open").then(|| Overlay::of(arguments, folder))
            }),
            removes: word(&lifecycle.remove).as_deref() != Some("never"),
            reattaches: word(&lifecycle.reattach).as_deref() != Some("never"),
            signals: attachment.signals.iter().map(|name| planner.exposed_name(&name.value)).collect(),
        }
    }

    /// Whether it belongs on a page of this address.
    pub fn applies_to(&self, url: &str) -> bool {
        self.address.iter().all(|predicate| predicate.holds(url))
    }
}

impl Overlay {
    fn of(arguments: &Map<String, Value>, folder: &Path) -> Self {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        let html = match (text("html"), text("html_source")) {
            (Some(html), _) => Ok(html.to_owned()),
            (None, Some(source)) => read(source, folder),
            (None, None) => Err("it names no document".to_owned()),
        };
        Self { title: text("title").unwrap_or_default().to_owned(), html }
    }
}

/// Reads a document of a map. It lies below the folder of the map, or below the folder with the sites of its scope; links
/// are not followed.
fn read(source: &str, folder: &Path) -> Result<String, String> {
    let source = Path::new(source);
    if !source.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err("its path leaves the folder of the map".to_owned());
    }
    let is_document =
        source.extension().and_then(|end| end.to_str()).is_some_and(|end| matches!(end, "html" | "htm"));
    if !is_document {
        return Err("its file is no HTML document".to_owned());
    }
    let folder = std::fs::canonicalize(folder).map_err(|error| error.to_string())?;
    let scope = folder.ancestors().find(|above| above.join("sites").is_dir());
    for place in [Some(folder.as_path()), scope].into_iter().flatten() {
        let file: PathBuf = place.join(source);
        let Ok(real) = std::fs::canonicalize(&file) else { continue };
        if real != file {
            return Err("its file is a link".to_owned());
        }
        let metadata = std::fs::metadata(&real).map_err(|error| error.to_string())?;
        if !metadata.is_file() || metadata.len() > LARGEST_OVERLAY {
            return Err(format!("its file is no regular file of at most {LARGEST_OVERLAY} bytes"));
        }
        return std::fs::read_to_string(&real).map_err(|error| error.to_string());
    }
    Err("its file does not exist".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_is_read_from_the_folder_of_its_map_or_scope_and_from_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let public = root.path().join("scopes/public");
        let folder = public.join("sites/a.example");
        let secret = root.path().join("scopes/private/sites/a.example");
        for folder in [&folder, &secret] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("page.html"), "<p>here").unwrap();
        }
        std::fs::write(folder.join("notes.txt"), "text").unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.join("link.html")).unwrap();
        assert_eq!(read("page.html", &folder).as_deref(), Ok("<p>here"));
        assert_eq!(read("sites/a.example/page.html", &folder).as_deref(), Ok("<p>here"));
        for outside in [
            "../../../private/sites/a.example/page.html",
            "/etc/hostname",
            "scopes/private/sites/a.example/page.html",
            "link.html",
            "notes.txt",
            "none.html",
        ] {
            assert!(read(outside, &folder).is_err(), "{outside}");
        }
    }
}
