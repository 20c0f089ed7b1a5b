//! Looks for the policy of a site: at its root, at the well-known place, by a link of its home page, and by its robots.txt.

use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::read::{ReadOptions, Reading, read};
use super::site::{Looked, SitePolicy, State};
use crate::fetch::{Bounds, Client, FetchError, Request, Response, is_local};
use crate::html::hints;
use crate::robots::Robots;

/// How policies are looked for and read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObtainOptions {
    /// Whether the draft of version 1.1 is read, and looked for at its own place.
    pub draft_1_1: bool,
}

/// How long a policy that says nothing of it is used without asking again.
const POLICY_LIFE: Duration = Duration::from_secs(3_600);

/// How long the links of a home page are used.
const HINTS_LIFE: Duration = Duration::from_secs(300);

/// What a place for a policy had.
enum Found {
    /// Something that wants to be a policy.
    Document(Arc<Response>),
    /// Nothing.
    Nothing { result: String, is_odd: bool },
    /// A document that cannot be read.
    Unreadable(String),
    /// No answer.
    Failed(String),
}

impl Found {
    fn of(result: Result<Arc<Response>, FetchError>) -> Self {
        let response = match result {
            Ok(response) => response,
            Err(error @ FetchError::TooLarge { .. }) => return Self::Unreadable(error.to_string()),
            Err(error) => return Self::Failed(error.to_string()),
        };
        match response.status {
            200..300 if is_page(&response) => Self::nothing("a page, not a document".to_owned()),
            200..300 => Self::Document(response),
            500.. => Self::Failed(format!("HTTP {}", response.status)),
            404 | 410 => Self::nothing(format!("HTTP {}", response.status)),
            status => Self::Nothing { result: format!("HTTP {status}"), is_odd: true },
        }
    }

    fn nothing(result: String) -> Self {
        Self::Nothing { result, is_odd: false }
    }

    fn result(&self) -> String {
        match self {
            Self::Document(response) => format!("HTTP {}, {} bytes", response.status, response.body.len()),
            Self::Nothing { result, .. } | Self::Unreadable(result) | Self::Failed(result) => result.clone(),
        }
    }
}

/// Whether a response is a web page: many sites answer every address with their home page.
fn is_page(response: &Response) -> bool {
    let first = response.body.iter().find(|byte| !byte.is_ascii_whitespace());
    first == Some(&b'<')
}

/// The robots.txt of a site, if it has one.
pub(crate) async fn robots(client: &Client, site: &Url) -> Option<Arc<Robots>> {
    let url = site.join("/robots.txt").ok()?;
    let bounds = Bounds { truncate: true, ..client.bounds() };
    let response = client.kept(Request::get(url).bounds(bounds), POLICY_LIFE).await.ok()?;
    (response.is_success() && !is_page(&response)).then(|| Arc::new(Robots::read(&response.text())))
}

/// The home page of a site, or the beginning of it.
pub(crate) async fn home(client: &Client, site: &Url) -> Result<Arc<Response>, FetchError> {
    let bounds = Bounds { truncate: true, ..client.bounds() };
    let request = Request::get(site.clone()).header("accept", "text/html").bounds(bounds);
    client.kept(request, HINTS_LIFE).await
}

/// A search for the policy of a site.
struct Search<'c> {
    client: &'c Client,
    site: Url,
    options: ObtainOptions,
    looked: Vec<Looked>,
    warnings: Vec<String>,
}

/// Looks for the policy of the site at this origin. Every step is bounded by the client, so this ends.
pub async fn obtain(client: &Client, origin: &str, options: ObtainOptions) -> SitePolicy {
    let Ok(site) = Url::parse(origin) else {
        return SitePolicy::empty(origin, State::Absent);
    };
    let mut search = Search { client, site, options, looked: Vec::new(), warnings: Vec::new() };
    let (robots, root) = tokio::join!(robots(client, &search.site), search.client_document("/siteai.json"));
    let mut policy = search.from(origin, root, robots.as_deref()).await;
    policy.robots = robots;
    policy.looked = search.looked;
    policy.warnings.splice(0..0, search.warnings);
    policy
}

impl Search<'_> {
    async fn client_document(&self, place: &str) -> (Option<Url>, Found) {
        let Ok(url) = self.site.join(place) else {
            return (None, Found::nothing("not an address".to_owned()));
        };
        let found = Found::of(self.client.document(&url, POLICY_LIFE).await);
        (Some(url), found)
    }

    /// Follows the order of places, beginning with what the root had; the first that has a document decides.
    async fn from(
        &mut self,
        origin: &str,
        root: (Option<Url>, Found),
        robots: Option<&Robots>,
    ) -> SitePolicy {
        let unreachable = match &root.1 {
            Found::Failed(reason) => Some(reason.clone()),
            _ => None,
        };
        if let Some(policy) = self.note(origin, root).await {
            return policy;
        }
        let (well_known, home) =
            tokio::join!(self.client_document("/.well-known/siteai.json"), home(self.client, &self.site),);
        if let Some(policy) = self.note(origin, well_known).await {
            return policy;
        }
        let linked = match &home {
            Ok(page) => hints(&page.text()).policy,
            Err(_) => Vec::new(),
        };
        let named = robots.map(|robots| robots.policy.clone()).unwrap_or_default();
        let draft = self.options.draft_1_1.then(|| "/.well-known/a2wf/siteai.json".to_owned());
        // One link and one directive are enough; a page with more does not make this program walk around.
        let further = linked.into_iter().take(2).chain(named.into_iter().take(2)).chain(draft);
        for place in further.collect::<Vec<_>>() {
            let found = self.client_document(&place).await;
            if let Some(policy) = self.note(origin, found).await {
                return policy;
            }
        }
        match unreachable {
            Some(reason) => {
                SitePolicy { reason: Some(reason), ..SitePolicy::empty(origin, State::Unavailable) }
            }
            None => SitePolicy::empty(origin, State::Absent),
        }
    }

    /// Notes what a place had; a document becomes the policy.
    async fn note(&mut self, origin: &str, (url, found): (Option<Url>, Found)) -> Option<SitePolicy> {
        let url = url?;
        self.looked.push(Looked { url: url.to_string(), result: found.result() });
        match found {
            Found::Document(response) => Some(self.policy(origin, &url, response).await),
            Found::Unreadable(reason) => {
                let empty = SitePolicy::empty(origin, State::Invalid);
                Some(SitePolicy { url: Some(url), reason: Some(reason), ..empty })
            }
            Found::Nothing { result, is_odd: true } => {
                self.warnings.push(format!("{url} answered {result}"));
                None
            }
            Found::Nothing { .. } | Found::Failed(_) => None,
        }
    }

    async fn policy(&self, origin: &str, url: &Url, response: Arc<Response>) -> SitePolicy {
        let policy = assess(origin, &response, self.options, self.client.clock().unix_millis());
        if policy.state != State::Expired {
            return policy;
        }
        // What is kept may be old: only a copy from the site itself has expired.
        self.client.forget(url);
        match Found::of(self.client.document(url, POLICY_LIFE).await) {
            Found::Document(again) => assess(origin, &again, self.options, self.client.clock().unix_millis()),
            _ => policy,
        }
    }
}

