//! The site that a document speaks for, and the addresses that belong to it.

use url::Url;

/// The site that a document speaks for.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// Its origin.
    pub(crate) origin: String,
    /// What relative addresses are resolved against.
    base: Url,
    host: String,
}

/// Why an address of a document is not used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It cannot be read, or is not of the web.
    Unreadable,
    /// It belongs to another site.
    Foreign(String),
}

/// What stands for braces while an address is resolved, because they would be encoded.
const HIDDEN: [(&str, &str); 2] = [("{", "0LEFT0"), ("}", "0RIGHT0")];

impl Site {
    /// The site of an address, which is also what relative addresses are resolved against.
    pub(crate) fn at(base: Url) -> Option<Self> {
        let host = base.host_str()?.to_ascii_lowercase();
        matches!(base.scheme(), "http" | "https").then(|| Self {
            origin: base.origin().ascii_serialization(),
            host,
            base,
        })
    }

    /// The absolute address of a place. Names in braces stay as they are. A path is put behind the path of the base.
    pub(crate) fn resolve(&self, place: &str) -> Result<String, Refused> {
        let hidden =
            HIDDEN.iter().fold(place.to_owned(), |text, (shown, hidden)| text.replace(shown, hidden));
        let prefix = self.base.path().trim_end_matches('/');
        let url = match Url::parse(&hidden) {
            Ok(url) => url,
            Err(_) if hidden.starts_with('/') && !hidden.starts_with("//") => {
                self.base.join(&format!("{prefix}{hidden}")).map_err(|_| Refused::Unreadable)?
            }
            Err(_) => self.base.join(&hidden).map_err(|_| Refused::Unreadable)?,
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refused::Unreadable);
        }
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        let is_below =
            host.strip_suffix(&self.host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        if !is_below || host.contains("0left0") {
            return Err(Refused::Foreign(host));
        }
        // A document served with TLS does not make agents give it up.
        if self.base.scheme() == "https" && url.scheme() == "http" {
            return Err(Refused::Foreign(url.origin().ascii_serialization()));
        }
        Ok(HIDDEN.iter().fold(url.to_string(), |text, (shown, hidden)| text.replace(hidden, shown)))
    }

    /// Whether a document that was fetched from an address may speak for this site.
    pub(crate) fn may_be_served_by(&self, from: &Url) -> bool {
        let bare = |host: &str| host.trim_start_matches("www.").to_ascii_lowercase();
        let (from, own) = (bare(from.host_str().unwrap_or_default()), bare(&self.host));
        from == own || from.ends_with(&format!(".{own}"))
    }
}

/// The names in braces of an address.
pub(crate) fn names_in(address: &str) -> Vec<String> {
    let names =
        address.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name.to_owned()));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(base: &str) -> Site {
        Site::at(base.parse().unwrap()).unwrap()
    }

    #[test]
    fn addresses_stay_on_the_site() {
        let shop = site("https://shop.example");
        assert_eq!(shop.resolve("/api/{id}?x=1").as_deref(), Ok("https://shop.example/api/{id}?x=1"));
        assert_eq!(shop.resolve("https://api.shop.example/a").as_deref(), Ok("https://api.shop.example/a"));
        for foreign in [
            "https://other.example/a",
            "//other.example/a",
            "https://evilshop.example/",
            "http://shop.example/a",
        ] {
            assert!(matches!(shop.resolve(foreign), Err(Refused::Foreign(_))), "{foreign}");
        }
        assert_eq!(shop.resolve("javascript:1"), Err(Refused::Unreadable));
    }

    #[test]
    fn a_path_stands_behind_the_path_of_the_base() {
        let versioned = site("https://shop.example/v1/");
        assert_eq!(versioned.resolve("/search").as_deref(), Ok("https://shop.example/v1/search"));
        assert_eq!(versioned.resolve("search").as_deref(), Ok("https://shop.example/v1/search"));
    }

    #[test]
    fn a_document_speaks_for_the_site_it_came_from() {
        let from = |url: &str| site("https://shop.example").may_be_served_by(&url.parse().unwrap());
        assert!(from("https://shop.example/agent.json") && from("https://www.shop.example/agent.json"));
        assert!(from("https://api.shop.example/agent.json"));
        assert!(!from("https://other.example/agent.json") && !from("https://evilshop.example/"));
    }
}
