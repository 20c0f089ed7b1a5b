//! The addresses of resources: `actions://KIND/NAME?page=HANDLE`.

/// What a resource is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The text of a map.
    Map(String),
    /// The prompt of a map.
    Prompt(String),
    /// The documentation that applies to the page now.
    Context,
    /// The state of the page by a projection.
    State(String),
    /// A summary of that state.
    Summary(String, String),
    /// What changed in that state.
    Diff(String),
    /// A picture of the page.
    Picture,
    /// The dictionary of primitives.
    Dictionary,
    /// A primitive.
    Primitive(String),
    /// A recording of a network.
    Recording(String),
    /// A value that was too large for a result.
    Result(u64),
}

/// The address of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) kind: Kind,
    /// The page that it is about; the current one if absent.
    pub(crate) page: Option<String>,
    /// The hash of the state that a difference begins with.
    pub(crate) since: Option<String>,
}

impl Address {
    /// Reads an address.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix("actions://")?;
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (mut page, mut since) = (None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=')? {
                ("page", value) => page = Some(value.to_owned()),
                ("since", value) => since = Some(value.to_owned()),
                _ => return None,
            }
        }
        let segments: Vec<&str> = path.split('/').collect();
        let name = |name: &str| (!name.is_empty()).then(|| name.to_owned());
        let kind = match segments.as_slice() {
            ["map", slug] => Kind::Map(name(slug)?),
            ["prompt", slug] => Kind::Prompt(name(slug)?),
            ["context"] => Kind::Context,
            ["state", projection] => Kind::State(name(projection)?),
            ["state", projection, summary] => Kind::Summary(name(projection)?, name(summary)?),
            ["diff", projection] => Kind::Diff(name(projection)?),
            ["picture"] => Kind::Picture,
            ["dictionary"] => Kind::Dictionary,
            ["dictionary", primitive] => Kind::Primitive(name(primitive)?),
            ["recording", recording] => Kind::Recording(name(recording)?),
            ["result", number] => Kind::Result(number.parse().ok()?),
            _ => return None,
        };
        Some(Self { kind, page, since })
    }

    /// Whether a client can be notified when it changes.
    pub(crate) fn can_be_watched(&self) -> bool {
        matches!(self.kind, Kind::Context | Kind::State(_) | Kind::Summary(..) | Kind::Diff(_))
    }

    /// The projection that it reads.
    pub(crate) fn projection(&self) -> Option<&str> {
        match &self.kind {
            Kind::State(projection) | Kind::Summary(projection, _) | Kind::Diff(projection) => {
                Some(projection)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_a_foreign_one_is_not() {
        let read = Address::parse("actions://diff/site.board?page=main-2&since=abc").unwrap();
        assert_eq!(read.kind, Kind::Diff("site.board".to_owned()));
        assert_eq!((read.page.as_deref(), read.since.as_deref()), (Some("main-2"), Some("abc")));
        assert!(read.can_be_watched());
        assert_eq!(Address::parse("actions://result/7").map(|read| read.kind), Some(Kind::Result(7)));
        for foreign in [
            "",
            "file:///etc/passwd",
            "actions://",
            "actions://map/",
            "actions://map/a/b",
            "actions://result/x",
            "actions://state",
            "actions://context?x=1",
            "actions://context?page",
        ] {
            assert_eq!(Address::parse(foreign), None, "{foreign}");
        }
    }
}
