//! Service workers: requests that pass through one are recorded and replayed.

use actions_browser::{Browser, LoadState, SystemClock};
use actions_protocol::ErrorCode;
use actions_testserver::{Response, TestServer};

use crate::recordings::{archive, cut_off, recording, replaying};
use crate::stage::{on_every_browser, soon};

/// A page whose requests and navigations go through a service worker.
const SERVED: &str = include_str!("pages/served.html");
const SERVICE: &str = include_str!("pages/service.js");

on_every_browser! {
    async fn a_service_worker_is_recorded_and_replayed(stage) {
        let server = TestServer::start().await.unwrap();
        server.page("/", SERVED);
        server.page("/next", "<link rel=icon href='data:,'><p>next</p>");
        server.route("/service.js", |_| Response::status(200).with_body("text/javascript", SERVICE));
        server.route("/said", |_| Response::status(200).with_body("text/plain", "said"));
        let there = |path: &str| server.url(path);
        let (context, recorder) = recording(stage).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&there("/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate("served('/said')", soon()).await.unwrap(), "said by the service");
        page.navigate(&there("/next"), LoadState::Load, soon()).await.unwrap();
        let har = recorder.finish(&[], &SystemClock, soon()).await;
        context.close(soon()).await.unwrap();
        server.stop();

        let offline = cut_off(stage).await;
        let (context, replay) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&there("/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate("served('/said')", soon()).await.unwrap(), "said by the service");
        page.navigate(&there("/next"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(replay.misses(), []);

        // A request of the worker that is not in the recording is reported to the page it serves.
        page.take_refused();
        assert_eq!(page.evaluate("fetch('/unsaid').then(() => 'found', () => 'failed')", soon()).await.unwrap(), "failed");
        let refused = page.take_refused();
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!((refused[0].url.clone(), refused[0].code()), (there("/unsaid"), ErrorCode::ReplayMiss));
        assert!(!refused[0].is_navigation);

        // A document that is not in the recording is a replay miss, not a network error.
        let error = page.navigate(&there("/nowhere#part"), LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ReplayMiss, "{error:?}");
        assert!(page.take_refused().iter().any(|refused| refused.is_navigation));
        offline.close().await;
    }
}
