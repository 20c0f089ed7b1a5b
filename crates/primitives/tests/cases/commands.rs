//! A sender of commands that answers by itself: what a bridge would answer is decided by the name of the action.

use actions_browser::{Deadline, SystemClock};
use actions_primitives::{Failure, WabCall, WabCaller, WabPage, WabPageAnswer, WabReply, WabTransport};
use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde_json::Value;

/// A sender of commands. `echo` returns the parameters, `fail` fails with a code, `page` calls a function of the page, and
/// `never` does not answer.
#[derive(Debug)]
pub(crate) struct Commands;

#[async_trait]
impl WabCaller for Commands {
    async fn command(
        &self,
        call: WabCall,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<WabReply, Failure> {
        let transport = call.order.first().copied().unwrap_or(WabTransport::Http);
        let reply = |result, navigated| Ok(WabReply { result, transport, navigated });
        let data = &call.params["data"];
        match call.params["name"].as_str() {
            Some("fail") => {
                let code = data["code"].as_str().and_then(ErrorCode::from_wire).expect("a code");
                Err(Failure::new(code, "the bridge said no"))
            }
            Some("page") => {
                let path = data["path"].as_str().expect("a path");
                match page.call(path, &[data["value"].clone()], deadline).await {
                    WabPageAnswer::Value(value) => reply(value, false),
                    WabPageAnswer::Navigated => reply(Value::Null, true),
                    WabPageAnswer::Missing => {
                        Err(Failure::new(ErrorCode::TransportFailed, "there is no such function"))
                    }
                    WabPageAnswer::Failed(failure) => Err(failure),
                }
            }
            Some("never") => {
                tokio::time::sleep(deadline.remaining(&SystemClock)).await;
                Err(Failure::new(ErrorCode::Timeout, "no answer came"))
            }
            _ => reply(call.params.clone(), false),
        }
    }
}
