//! Commands by the functions of a page. They are called by reference with JSON arguments; nothing becomes source text.

use std::time::Duration;

use actions_engine::browser::{Deadline, origin_of};
use actions_engine::{ErrorCode, Failure, WabCall, WabPage, WabPageAnswer};
use serde_json::{Value, json};

use super::wire::{Answer, Attempt, Command, Pace};
use super::{Agent, reply};
use crate::wab::transports::{GLOBAL, is_path};

/// The function that takes whole commands.
const BIDI: &str = "__wab_bidi.send";
/// How long the bridge of a page may take to appear.
const APPEARING: Duration = Duration::from_secs(5);
/// The time between two looks for it.
const LOOK: Duration = Duration::from_millis(100);

/// A function of the object in the page: the method it stands for, its name, and the parameters that are its arguments.
const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("wab.discover", "discover", &[]),
    ("wab.getContext", "getContext", &[]),
    ("wab.getActions", "getActions", &["category"]),
    ("wab.executeAction", "execute", &["name", "data"]),
    ("wab.readContent", "readContent", &["selector"]),
    ("wab.getPageInfo", "getPageInfo", &[]),
    ("wab.authenticate", "authenticate", &["apiKey", "meta"]),
    ("wab.ping", "ping", &[]),
];

impl Agent {
    /// Sends a command by the functions of the page, which has to be of the site.
    pub(super) async fn by_page(
        &self,
        place: &str,
        call: &WabCall,
        command: &Command<'_>,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<(Option<Answer>, Pace), Attempt> {
        if !is_path(place) {
            let message = format!("`{place}` is not the name of an object");
            return Err(Attempt::NotSent(Failure::new(ErrorCode::InvalidInput, message)));
        }
        let until = self.clock.now() + APPEARING.min(deadline.remaining(&*self.clock) / 2);
        loop {
            let here = page.url();
            if origin_of(&here).is_none() || origin_of(&here) != origin_of(&call.url) {
                let message = "the page is not of the site of the bridge";
                let failure = Failure::new(ErrorCode::TransportFailed, message).with_evidence("page", here);
                return Err(Attempt::NotSent(failure));
            }
            // An object of another name has no whole commands.
            if place == GLOBAL
                && let Some(answer) = self.whole(command, page, deadline).await?
            {
                return sized(answer, call.max_bytes);
            }
            if let Some(answer) = self.function(place, command, page, deadline).await? {
                return sized(answer, call.max_bytes);
            }
            let now = self.clock.now();
            if now >= until {
                let message = format!("the page has no bridge: neither `{BIDI}` nor `{place}`");
                return Err(Attempt::NotSent(Failure::new(ErrorCode::TransportFailed, message)));
            }
            self.clock.sleep_until((now + LOOK).min(until)).await;
        }
    }

    /// Sends the whole command. None if the page has no function for it, or does not know the method.
    async fn whole(
        &self,
        command: &Command<'_>,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<Option<Came>, Attempt> {
        match page.call(BIDI, &[command.message()], deadline).await {
            WabPageAnswer::Missing => Ok(None),
            WabPageAnswer::Navigated => Ok(Some(Came::Nothing)),
            WabPageAnswer::Failed(failure) => Err(ended(failure, command)),
            WabPageAnswer::Value(envelope) => {
                let answer = Answer { envelope, status: None };
                let refused = reply::read(&answer, true).err();
                // Some bridges know half of the methods here, and the others by functions of their own.
                match refused.is_some_and(|failure| failure.code == ErrorCode::TransportFailed) {
                    true => Ok(None),
                    false => Ok(Some(Came::Answer(answer))),
                }
            }
        }
    }

    /// Calls the function of a method. None if the page does not have it.
    async fn function(
        &self,
        place: &str,
        command: &Command<'_>,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<Option<Came>, Attempt> {
        let Some((_, name, parameters)) = FUNCTIONS.iter().find(|(method, ..)| *method == command.method)
        else {
            return Ok(None);
        };
        let given = parameters.iter().map(|name| command.params.get(*name).cloned());
        let mut args: Vec<Value> = given.map(|value| value.unwrap_or(Value::Null)).collect();
        while args.last().is_some_and(Value::is_null) {
            args.pop();
        }
        match page.call(&format!("{place}.{name}"), &args, deadline).await {
            WabPageAnswer::Missing => Ok(None),
            WabPageAnswer::Navigated => Ok(Some(Came::Nothing)),
            WabPageAnswer::Failed(failure) => Err(ended(failure, command)),
            WabPageAnswer::Value(result) => {
                let envelope = json!({ "id": command.id, "type": "success", "result": result });
                Ok(Some(Came::Answer(Answer { envelope, status: None })))
            }
        }
    }
}

/// What came from the page.
enum Came {
    Answer(Answer),
    /// The page went to another document.
    Nothing,
}

/// What the failure of a function means for the command.
fn ended(failure: Failure, command: &Command<'_>) -> Attempt {
    match failure.code {
        ErrorCode::ScriptFailed => Attempt::Ended(reply::thrown(failure)),
        // Without a page nothing can have run.
        ErrorCode::CapabilityUnavailable => Attempt::NotSent(failure),
        _ if command.acts() => Attempt::Ended(failure),
        _ => Attempt::NotSent(failure),
    }
}

fn sized(came: Came, max_bytes: usize) -> Result<(Option<Answer>, Pace), Attempt> {
    let Came::Answer(answer) = came else { return Ok((None, Pace::default())) };
    let size = answer.envelope.to_string().len();
    if size > max_bytes {
        let message = format!("the answer of the bridge has {size} bytes");
        return Err(Attempt::Ended(
            Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", max_bytes),
        ));
    }
    Ok((Some(answer), Pace::default()))
}
