//! `actions_page`: opens, lists, switches and closes pages.

use std::time::Duration;

use actions_engine::{CallError, ErrorCode};
use actions_runtime::{Route, RuntimeSession, SessionInfo, ToolCall};
use rmcp::RoleServer;
use rmcp::model::CallToolResult;
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, failed};
use crate::catalogue::PAGE;
use crate::client::Client;
use crate::shared::Place;

/// How long a list of pages waits for their titles.
const LISTING: Duration = Duration::from_secs(5);

/// How many characters of a title are listed.
const TITLE: usize = 200;

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    List,
    Open,
    Switch,
    Close,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    mode: Mode,
    url: Option<String>,
    #[serde(default)]
    new_session: bool,
    #[serde(rename = "_page")]
    page: Option<String>,
}

impl Client {
    /// Answers a call of `actions_page`.
    pub(crate) async fn page(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: Map<String, Value>,
    ) -> CallToolResult {
        let read = serde_json::from_value(Value::Object(arguments));
        let read = read.map_err(|error| {
            CallError::new(ErrorCode::InvalidInput, format!("the arguments of `{PAGE}`: {error}"))
        });
        let answered = match read {
            Ok(arguments) => Box::pin(self.paged(context, arguments)).await,
            Err(error) => Err(error),
        };
        match answered {
            Ok(value) => {
                let answer = Answer { of: PAGE, value, wraps: false, untrusted: true };
                answer.into_result(&self.shared.options, &self.shared.large)
            }
            Err(error) => failed(&error),
        }
    }

    async fn paged(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: Arguments,
    ) -> Result<Value, CallError> {
        let shared = &self.shared;
        let own = self.session_name(context);
        let needed = || {
            let message = "`_page` names the page; see `mode: list`";
            arguments.page.as_deref().ok_or_else(|| CallError::new(ErrorCode::InvalidInput, message))
        };
        match arguments.mode {
            Mode::List => Ok(json!({ "pages": self.listed(&own).await? })),
            Mode::Open if arguments.new_session => {
                let name = shared.session_name('s');
                opened(&shared.new_session(&name, arguments.url).await?)
            }
            Mode::Open
                if arguments.page.is_none()
                    && shared.open_session(&own).is_none()
                    && arguments.url.is_some() =>
            {
                opened(&shared.new_session(&own, arguments.url).await?)
            }
            Mode::Open => {
                let Place { session, route } = shared.place(&own, arguments.page.as_deref()).await?;
                let url = arguments.url.map_or_else(|| json!({}), |url| json!({ "url": url }));
                let call = ToolCall::of_primitive("browser.open_tab").arguments(url).on(route);
                let tab = Box::pin(session.call(call.cancelled_by(context.ct.clone()))).await.result?;
                Ok(json!({ "page": tab["runtime_id"], "url": tab["url"] }))
            }
            Mode::Switch => {
                let Place { session, route } = shared.place(&own, Some(needed()?)).await?;
                if session.name() != own {
                    let message = "the page is of another session; pass its handle as `_page` in each call";
                    return Err(CallError::new(ErrorCode::InvalidInput, message));
                }
                if let (Route::Page(page), Some(view)) = (route, session.views().first()) {
                    view.switch_to(page)?;
                }
                Ok(json!({ "page": needed()? }))
            }
            Mode::Close => {
                let handle = needed()?;
                let Place { session, route } = shared.place(&own, Some(handle)).await?;
                if session.pages().len() <= 1 {
                    shared.runtime()?.end(session.name()).await?;
                } else {
                    let call = ToolCall::of_primitive("browser.close_tab").on(route);
                    Box::pin(session.call(call.cancelled_by(context.ct.clone()))).await.result?;
                }
                Ok(json!({ "closed": handle }))
            }
        }
    }

    /// The pages that the client may use: those of its own session and of those that were opened on request.
    async fn listed(&self, own: &str) -> Result<Vec<Value>, CallError> {
        let listed = tokio::time::timeout(LISTING, self.shared.runtime()?.list()).await;
        let sessions =
            listed.map_err(|_| CallError::new(ErrorCode::Timeout, "the pages did not tell their titles"))?;
        let is_shown = |session: &&SessionInfo| session.name == own || !session.name.starts_with('c');
        let pages = sessions.iter().filter(is_shown).flat_map(|session| {
            session.pages.iter().map(|page| {
                let title: String = page.title.chars().take(TITLE).collect();
                let mut listed = json!({ "page": page.runtime_id, "url": page.url, "title": title });
                if page.current && session.name == own {
                    listed["current"] = json!(true);
                }
                listed
            })
        });
        Ok(pages.collect())
    }
}

/// The handle of the page of a new session.
fn opened(session: &RuntimeSession) -> Result<Value, CallError> {
    let pages = session.pages();
    let page =
        pages.first().ok_or_else(|| CallError::new(ErrorCode::PageClosed, "the page closed as it opened"))?;
    Ok(json!({ "page": page.runtime_id, "url": page.page.url() }))
}
