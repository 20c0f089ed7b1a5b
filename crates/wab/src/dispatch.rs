//! Answers commands: the one way that all transports end in.

use std::time::Instant;

use actions_engine::Timestamp;
use actions_protocol::WabCode;
use serde_json::{Value, json};

use crate::audit::Entry;
use crate::bridge::Bridge;
use crate::caller::{Caller, new_id};
use crate::event::Happened;
use crate::message::{Command, Fault, Reply};
use crate::methods::{METHODS, Situation};
use crate::permission::Permissions;
use crate::sessions::{Known, Scope};

/// The longest text of a caller that is kept in the log.
const LOGGED: usize = 200;

/// What a command has come to.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    /// The session that the command was sent in, or that it began.
    pub(crate) session: Option<Known>,
    /// The events that its client subscribed to.
    pub(crate) subscribed: Vec<String>,
}

impl Bridge {
    /// Answers a command.
    pub(crate) async fn answer(&self, caller: &Caller, mut command: Command) -> Answered {
        let shared = &self.shared;
        let began = shared.now();
        let received = shared.options.clock.unix_millis();
        let has_id = !command.id.is_null();
        if !has_id {
            command.id = json!(new_id("req"));
        }
        let mut rate = None;
        let mut session = None;
        let mut subscribed = Vec::new();
        let answered = async {
            if !shared.origins().accept(caller.origin.as_deref()) {
                return Err(Fault::new(
                    WabCode::OriginMismatch,
                    "the page of the command is not of an origin that the bridge accepts",
                ));
            }
            let token = command.token.as_deref();
            if token.is_some() && caller.is_far {
                let message =
                    "tokens travel only with TLS; put a server with TLS on the machine of the bridge";
                return Err(Fault::new(WabCode::PermissionDenied, message));
            }
            let known = token.map(|token| shared.sessions.find(token, &caller.holder, began)).transpose();
            let scope = match &known {
                Ok(Some(known)) => Scope::Session(known.id),
                Ok(None) | Err(_) => {
                    Scope::Caller(caller.origin.clone().unwrap_or_else(|| caller.holder.clone()))
                }
            };
            match shared.sessions.count(&scope, shared.options.max_rate, began) {
                Ok(left) => {
                    let reset = received / 1_000 + left.reset.as_secs();
                    rate = Some((left.remaining, reset));
                }
                Err(wait) => {
                    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                    rate = Some((0, received / 1_000 + seconds));
                    let message = format!("more than {} commands a minute", shared.options.max_rate);
                    return Err(Fault {
                        retry_after: Some(seconds.max(1)),
                        ..Fault::new(WabCode::RateLimited, message)
                    });
                }
            }
            session = known?;
            let line = caller.line.as_deref();
            if has_id && !shared.sessions.note(&scope, line, &command.id_text()) {
                let message = "a command with this id was received before";
                return Err(Fault::new(WabCode::DuplicateCommandId, message));
            }
            let Some(method) = METHODS.iter().find(|method| method.name == command.method) else {
                return Err(Fault::new(WabCode::InvalidMethod, "there is no such method"));
            };
            let granted = shared
                .permissions()
                .and(session.as_ref().map_or(Permissions::ALL, |known| known.permissions));
            let situation = Situation { bridge: self, caller, session: session.as_ref(), granted };
            let limit = shared.options.timeout;
            let performed =
                tokio::time::timeout(limit, (method.perform)(situation, command.params.clone())).await;
            let message = || format!("the command did not end within {} seconds", limit.as_secs());
            let done = performed.map_err(|_| Fault::new(WabCode::Timeout, message()))??;
            session = done.session.or(session.take());
            subscribed = done.subscribed;
            Ok(done.result)
        }
        .await;
        let mut reply = Reply::new(&command.id, answered);
        reply.rate = rate;
        self.tell(&command, &reply, session.as_ref());
        self.log(caller, &command, &reply, session.as_ref(), (began, received));
        Answered { reply, session, subscribed }
    }

    /// Tells those who subscribe what was done, or that it failed.
    fn tell(&self, command: &Command, reply: &Reply, session: Option<&Known>) {
        let only = session.map(|known| known.id);
        match reply.fault {
            None if command.method == "wab.executeAction" => {
                let data =
                    json!({ "name": command.params.get("name").or_else(|| command.params.get("action")) });
                self.shared.tell(Happened::new("actionExecuted", data));
            }
            None => {}
            Some(code) => {
                let data =
                    json!({ "code": code.as_str(), "method": command.method, "commandId": command.id });
                self.shared.tell(Happened { only, ..Happened::new("error", data) });
                if code == WabCode::SessionExpired {
                    self.shared.tell(Happened { only, ..Happened::new("sessionExpired", json!({})) });
                }
            }
        }
    }

    fn log(
        &self,
        caller: &Caller,
        command: &Command,
        reply: &Reply,
        session: Option<&Known>,
        (began, received): (Instant, u64),
    ) {
        let short =
            |text: &str| -> String { text.chars().filter(|c| !c.is_control()).take(LOGGED).collect() };
        let latency = self.shared.now().saturating_duration_since(began);
        self.shared.options.audit.keep(&Entry {
            timestamp: Timestamp::from_unix_millis(received),
            command_id: short(&command.id_text()),
            method: short(&command.method),
            agent_id: session.map(|known| known.agent.clone()).or_else(|| caller.agent.as_deref().map(short)),
            origin: caller.origin.as_deref().map(short),
            status: if reply.fault.is_none() { "success" } else { "error" },
            error_code: reply.fault.map(WabCode::as_str),
            latency_ms: u64::try_from(latency.as_millis()).unwrap_or(u64::MAX),
        });
    }
}

/// The message of a command that cannot be read.
pub(crate) fn refused(id: &Value, fault: Fault) -> Reply {
    Reply::new(id, Err(fault))
}
