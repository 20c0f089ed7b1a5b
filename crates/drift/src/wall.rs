//! Tells a site that changed from a page that something stands in front of: a login, a bot wall, a consent wall, an error.
//!
//! A page is asked about walls only when something that should be on it is missing or covered, so that a login form in a
//! header or a banner at the bottom is never mistaken for one.

use actions_engine::ErrorCode;
use actions_primitives::PageFacts;

use crate::lock::LockedPage;
use crate::status::Status;
use crate::target::digest;

/// Text up to this length may stand on a page that only says that it is loading.
const LOADING_TEXT: u64 = 60;
/// A page with more than this to operate is no wall.
const FEW: usize = 12;

/// What stands in front of a page.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    pub(crate) status: Status,
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

/// What is known when something is missing.
pub(crate) struct Situation<'s> {
    pub(crate) facts: &'s PageFacts,
    /// The address that was asked for.
    pub(crate) asked: &'s str,
    /// The page as the lock knows it.
    pub(crate) before: Option<&'s LockedPage>,
    /// Whether the state that shows the login page is current.
    pub(crate) shows_login: bool,
    /// How many of the elements that should be on the page are missing, or are something else now.
    pub(crate) missing: usize,
    /// How many are there but covered.
    pub(crate) covered: usize,
    /// How many should be there.
    pub(crate) due: usize,
}

/// What a page with an HTTP error status means.
pub(crate) fn of_status(status: u16, facts: Option<&PageFacts>) -> Option<Wall> {
    let challenged = facts.is_some_and(|facts| !facts.challenges.is_empty());
    let asks = facts.is_some_and(|facts| facts.password_fields > 0);
    if status < 400 {
        return None;
    }
    let (kind, code, what) = match status {
        _ if challenged => {
            (Status::Blocked, ErrorCode::PermissionDenied, "asks visitors to prove that they are people")
        }
        401 => (Status::AuthLost, ErrorCode::AuthLost, "asks for a login"),
        403 if asks => (Status::AuthLost, ErrorCode::AuthLost, "asks for a login"),
        403 | 429 | 451 => (Status::Blocked, ErrorCode::PermissionDenied, "refuses this visitor"),
        // The site answers, and says that the page is gone: the map is wrong.
        404 | 410 => (Status::Failed, ErrorCode::NavigationFailed, "says that the page is not there"),
        _ => (Status::SiteDown, ErrorCode::NavigationFailed, "answers with an error"),
    };
    Some(Wall { status: kind, code, message: format!("the site {what} (HTTP status {status})") })
}

/// What stands in front of a page on which something is missing; `None` if the page itself has changed.
pub(crate) fn in_front(situation: &Situation<'_>) -> Option<Wall> {
    let Situation { facts, missing, covered, due, .. } = situation;
    let wall = |status, code, message: String| Some(Wall { status, code, message });
    if facts.operable.is_empty() && facts.text_length == 0 && facts.wall.is_none() {
        return wall(Status::SiteDown, ErrorCode::NavigationFailed, "the page stays blank".to_owned());
    }
    if facts.operable.is_empty() && !facts.waiting.is_empty() && facts.text_length <= LOADING_TEXT {
        let message = format!("the page only shows that it is loading: {}", facts.waiting.join(", "));
        return wall(Status::SiteDown, ErrorCode::Timeout, message);
    }
    let most_missing = missing * 2 > *due;
    if situation.is_the_known_page() {
        return covering(situation);
    }
    if !facts.challenges.is_empty() && most_missing && facts.operable.len() <= FEW {
        let message =
            format!("the page asks visitors to prove that they are people: {}", facts.challenges[0]);
        return wall(Status::Blocked, ErrorCode::PermissionDenied, message);
    }
    let asks = facts.password_fields > 0 && most_missing && facts.operable.len() <= FEW;
    if *missing > 0 && (situation.shows_login || asks) {
        return wall(Status::AuthLost, ErrorCode::AuthLost, "a login stands in front of the page".to_owned());
    }
    if most_missing && host(&facts.url) != host(situation.asked) {
        let message = format!("the site leads to another host: {}", facts.url);
        return wall(Status::Blocked, ErrorCode::PermissionDenied, message);
    }
    if *missing > 0 || *covered > 0 { covering(situation) } else { None }
}

/// Something that lies over the page.
fn covering(situation: &Situation<'_>) -> Option<Wall> {
    let over = situation.facts.wall.as_ref()?;
    let hides = situation.covered > 0 || situation.missing * 2 > situation.due;
    let message = format!("`{}` lies over the page", over.label);
    hides.then_some(Wall { status: Status::Blocked, code: ErrorCode::PermissionDenied, message })
}

impl Situation<'_> {
    /// Whether at least half of what could be operated on the page is still there, and the page names no login or challenge
    /// that was not there.
    fn is_the_known_page(&self) -> bool {
        let Some(before) = self.before.filter(|before| before.operable.len() >= 2) else { return false };
        let now: Vec<String> = self.facts.operable.iter().map(|name| digest(name)[..8].to_owned()).collect();
        let kept = before.operable.iter().filter(|known| now.contains(known)).count();
        kept * 2 >= before.operable.len()
    }
}

fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
