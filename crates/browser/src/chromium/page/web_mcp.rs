//! Tools that a page registers itself, by the `WebMCP` domain of the protocol.
//!
//! The domain is switched on for each use and off again, so that a page that registers tools without end costs nothing.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::js_protocol::runtime::GetIsolateIdParams;
use chromiumoxide_types::{MethodId, MethodType};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ChromiumPage;
use crate::cdp::Session;
use crate::{Deadline, Error, FrameId, Lifecycle, PageEvent, PageTool, PageToolAnswer, PageTools};

const ENABLE: &str = "WebMCP.enable";
const DISABLE: &str = "WebMCP.disable";

/// How many tools are listed.
const MOST_TOOLS: usize = 200;

#[derive(Deserialize)]
struct ToolsAdded {
    tools: Vec<WireTool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTool {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    input_schema: Option<Value>,
    #[serde(default)]
    annotations: Annotations,
    frame_id: String,
    /// The form that is the tool, if one is.
    #[serde(default)]
    backend_node_id: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    autosubmit: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResponded {
    invocation_id: String,
    status: String,
    #[serde(default)]
    output: Value,
    #[serde(default)]
    error_text: Option<String>,
}

impl MethodType for ToolsAdded {
    fn method_id() -> MethodId {
        MethodId::Borrowed("WebMCP.toolsAdded")
    }
}

impl MethodType for ToolResponded {
    fn method_id() -> MethodId {
        MethodId::Borrowed("WebMCP.toolResponded")
    }
}

impl From<WireTool> for PageTool {
    fn from(tool: WireTool) -> Self {
        Self {
            name: tool.name,
            description: tool.description,
            input_schema: tool.input_schema,
            frame: FrameId::new(tool.frame_id),
            reads_only: tool.annotations.read_only,
            submits_itself: tool.backend_node_id.map(|_| tool.annotations.autosubmit),
        }
    }
}

#[async_trait]
impl PageTools for ChromiumPage {
    async fn page_tools(&self, deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error> {
        self.refuse_if_blocked()?;
        let homes = self.state().homes();
        let mut tools = Vec::new();
        for home in &homes {
            match self.tools_of(home, deadline).await {
                Ok(Some(found)) => tools.extend(found),
                Ok(None) => return Ok(None),
                // The frame has left meanwhile, and its tools with it.
                Err(Error::FrameDetached { .. } | Error::FrameCrashed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        tools.truncate(MOST_TOOLS);
        Ok(Some(tools))
    }

    async fn call_page_tool(
        &self,
        frame: &FrameId,
        name: &str,
        input: &Value,
        deadline: Deadline,
    ) -> Result<PageToolAnswer, Error> {
        self.refuse_if_blocked()?;
        let home = self.home_of(frame, deadline).await?;
        let mut responded = home.subscribe::<ToolResponded>();
        let mut events = self.events();
        let nothing = json!({});
        self.answer(home.send_raw(ENABLE, &nothing, deadline)).await?;
        let call = json!({ "frameId": frame.as_str(), "toolName": name, "input": input });
        let invoked = self.answer(home.send_raw("WebMCP.invokeTool", &call, deadline)).await;
        let answered = match invoked {
            Ok(invoked) => {
                let id = invoked["invocationId"].as_str().unwrap_or_default().to_owned();
                let answered = tokio::select! {
                    biased;
                    answered = answer_to(&id, &mut responded) => answered.ok_or(Error::PageClosed),
                    error = self.lost(frame, &mut events) => Err(error),
                    () = self.clock().sleep_until(deadline.at()) => Err(Error::Timeout {
                        waited_for: format!("the answer of the page's tool `{name}`").into(),
                        limit: deadline.limit(),
                        saw: None,
                    }),
                };
                if answered.is_err() {
                    let cancel = json!({ "invocationId": id });
                    drop(home.send_raw("WebMCP.cancelInvocation", &cancel, deadline));
                }
                answered
            }
            Err(error) => Err(error),
        };
        drop(home.send_raw(DISABLE, &nothing, deadline));
        answered
    }
}

impl ChromiumPage {
    /// The tools of the frames of one process; `None` if the browser has no such domain, or it is off.
    async fn tools_of(&self, home: &Session, deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error> {
        let mut added = home.subscribe::<ToolsAdded>();
        let nothing = json!({});
        // Sent together. The answer of the last one shows that every event of the first one has arrived.
        let enabled = home.send_raw(ENABLE, &nothing, deadline);
        let looked = home.send(GetIsolateIdParams {}, deadline);
        let disabled = home.send_raw(DISABLE, &nothing, deadline);
        let enabled = self.answer(enabled).await;
        let looked = self.answer(looked).await;
        // It was on before only if another call is under way, which switches it off itself.
        let _ = self.answer(disabled).await;
        match enabled {
            Err(Error::Refused { .. }) => return Ok(None),
            other => other?,
        };
        looked?;
        let mut tools: Vec<PageTool> = Vec::new();
        while let Some(ToolsAdded { tools: more }) = added.try_recv() {
            let room = MOST_TOOLS - tools.len();
            tools.extend(more.into_iter().take(room).map(PageTool::from));
        }
        Ok(Some(tools))
    }

    /// Completes when a dialog opens, the frame leaves the page or the page ends, with the error of what waits for it.
    async fn lost(&self, frame: &FrameId, events: &mut tokio::sync::broadcast::Receiver<PageEvent>) -> Error {
        loop {
            if let Err(error) = self.refuse_if_blocked() {
                return error;
            }
            if !self.holds_frame(frame) {
                return Error::FrameDetached { frame: frame.clone() };
            }
            if let Err(tokio::sync::broadcast::error::RecvError::Closed) = events.recv().await {
                return Error::PageClosed;
            }
        }
    }
}

/// The answer to a call; `None` once the session has ended.
async fn answer_to(
    id: &str,
    responded: &mut crate::cdp::Subscription<ToolResponded>,
) -> Option<PageToolAnswer> {
    loop {
        let answer = responded.recv().await?;
        if answer.invocation_id != id {
            continue;
        }
        return Some(match answer.status.as_str() {
            "Completed" | "Success" => PageToolAnswer::Completed(answer.output),
            "Canceled" => PageToolAnswer::Canceled,
            _ => PageToolAnswer::Failed(answer.error_text.unwrap_or_default()),
        });
    }
}