/// What a document is as the policy of a site.
pub fn assess(origin: &str, response: &Response, options: ObtainOptions, now: u64) -> SitePolicy {
    let read_options = ReadOptions { draft_1_1: options.draft_1_1, now: None };
    let reading = read(response.url.as_str(), &response.body, read_options);
    let (state, reason) = standing(origin, response, &reading, now);
    let content_type = response.content_type();
    let is_json =
        content_type.as_deref().is_some_and(|found| found == "application/json" || found.ends_with("+json"));
    let odd_type = (!is_json).then(|| {
        let found = content_type.as_deref().unwrap_or("no type");
        format!("{} comes as {found}, not as application/json", response.url)
    });
    let found = reading.findings.iter().map(|finding| {
        let position = finding.position();
        format!("{} at {}:{}: {}", finding.rule.code, position.line, position.column, finding.message)
    });
    let warnings = odd_type.into_iter().chain(found.take(20)).collect();
    SitePolicy {
        reason,
        url: Some(response.url.clone()),
        // Nothing of a document about another site counts.
        policy: if state == State::CrossDomain { Arc::default() } else { Arc::new(reading.policy) },
        warnings,
        fetched_at: response.fetched_at,
        ..SitePolicy::empty(origin, state)
    }
}

fn standing(origin: &str, response: &Response, reading: &Reading, now: u64) -> (State, Option<String>) {
    let site = Url::parse(origin).ok();
    let from_elsewhere = site.as_ref().is_none_or(|site| site.origin() != response.url.origin());
    let describes = match (&reading.policy.domain, &site) {
        (Some(domain), Some(site)) => names(domain, site),
        // Without a domain, a document can only describe the site that serves it.
        _ => !from_elsewhere,
    };
    if !describes {
        let domain = reading.policy.domain.as_ref().map_or("no site", |domain| domain.as_str());
        return (
            State::CrossDomain,
            Some(format!("cross_domain: the document describes {domain}, not {origin}")),
        );
    }
    if let Some(error) = reading.first_error() {
        let code = match error.rule.code {
            "A2WF002" => "unsupported_version".to_owned(),
            code => format!("{code} {}", error.message),
        };
        return (State::Invalid, Some(code));
    }
    if response.url.scheme() != "https" && !is_local(&response.url) {
        return (State::Insecure, Some("insecure: it was not served over TLS".to_owned()));
    }
    match reading.policy.expires_at {
        Some(end) if end < now => {
            let end = actions_protocol::Timestamp::from_unix_millis(end);
            (State::Expired, Some(format!("it ended at {end}")))
        }
        _ => (State::Valid, None),
    }
}

/// Whether the domain of a policy names a site: the same host, with or without `www.` before it, and the same port unless
/// both are this machine.
pub(super) fn names(domain: &Url, site: &Url) -> bool {
    let host = |url: &Url| url.host_str().map(|host| host.trim_end_matches('.').to_ascii_lowercase());
    let (Some(domain_host), Some(site_host)) = (host(domain), host(site)) else { return false };
    let is_same = domain_host == site_host
        || domain_host.strip_prefix("www.") == Some(&site_host)
        || site_host.strip_prefix("www.") == Some(&domain_host);
    // A site may say https in its policy and be reached by http, and its own port goes with the scheme.
    let own_port = |url: &Url| url.port().is_none();
    let same_port = domain.port() == site.port() || own_port(domain) && own_port(site);
    is_same && (same_port || is_local(domain) && is_local(site))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_policy_names_exactly_its_host() {
        let names = |domain: &str, site: &str| super::names(&domain.parse().unwrap(), &site.parse().unwrap());
        assert!(names("https://example.com", "https://example.com"));
        assert!(names("https://www.example.com/", "https://example.com"));
        assert!(names("https://Example.com", "https://www.example.com"));
        assert!(names("http://127.0.0.1", "http://127.0.0.1:4711"));
        assert!(!names("https://www.www.example.com", "https://example.com"));
        assert!(!names("https://shop.example.com", "https://example.com"));
        assert!(!names("https://example.com", "https://shop.example.com"));
        assert!(!names("https://example.com:8443", "https://example.com"));
        assert!(!names("https://example.com.evil.example", "https://example.com"));
    }
}
