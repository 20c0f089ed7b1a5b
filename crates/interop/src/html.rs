//! What the home page of a site says to agents in its HTML: links, meta elements and attributes.

use std::collections::BTreeSet;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{HtmlString, Token, Tokenizer};

/// What a page says to agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageHints {
    /// Where its policy is, by `<link rel="siteai">`.
    pub policy: Vec<String>,
    /// Where its AWAS manifest is, by `<link rel="ai-actions">`.
    pub ai_actions: Vec<String>,
    /// Where its WAB discovery document is, by `<meta name="wab-discovery">`.
    pub wab: Vec<String>,
    /// The actions that elements of the page name by `data-awas-action` or `data-ai-action`.
    pub marked_actions: BTreeSet<String>,
    /// The tools that forms of the page declare by `toolname`.
    pub webmcp_forms: BTreeSet<String>,
    /// Whether a script of the page speaks of WebMCP.
    pub mentions_webmcp: bool,
}

/// The most hints of one kind, and the longest one.
const MOST: usize = 100;
const LONGEST: usize = 2_048;

/// Reads the hints of a page. HTML is never invalid: what is wrong in it is read as browsers read it.
///
/// ```
/// let page = actions_interop::html::hints(r#"<LINK REL="icon siteai" href=/policy.json>"#);
/// assert_eq!(page.policy, ["/policy.json"]);
/// ```
pub fn hints(html: &str) -> PageHints {
    let mut hints = PageHints::default();
    let mut emitter = DefaultEmitter::default();
    // Without it, the text of scripts would be read as elements.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => {
                let attribute = |name: &[u8]| tag.attributes.get(name).map(|value| text(value));
                element(&mut hints, &tag.name, &attribute);
            }
            Token::String(content) => {
                hints.mentions_webmcp |= contains(&content, b"modelContext");
            }
            _ => {}
        }
    }
    hints
}

fn element(hints: &mut PageHints, name: &[u8], attribute: &dyn Fn(&[u8]) -> Option<String>) {
    match name {
        b"link" => {
            let (Some(rel), Some(href)) = (attribute(b"rel"), attribute(b"href")) else { return };
            let has = |wanted: &str| rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(wanted));
            if has("siteai") {
                push(&mut hints.policy, &href);
            }
            if has("ai-actions") {
                push(&mut hints.ai_actions, &href);
            }
        }
        b"meta" => {
            let is_wab = attribute(b"name").is_some_and(|name| name.eq_ignore_ascii_case("wab-discovery"));
            if let (true, Some(content)) = (is_wab, attribute(b"content")) {
                push(&mut hints.wab, &content);
            }
        }
        b"form" => {
            if let Some(tool) = attribute(b"toolname") {
                insert(&mut hints.webmcp_forms, tool);
            }
        }
        _ => {}
    }
    for marked in [&b"data-awas-action"[..], b"data-ai-action"] {
        if let Some(action) = attribute(marked) {
            insert(&mut hints.marked_actions, action);
        }
    }
}

fn push(list: &mut Vec<String>, value: &str) {
    let value = value.trim();
    if list.len() < MOST && !value.is_empty() && value.len() <= LONGEST {
        list.push(value.to_owned());
    }
}

fn insert(set: &mut BTreeSet<String>, value: String) {
    if set.len() < MOST && value.len() <= LONGEST {
        set.insert(value);
    }
}

fn text(value: &HtmlString) -> String {
    String::from_utf8_lossy(value).into_owned()
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_meta_elements_are_found() {
        let found = hints(concat!(
            "<!doctype html><head><link rel='stylesheet' href=a.css>",
            "<link rel=SiteAI href=' /apps/a2wf/siteai.json '><link href=/ai.json rel='alternate ai-actions'>",
            "<meta name=WAB-Discovery content=/agent-bridge.json></head>",
        ));
        assert_eq!(found.policy, ["/apps/a2wf/siteai.json"]);
        assert_eq!(found.ai_actions, ["/ai.json"]);
        assert_eq!(found.wab, ["/agent-bridge.json"]);
    }

    #[test]
    fn comments_and_scripts_are_not_elements() {
        let found = hints(concat!(
            "<!-- <link rel=siteai href=/commented> -->",
            "<script>'<link rel=siteai href=/scripted>'; document.modelContext.registerTool({})</script>",
            "<textarea><link rel=siteai href=/typed></textarea>",
        ));
        assert_eq!(found.policy, Vec::<String>::new());
        assert!(found.mentions_webmcp);
    }

    #[test]
    fn marked_elements_name_actions() {
        let found =
            hints("<input data-awas-action=search-books><form toolname=book></form><a data-ai-action=buy>");
        assert_eq!(found.marked_actions.iter().collect::<Vec<_>>(), ["buy", "search-books"]);
        assert_eq!(found.webmcp_forms.iter().collect::<Vec<_>>(), ["book"]);
    }

    #[test]
    fn a_page_of_links_does_not_fill_the_memory() {
        let found = hints(&"<link rel=siteai href=/x>".repeat(10_000));
        assert_eq!(found.policy.len(), MOST);
    }

    #[test]
    fn broken_html_is_read_to_its_end() {
        for html in ["<", "<link rel=siteai href=", "<script>", "\0<!--", "<a b='", "]]>"] {
            hints(html);
        }
    }
}
