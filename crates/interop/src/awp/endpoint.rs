//! The site that an `agent.json` speaks for: its `domain`.

use actions_manifest::document::Node;
use url::Url;

use crate::document::Site;

/// The site of a document. One that was fetched speaks for the origin it was fetched from, if its domain agrees; a file
/// speaks for its domain.
pub(super) fn site_of(root: Node<'_>, fetched_from: Option<&Url>) -> Option<Site> {
    let domain = root.get("domain").and_then(Node::as_str).unwrap_or_default().trim();
    let written = if domain.contains("://") { domain.to_owned() } else { format!("https://{domain}") };
    let declared = Url::parse(&written).ok().and_then(Site::at)?;
    match fetched_from {
        None => Some(declared),
        Some(from) if declared.may_be_served_by(from) => {
            let mut own = from.clone();
            own.set_path("");
            own.set_query(None);
            Site::at(own)
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use actions_manifest::{Profile, Report, read_document};

    use super::*;

    #[test]
    fn a_document_speaks_for_the_origin_it_came_from_if_its_domain_agrees() {
        let site = |domain: &str, from: Option<&str>| {
            let text = format!("{{ \"domain\": {} }}", serde_json::json!(domain));
            let document = read_document("t", text.as_bytes(), &mut Report::new(Profile::Strict)).unwrap();
            let from = from.map(|from| from.parse().unwrap());
            site_of(document.root(), from.as_ref()).map(|site| site.origin)
        };
        assert_eq!(site("shop.example", None).as_deref(), Some("https://shop.example"));
        assert_eq!(
            site("127.0.0.1:81", Some("http://127.0.0.1:81/agent.json")).as_deref(),
            Some("http://127.0.0.1:81")
        );
        assert_eq!(site("shop.example", Some("https://other.example/agent.json")), None);
    }
}
