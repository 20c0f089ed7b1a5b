//! robots.txt: which addresses this program may open, and where a site says that its documents are.

use robotstxt::{DefaultMatcher, RobotsParseHandler, parse_robotstxt};
use url::Url;

use crate::identity::PRODUCT;

/// A robots.txt.
///
/// ```
/// use actions_interop::robots::Robots;
///
/// let robots = Robots::read("User-agent: *\nDisallow: /private\nSiteAI: /policy.json");
/// assert!(!robots.allows(&"https://example.com/private/a".parse().unwrap()));
/// assert!(robots.allows(&"https://example.com/public".parse().unwrap()));
/// assert_eq!(robots.policy, ["/policy.json"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    text: String,
    /// Where its policy is, by the directive `SiteAI`.
    pub policy: Vec<String>,
    /// Where its AWAS manifest is, by comments such as `# agentic-manifest:`.
    pub manifests: Vec<String>,
}

/// How much of a robots.txt is read, and of a line of it.
const MOST_BYTES: usize = 256 << 10;
const LONGEST_LINE: usize = 2_048;

/// How much is read of rules with a `*`. The matcher compares each of their bytes with the whole path.
const MOST_WITH_STARS: usize = 32 << 10;

/// How much of a path is compared.
const LONGEST_PATH: usize = 1_024;

/// The most places of one kind.
const MOST_PLACES: usize = 10;

/// What comments call the place of an AWAS manifest.
const MANIFEST_COMMENTS: &[&str] = &["agentic-manifest", "ai-actions", "awas-manifest"];

impl Robots {
    /// Reads a robots.txt. Any text is one.
    pub fn read(text: &str) -> Self {
        let mut kept = String::new();
        let mut stars_left = MOST_WITH_STARS;
        let lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']);
        for line in lines.filter(|line| line.len() <= LONGEST_LINE) {
            if kept.len() + line.len() > MOST_BYTES {
                break;
            }
            // A group keeps its agents, whatever is left out of its rules.
            if line.contains('*') && !line.to_ascii_lowercase().trim_start().starts_with("user-agent") {
                let Some(left) = stars_left.checked_sub(line.len()) else { continue };
                stars_left = left;
            }
            kept.push_str(line);
            kept.push('\n');
        }
        let mut directives = Directives::default();
        parse_robotstxt(&kept, &mut directives);
        let mut manifests: Vec<String> = kept.lines().filter_map(manifest).collect();
        manifests.truncate(MOST_PLACES);
        Self { policy: directives.policy, manifests, text: kept }
    }

    /// Whether this program may open an address.
    pub fn allows(&self, url: &Url) -> bool {
        let path: String =
            url[url::Position::BeforePath..url::Position::AfterQuery].chars().take(LONGEST_PATH).collect();
        DefaultMatcher::default().one_agent_allowed_by_robots(&self.text, PRODUCT, &path)
    }
}

/// The place that a comment names.
fn manifest(line: &str) -> Option<String> {
    let (name, place) = line.trim().strip_prefix('#')?.split_once(':')?;
    let is_one = MANIFEST_COMMENTS.iter().any(|known| name.trim().eq_ignore_ascii_case(known));
    let place = place.trim();
    (is_one && !place.is_empty()).then(|| place.to_owned())
}

/// The directives that are not about crawling.
#[derive(Default)]
struct Directives {
    policy: Vec<String>,
}

impl RobotsParseHandler for Directives {
    fn handle_robots_start(&mut self) {}
    fn handle_robots_end(&mut self) {}
    fn handle_user_agent(&mut self, _: u32, _: &str) {}
    fn handle_allow(&mut self, _: u32, _: &str) {}
    fn handle_disallow(&mut self, _: u32, _: &str) {}
    fn handle_sitemap(&mut self, _: u32, _: &str) {}

    fn handle_unknown_action(&mut self, _: u32, action: &str, value: &str) {
        let is_policy = action.eq_ignore_ascii_case("siteai") && !value.is_empty();
        if is_policy && self.policy.len() < MOST_PLACES {
            self.policy.push(value.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(robots: &str, path: &str) -> bool {
        Robots::read(robots).allows(&format!("https://example.com{path}").parse().unwrap())
    }

    #[test]
    fn a_group_of_our_name_counts_more_than_that_of_everyone() {
        let robots =
            "User-agent: *\nDisallow: /\n\nUser-agent: actions\nDisallow: /cart\nAllow: /cart/help\n";
        assert!(allows(robots, "/"));
        assert!(!allows(robots, "/cart/add"));
        assert!(allows(robots, "/cart/help"));
        assert!(!allows("User-agent: *\nDisallow: /*?print=", "/a?print=1"));
        assert!(allows("User-agent: otherbot\nDisallow: /", "/"));
        assert!(allows("", "/"));
    }

    #[test]
    fn places_are_named_by_a_directive_and_by_comments() {
        let robots =
            Robots::read("siteai: https://example.com/p.json\n# Agentic-Manifest: /ai.json\n# a: b\n");
        assert_eq!(robots.policy, ["https://example.com/p.json"]);
        assert_eq!(robots.manifests, ["/ai.json"]);
    }

    #[test]
    fn a_hostile_file_is_read_in_no_time() {
        let long = format!("User-agent: *\nDisallow: /{}\nDisallow: /b", "é*".repeat(100_000));
        assert!(allows(&long, "/a"));
        assert!(!allows(&long, "/b"));
        let many = format!("User-agent: *\n{}", "Disallow: /*a*a*a*a*a*b\n".repeat(100_000));
        assert!(allows(&many, &format!("/{}", "a".repeat(5_000))));
        for odd in ["\u{feff}User-agent: *\nDisallow: /x", "\u{ef}\u{bb}\u{bf}User-agent: *\nDisallow: /x"] {
            assert!(!allows(odd, "/x"), "{odd}");
        }
    }
}
