//! Whether something a map declares applies to a page, by the page's address.

use crate::compose::{Exposed, Part};
use crate::model::{Context, Projection, Scope, Tool, UrlPatterns};
use crate::url_match::url_matches;

impl Exposed<'_, Tool> {
    /// Whether the tool applies to a page of this address.
    pub fn applies_to(&self, url: &str) -> bool {
        let bound = self.item.x_actions.as_ref().and_then(|x_actions| x_actions.binding.as_ref());
        let bound = bound.and_then(|binding| binding.target_url_contains.as_deref());
        let target = self.item.target.as_ref();
        map_applies(self.part, url)
            && bound.is_none_or(|part| url.contains(part))
            && target.and_then(|target| target.url_contains.as_deref()).is_none_or(|part| url.contains(part))
            && any_matches(target.and_then(|target| target.url_matches.as_ref()), url)
    }
}

impl Exposed<'_, Projection> {
    /// Whether the projection applies to a page of this address.
    pub fn applies_to(&self, url: &str) -> bool {
        scope_covers(self.scope(), url)
    }

    /// The scope that decides where it applies: its own, else that of its map.
    fn scope(&self) -> Option<&Scope> {
        self.item.scope.as_ref().or_else(|| self.part.scope())
    }

    /// The patterns of the addresses it applies to: every list must have one that matches.
    pub fn url_patterns(&self) -> Vec<Vec<String>> {
        let patterns = self.scope().and_then(|scope| scope.url_matches.as_ref());
        let patterns = patterns.filter(|patterns| !patterns.0.is_empty()).into_iter();
        patterns.map(|patterns| patterns.0.iter().map(|pattern| pattern.value.clone()).collect()).collect()
    }
}

impl Exposed<'_, Context> {
    /// Whether the context block is to be loaded on a page of this address, as far as the address decides that.
    pub fn applies_to(&self, url: &str) -> bool {
        let Some(when) = &self.item.load_when else { return map_applies(self.part, url) };
        let contains = when.url_contains.as_ref();
        map_applies(self.part, url)
            && contains.is_none_or(|parts| parts.0.iter().any(|part| url.contains(part.as_str())))
            && any_matches(when.url_matches.as_ref(), url)
    }
}

fn map_applies(part: &Part, url: &str) -> bool {
    scope_covers(part.scope(), url)
}

fn scope_covers(scope: Option<&Scope>, url: &str) -> bool {
    any_matches(scope.and_then(|scope| scope.url_matches.as_ref()), url)
}

/// Whether any pattern matches. Without patterns, and with an empty list of them, everything does.
fn any_matches(patterns: Option<&UrlPatterns>, url: &str) -> bool {
    patterns.is_none_or(|patterns| {
        patterns.0.is_empty() || patterns.0.iter().any(|pattern| url_matches(pattern, url))
    })
}
