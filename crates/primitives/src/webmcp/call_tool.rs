//! `webmcp.call_tool`: calls a tool that the page registered itself.

use actions_browser::{Error, PageTool, PageToolAnswer};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::browser::within;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    name: String,
    #[serde(default)]
    input: Map<String, Value>,
    frame: Option<Value>,
    max_bytes: usize,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    called: bool,
    output: Value,
    reads_only: bool,
    elapsed_ms: u64,
}

/// How much text of the page an error repeats, in characters.
const LONGEST_TEXT: usize = 1_000;
/// What the browser says of a tool that is not there.
const NO_TOOL: &str = "not found";
/// How many names of tools an error lists.
const MOST_NAMES: usize = 50;

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let start = scene.stage.clock().now();
    let deadline = within(&scene, Some(args.timeout_ms));
    let patience = Patience::of(&scene, args.timeout_ms);
    let place = match &args.frame {
        Some(frame) => scene.aim(&json!({ "frame": frame }), patience).await?.0.frame,
        None => scene.page().main_frame(),
    };
    let offered = scene.page().page_tools(deadline).await?;
    let tools = offered.ok_or_else(|| {
        let message = "the browser offers no tools of pages; it must have the feature `WebMCP`";
        Failure::new(ErrorCode::TargetNotFound, message)
    })?;
    let known: Vec<&PageTool> = tools.iter().filter(|tool| tool.frame == place).collect();
    let missing = || {
        let names: Vec<&str> = known.iter().take(MOST_NAMES).map(|tool| tool.name.as_str()).collect();
        let message = format!("the page has registered no tool `{}`", args.name);
        Failure::new(ErrorCode::TargetNotFound, message).with_evidence("page_tools", names)
    };
    let tool = known.iter().find(|tool| tool.name == args.name);
    // The browser lists no tools of frames that share a process with the page, but it calls them.
    if tool.is_none() && args.frame.is_none() {
        return Err(missing());
    }
    if tool.is_some_and(|tool| tool.submits_itself == Some(false)) {
        let message = format!("`{}` is a form that a person has to submit", args.name);
        return Err(Failure::new(ErrorCode::ConfirmationRequired, message).with_evidence(
            "hint",
            "fill the form in and submit it with other primitives, once a person agrees",
        ));
    }
    let input = Value::Object(args.input);
    let answer = scene.page().call_page_tool(&place, &args.name, &input, deadline).await;
    let output = match answer {
        Ok(PageToolAnswer::Completed(output)) => output,
        Ok(PageToolAnswer::Canceled) => return Err(failed(&args.name, "the page gave the call up")),
        Ok(PageToolAnswer::Failed(text)) => return Err(failed(&args.name, &text)),
        Err(Error::Refused { message, .. }) if message.contains(NO_TOOL) => return Err(missing()),
        // The protocol refuses what it cannot hand to the page.
        Err(Error::Refused { message, .. }) => return Err(failed(&args.name, &message)),
        Err(error) => return Err(error.into()),
    };
    let size = output.to_string().len();
    if size > args.max_bytes {
        let message =
            format!("the output of `{}` has {size} bytes; {} are allowed", args.name, args.max_bytes);
        return Err(
            Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", args.max_bytes)
        );
    }
    let elapsed_ms = scene.stage.clock().now().saturating_duration_since(start).as_millis() as u64;
    let reads_only = tool.is_some_and(|tool| tool.reads_only);
    Ok(Output { called: true, output, reads_only, elapsed_ms })
}

fn failed(name: &str, text: &str) -> Failure {
    let text: String = text.chars().take(LONGEST_TEXT).collect();
    Failure::new(ErrorCode::HandlerFailed, format!("the page's tool `{name}` failed: {text}"))
}
