//! An empty document of any origin, without asking its server.

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{EnableParams, FulfillRequestParams, HeaderEntry};
use chromiumoxide_cdp::cdp::browser_protocol::network::{
    DisableParams as DisableNetworkParams, SetBypassServiceWorkerParams,
};
use chromiumoxide_types::{MethodId, MethodType};
use serde::Deserialize;

use crate::cdp::{Session, Subscription};
use crate::chromium::page::{ChromiumPage, network_events};
use crate::{Deadline, Error, LoadState, Navigation};

/// A page whose every request we answer ourselves, with nothing.
pub(super) struct BlankPage<'a> {
    page: &'a ChromiumPage,
    requests: Subscription<RequestPaused>,
}

impl<'a> BlankPage<'a> {
    pub(super) async fn new(page: &'a ChromiumPage, deadline: Deadline) -> Result<Self, Error> {
        let session = page.session();
        page.leave_requests(true);
        let requests = session.subscribe();
        let network = session.send(network_events(), deadline);
        let bypass = session.send(SetBypassServiceWorkerParams::new(true), deadline);
        let fetch = session.send(EnableParams::default(), deadline);
        network.await?;
        bypass.await?;
        fetch.await?;
        Ok(Self { page, requests })
    }

    /// Shows an empty document of an origin.
    pub(super) async fn show(&mut self, origin: &str, deadline: Deadline) -> Result<(), Error> {
        let url = format!("{origin}/");
        let session = self.page.session();
        let answering = async {
            while let Some(request) = self.requests.recv().await {
                answer(session, request.request_id);
            }
            Error::PageClosed
        };
        tokio::select! {
            navigated = self.page.navigate(&url, LoadState::DomContentLoaded, deadline) => navigated.map(drop),
            gone = answering => Err(gone),
        }
    }

    /// Makes the page an ordinary one again, at `about:blank` and without a history.
    pub(super) async fn end(self, deadline: Deadline) -> Result<(), Error> {
        use chromiumoxide_cdp::cdp::browser_protocol::page::ResetNavigationHistoryParams;
        let session = self.page.session();
        let bypass = session.send(SetBypassServiceWorkerParams::new(false), deadline);
        bypass.await?;
        if !self.page.watches_network() {
            session.send(DisableNetworkParams {}, deadline).await?;
        }
        self.page.leave_requests(false);
        self.page.intercept(deadline).await?;
        self.page.navigate("about:blank", LoadState::Load, deadline).await?;
        session.send(ResetNavigationHistoryParams {}, deadline).await.map(drop)
    }
}

fn answer(session: &Session, request: String) {
    let html = HeaderEntry::new("content-type", "text/html");
    let command = FulfillRequestParams {
        response_headers: Some(vec![html]),
        ..FulfillRequestParams::new(request, 200)
    };
    // A request that is gone needs no answer.
    session.send_then(command, drop);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestPaused {
    request_id: String,
}

impl MethodType for RequestPaused {
    fn method_id() -> MethodId {
        MethodId::Borrowed("Fetch.requestPaused")
    }
}
