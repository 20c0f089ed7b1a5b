//! `wab.readContent`: reads the text and the clean HTML of an element.

use std::time::Duration;

use actions_engine::browser::{Call, Deadline};
use actions_engine::{CallError, ErrorCode, Failure};
use actions_protocol::WabCode;
use actions_runtime::{Route, ToolCall};
use serde::Deserialize;
use serde_json::json;

use super::{Done, Params, Situation, text};
use crate::message::Fault;
use crate::permission::{Permission, Permissions};
use crate::sanitise::sanitise;

/// The longest HTML that is read, in characters.
const MOST: usize = 400_000;
/// The longest selector.
const LONGEST_SELECTOR: usize = 4_000;
/// How long reading may take.
const READING: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
struct Markup {
    markup: String,
}

pub(super) async fn perform(situation: Situation<'_>, params: Params) -> Result<Done, Fault> {
    let shared = &situation.bridge.shared;
    let selector = text(&params, "selector")?;
    if selector.len() > LONGEST_SELECTOR {
        return Err(Fault::new(WabCode::InvalidParams, "the selector is too long"));
    }
    if let Some(missing) = situation.granted.missing(Permissions::of([Permission::ReadContent])) {
        let message = format!("reading needs `{}`, which is not granted", missing.as_str());
        return Err(Fault::new(WabCode::PermissionDenied, message));
    }
    if !shared.options.selectors.allow(selector) {
        return Err(Fault::new(WabCode::SelectorBlocked, "the bridge does not let agents use this selector"));
    }
    let locator = json!({ "selector": selector });
    // The primitive passes the policy of the site, as every call does.
    let call = ToolCall::of_primitive("locator.text_content")
        .arguments(json!({ "locator": locator }))
        .on(Route::Current)
        .by(situation.caller.of_session());
    let read = Box::pin(shared.session.call(call)).await.result.map_err(|error| Fault::of(&error))?;
    let lease = shared.session.lease(&Route::Current).await.map_err(|error| Fault::of(&error))?;
    let page = lease.page();
    let deadline = Deadline::after(&*lease.stage().clock(), READING);
    let frame = page.main_frame();
    let args = json!({ "locator": locator, "max_chars": MOST });
    let markup = page.call::<Markup>(Call::new(&frame, "dom.markup", &args).repeatable(), deadline).await;
    let html = match markup {
        Ok(found) => sanitise(&found.markup),
        Err(error) => {
            let error = CallError::from(Failure::from(error));
            match error.code {
                // The text is complete; only its form is too large.
                ErrorCode::PayloadTooLarge => String::new(),
                _ => return Err(Fault::of(&error)),
            }
        }
    };
    Ok(json!({ "text": read["text"], "html": html, "selector": selector }).into())
}
