//! `browser.navigate`: loads an address, or reloads the current one, and waits for the new document.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Arrival, arrived, load_state, within};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    url: Option<String>,
    wait_until: Option<String>,
    timeout_ms: Option<u64>,
    #[serde(default)]
    allow_http_error: bool,
}

#[derive(Serialize)]
pub(crate) struct Output {
    #[serde(flatten)]
    arrival: Arrival,
    reloaded: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let until = load_state(args.wait_until.as_deref());
    let deadline = within(&scene, args.timeout_ms);
    let navigated = match &args.url {
        Some(url) => scene.page().navigate(&address(&scene, url).await?, until, deadline).await?,
        None => scene.page().reload(until, deadline).await?,
    };
    let navigated = if args.allow_http_error { navigated } else { navigated.refuse_http_error()? };
    Ok(Output { arrival: arrived(&scene, navigated).await?, reloaded: args.url.is_none() })
}

/// Resolves an address. Only a relative address needs the page.
pub(super) async fn address(scene: &Scene<'_>, url: &str) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct Address {
        url: String,
    }
    let url = url.trim();
    let address = match scheme(url) {
        Some(_) => url.to_owned(),
        None => {
            let resolved = scene.read::<Address>("page.address", &json!({ "url": url })).await;
            // A crashed page can still navigate, but it cannot resolve a relative address.
            let lost = |failure: Failure| match failure.code {
                ErrorCode::PageCrashed => Failure { code: ErrorCode::NavigationFailed, ..failure },
                _ => failure,
            };
            resolved.map_err(lost)?.url
        }
    };
    match scheme(&address).map(str::to_ascii_lowercase).as_deref() {
        Some("http" | "https") => Ok(address),
        Some("about") if address.eq_ignore_ascii_case("about:blank") => Ok(address),
        _ => {
            Err(Failure::new(ErrorCode::UnsafeState, format!("`{address}` is not an http or https address"))
                .with_evidence("address", address)
                .with_evidence(
                    "hint",
                    "write the whole address, https:// included, or one that is relative to the page",
                ))
        }
    }
}

/// The scheme of an address, if it has one.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let mut letters = scheme.chars();
    let first = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    let rest = letters.all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    (first && rest).then_some(scheme)
}
