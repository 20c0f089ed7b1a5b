//! `wab.command`: sends a command to the bridge of a site.

use std::time::Duration;

use actions_browser::{Deadline, Error, Page, origin_of};
use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Host, WabAuth, WabCall, WabPage, WabPageAnswer, WabPlaces, WabTransport};

#[derive(Deserialize)]
pub(crate) struct Args {
    url: String,
    transports: WabPlaces,
    order: Option<Vec<WabTransport>>,
    method: String,
    #[serde(default)]
    params: serde_json::Map<String, Value>,
    #[serde(default)]
    auth: WabAuth,
    permission: Option<String>,
    session_ttl: u64,
    lenient: bool,
    max_bytes: usize,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    result: Value,
    transport: WabTransport,
    navigated: bool,
}

/// The order of transports for commands that say nothing.
const ORDER: [WabTransport; 3] = [WabTransport::Http, WabTransport::Websocket, WabTransport::JsGlobal];

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let caller = scene.stage.memory().host.get().and_then(Host::wab).ok_or_else(|| {
        let message = "this program sends no commands to bridges: it provides no `wab.command`";
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })?;
    let wished = args.order.unwrap_or_else(|| ORDER.to_vec());
    let order: Vec<WabTransport> =
        wished.into_iter().filter(|one| args.transports.on(*one).is_some()).collect();
    if order.is_empty() {
        let message = "the bridge offers none of the transports of `order`";
        return Err(Failure::new(ErrorCode::InvalidInput, message));
    }
    let origins = scene.stage.permits().origins.clone();
    for place in std::iter::once(&args.url).chain(&args.transports.http).chain(&args.transports.websocket) {
        let origin = origin_of(&as_web(place)).unwrap_or_default();
        if let Some(allowed) = origins.as_ref().filter(|allowed| !allowed.contains(&origin)) {
            let message = format!("`{origin}` is not an origin that this call may visit");
            return Err(Failure::new(ErrorCode::CrossOriginDenied, message)
                .with_evidence("address", place.as_str())
                .with_evidence("allowed_origins", allowed.iter().cloned().collect::<Vec<_>>()));
        }
    }
    let clock = scene.stage.clock();
    let deadline = scene.deadline.at_most(&*clock, Duration::from_millis(args.timeout_ms));
    let call = WabCall {
        places: args.transports,
        order,
        auth: args.auth,
        permission: args.permission,
        session_ttl: args.session_ttl,
        lenient: args.lenient,
        origins,
        max_bytes: args.max_bytes,
        ..WabCall::new(args.url, args.method, Value::Object(args.params))
    };
    let functions = PageFunctions { page: scene.page() };
    let answered = caller.command(call, &functions, deadline).await;
    let reply = answered.map_err(|failure| match failure.code {
        // The time of the command and the time of the call are told apart by what is over.
        ErrorCode::Timeout if scene.left().is_zero() => {
            Failure { code: ErrorCode::HandlerTimeout, ..failure }
        }
        _ => failure,
    })?;
    Ok(Output { result: reply.result, transport: reply.transport, navigated: reply.navigated })
}

/// The address of a WebSocket as the address of its site.
fn as_web(place: &str) -> String {
    match place.split_once("://") {
        Some(("ws", rest)) => format!("http://{rest}"),
        Some(("wss", rest)) => format!("https://{rest}"),
        _ => place.to_owned(),
    }
}

/// The functions of the page that the primitive works on.
struct PageFunctions<'p> {
    page: &'p dyn Page,
}

#[async_trait]
impl WabPage for PageFunctions<'_> {
    fn url(&self) -> String {
        self.page.url()
    }

    async fn call(&self, path: &str, args: &[Value], deadline: Deadline) -> WabPageAnswer {
        match self.page.call_page_function(path, args, deadline).await {
            Ok(value) => WabPageAnswer::Value(value),
            Err(Error::PageFunctionMissing { .. }) => WabPageAnswer::Missing,
            Err(Error::DocumentReplaced { .. } | Error::HandleStale) => WabPageAnswer::Navigated,
            Err(error) => WabPageAnswer::Failed(error.into()),
        }
    }
}
