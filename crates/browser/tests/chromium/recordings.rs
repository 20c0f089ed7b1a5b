//! Recording and replay: a replayed page behaves as it did live, and no request leaves the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actions_browser::chromium::{ChromiumBrowser, LaunchOptions, Reach, launch};
use actions_browser::har::Har;
use actions_browser::{
    Archive, Browser, Context, ContextOptions, Error, LoadState, Page, Recorder, Replay, SystemClock,
    WhyRefused,
};
use actions_protocol::ErrorCode;
use actions_testserver::{Response, TestServer};
use serde_json::Value;

use crate::stage::{Kind, Stage, in_time, on_every_browser, soon};

/// A page that makes every kind of request and shows the responses.
const ASKS: &str = include_str!("pages/asks.html");

/// A page that reads the start of responses that never end.
const STREAMED: &str = include_str!("pages/streamed.html");

/// The same script in every content encoding that browsers decode.
const PACKED: &[(&str, &[u8])] = &[
    ("gzip", include_bytes!("../../../../fixtures/network/packed.js.gz")),
    ("br", include_bytes!("../../../../fixtures/network/packed.js.br")),
    ("deflate", include_bytes!("../../../../fixtures/network/packed.js.zz")),
    ("zstd", include_bytes!("../../../../fixtures/network/packed.js.zst")),
];

/// One transparent pixel.
const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0,
    1, 0, 0, 5, 0, 1, 0x0D, 0x0A, 0x2D, 0xB4, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

fn serve(server: &TestServer) {
    let page = ASKS
        .replace("FRAME", &server.url_on("frame.localhost", "/frame"))
        .replace("ELSEWHERE", &server.url_on("other.localhost", "/elsewhere"));
    server.route("/", move |_| {
        Response::html(page.clone())
            .with_header("set-cookie", "first=1; Path=/")
            .with_header("set-cookie", "second=two; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT")
            .with_header("set-cookie", "hidden=3; Path=/; HttpOnly")
    });
    server.route("/start", |_| Response::redirect("/hop").with_header("set-cookie", "start=yes; Path=/"));
    server.route("/hop", |_| Response::redirect("/"));
    let file =
        |kind: &'static str, body: &'static str| move |_: &_| Response::status(200).with_body(kind, body);
    server.route("/style.css", file("text/css", "body { color: rgb(1, 2, 3) }"));
    server.route("/script.js", file("text/javascript", "window.fromScript = 'ä';"));
    server.route("/pixel.png", |_| Response::status(200).with_body("image/png", PIXEL));
    let count = AtomicUsize::new(0);
    server.route("/count", move |_| {
        Response::status(200).with_body("text/plain", count.fetch_add(1, Ordering::SeqCst).to_string())
    });
    server.route("/echo", |request| Response::json(format!("[{}]", String::from_utf8_lossy(&request.body))));
    server.route("/parts", |request| {
        let parts = String::from_utf8_lossy(&request.body).matches("form-data").count();
        Response::json(parts.to_string())
    });
    server.route("/bytes", |request| {
        Response::status(200).with_body("application/octet-stream", request.body.clone())
    });
    server.route("/old", |_| Response::redirect("/new"));
    server.route("/new", file("text/plain", "new"));
    server.route("/latin", |_| {
        Response::status(200).with_body("text/plain; charset=iso-8859-1", vec![0xe4, 0xdf])
    });
    server.route("/elsewhere", |request| {
        Response::status(if request.method == "OPTIONS" { 204 } else { 200 })
            .with_body("text/plain", request.header("x-custom").unwrap_or("preflight").to_owned())
            .with_header("access-control-allow-origin", "*")
            .with_header("access-control-allow-headers", "x-custom")
    });
    server.route(
        "/worker.js",
        file("text/javascript", "fetch('/from-worker').then((r) => r.text()).then(postMessage)"),
    );
    server.route("/from-worker", file("text/plain", "for the worker"));
    server.route(
        "/shared.js",
        file(
            "text/javascript",
            "onconnect = async (e) => e.ports[0].postMessage(await (await fetch('/from-shared')).text())",
        ),
    );
    server.route("/from-shared", file("text/plain", "for the shared worker"));
    server.page(
        "/frame",
        "<script>onmessage = async (e) => e.source.postMessage(await (await fetch('/in-frame')).text(), '*')</script>",
    );
    server.route("/in-frame", file("text/plain", "in the frame"));
}

async fn ask(page: &dyn Page, url: &str) -> Value {
    page.navigate(url, LoadState::Load, soon()).await.unwrap();
    page.evaluate("all()", soon()).await.unwrap()
}

/// Returns the text of each page and the character set in which the browser read it.
async fn read(context: &dyn Context, pages: &[String]) -> Vec<Value> {
    let page = context.new_page(soon()).await.unwrap();
    let mut read = Vec::new();
    for url in pages {
        page.navigate(url, LoadState::Load, soon()).await.unwrap();
        let seen = page.evaluate("[document.characterSet, document.body.innerText]", soon()).await;
        read.push(seen.unwrap());
    }
    read
}

pub(crate) fn archive(har: &Har) -> Arc<Archive> {
    Arc::new(Archive::of(har, "test.har").unwrap())
}

pub(crate) async fn recording(stage: &Stage) -> (Arc<dyn Context>, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::new());
    let options = ContextOptions { recorder: Some(recorder.clone()), ..ContextOptions::default() };
    (stage.browser.new_context(options, soon()).await.unwrap(), recorder)
}

/// Launches a browser of the same kind without network access.
pub(crate) async fn cut_off(stage: &Stage) -> ChromiumBrowser {
    let is_shell = stage.browser.product().starts_with("Headless");
    let kind = if is_shell { Kind::HeadlessShell } else { Kind::Chromium };
    launch(LaunchOptions { reach: Reach::Nowhere, ..kind.options() }).await.unwrap().browser
}

pub(crate) async fn replaying(
    browser: &ChromiumBrowser,
    archive: Arc<Archive>,
) -> (Arc<dyn Context>, Arc<Replay>) {
    let replay = Arc::new(Replay::new(archive));
    let options = ContextOptions { replay: Some(replay.clone()), ..ContextOptions::default() };
    (browser.new_context(options, soon()).await.unwrap(), replay)
}

on_every_browser! {
    async fn a_replayed_page_sees_the_same_responses_as_a_live_one(stage) {
        let server = TestServer::start().await.unwrap();
        serve(&server);
        let (start, again) = (server.url("/start"), server.url("/"));
        let (context, recorder) = recording(stage).await;
        let page = context.new_page(soon()).await.unwrap();
        let seen = ask(&*page, &start).await;
        let har = recorder.finish(&[], &SystemClock, soon()).await;
        context.close(soon()).await.unwrap();
        drop(server);
        assert_eq!(seen["counted"], serde_json::json!(["0", "1", "2"]), "{seen}");
        assert_eq!(seen["cookies"], serde_json::json!(["first=1", "second=two", "start=yes"]), "{seen}");
        assert_eq!(seen["shared"], "for the shared worker");

        // Writing and parsing the recording does not change it.
        let offline = cut_off(stage).await;
        let har = Har::parse("test.har", har.to_json().as_bytes()).unwrap();
        let (context, replay) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        let replayed = ask(&*page, &start).await;
        assert_eq!(replayed, seen, "misses: {:#?}", replay.misses());
        assert_eq!(page.url(), again);
        assert_eq!(replay.misses(), []);
        // A second replay starts from the beginning.
        let (context, _) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        assert_eq!(ask(&*page, &start).await, seen);
        offline.close().await;
    }

    async fn compressed_responses_are_replayed_decoded(stage) {
        let server = TestServer::start().await.unwrap();
        server.page("/", "<link rel=icon href='data:,'>");
        for (encoding, body) in PACKED {
            server.route(&format!("/{encoding}"), move |_| {
                Response::status(200).with_body("text/javascript; charset=utf-8", *body).with_header("content-encoding", *encoding)
            });
        }
        let all = "Promise.all(['gzip', 'br', 'deflate', 'zstd'].map(async (one) => (await fetch('/' + one)).text()))";
        let (context, recorder) = recording(stage).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.unwrap();
        let live = page.evaluate(all, soon()).await.unwrap();
        // Encodings that the browser does not decode stay encoded, live and in the replay.
        for unpacked in &live.as_array().unwrap()[..3] {
            assert!(unpacked.as_str().unwrap().contains("packed and unpacked: ä"), "{live}");
        }
        let har = recorder.finish(&[], &SystemClock, soon()).await;
        context.close(soon()).await.unwrap();

        let offline = cut_off(stage).await;
        let (context, _) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate(all, soon()).await.unwrap(), live);
        offline.close().await;
    }

    async fn a_replay_keeps_the_character_set_that_the_browser_guessed(stage) {
        let server = TestServer::start().await.unwrap();
        let undeclared = |mime: &'static str, text: &'static str| move |_: &_| Response::status(200).with_body(mime, text);
        server.route("/meta", undeclared("text/html", "<meta charset=windows-1252><p>ä"));
        server.route("/ascii", undeclared("text/html", "<meta charset=windows-1252><p>a"));
        server.route("/plain", undeclared("text/plain", "ä"));
        server.route("/json", undeclared("application/json", "\"ä\""));
        let pages = ["/meta", "/ascii", "/plain", "/json"].map(|path| server.url(path));
        let (context, recorder) = recording(stage).await;
        let live = read(&*context, &pages).await;
        assert_eq!(live[0], serde_json::json!(["windows-1252", "Ã¤"]));
        let har = recorder.finish(&[], &SystemClock, soon()).await;
        context.close(soon()).await.unwrap();
        let json = har.log.entries.iter().find(|entry| entry.request.url == pages[3]).unwrap();
        assert_eq!(json.response.content.text.as_deref(), Some("\"ä\""));

        let offline = cut_off(stage).await;
        let (context, _) = replaying(&offline, archive(&har)).await;
        assert_eq!(read(&*context, &pages).await, live);
        offline.close().await;
    }

    async fn an_unfinished_response_reaches_the_live_page_and_is_a_miss_in_the_replay(stage) {
        let server = TestServer::start().await.unwrap();
        server.page("/", STREAMED);
        server.route("/events", |_| Response::status(200).with_body("text/event-stream", "data: begun\n\n").streaming());
        server.route("/lines", |_| Response::status(200).with_body("application/x-ndjson", "begun\n").streaming());
        server.route("/whole", |_| Response::status(200).with_body("application/x-ndjson", "whole\n"));
        let (context, recorder) = recording(stage).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.unwrap();
        let seen = page.evaluate("all()", soon()).await.unwrap();
        assert_eq!(seen, serde_json::json!(["begun", "begun\n", "whole\n"]));
        let har = recorder.finish(&[], &SystemClock, soon()).await;
        context.close(soon()).await.unwrap();

        let offline = cut_off(stage).await;
        let (context, replay) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.unwrap();
        let seen = page.evaluate("all()", soon()).await.unwrap();
        assert_eq!(seen, serde_json::json!(["failed", "failed", "whole\n"]));
        let missed = |path: &str| replay.misses().into_iter().find(|miss| miss.url == server.url(path)).unwrap();
        for path in ["/events", "/lines"] {
            assert_eq!(missed(path).reason, "the recording holds an answer without its body");
        }
        offline.close().await;
    }

    async fn a_replay_miss_fails_a_navigation_and_is_reported_for_other_requests(stage) {
        let text = r#"{"log": {"entries": [
          {"request": {"method": "GET", "url": "https://site.example/"}, "response": {"status": 200, "content":
            {"mimeType": "text/html", "text": "<img src='/gone.png'><a href='/next'>on</a><p id=p>here</p>"}}},
          {"request": {"method": "GET", "url": "https://site.example/favicon.ico"}, "response": {"status": 404}}]}}"#;
        let har = Har::parse("test.har", text.as_bytes()).unwrap();
        let offline = cut_off(stage).await;
        let (context, replay) = replaying(&offline, archive(&har)).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate("https://site.example/#part", LoadState::Load, soon()).await.unwrap();
        let refused = page.take_refused();
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(!refused[0].is_navigation && refused[0].url == "https://site.example/gone.png" && refused[0].resource == "Image");
        assert_eq!(refused[0].code(), ErrorCode::ReplayMiss);

        let error = page.navigate("https://site.example/other?a=1", LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ReplayMiss, "{error:?}");
        assert_eq!(
            error.to_string(),
            "the recording holds no answer for GET https://site.example/other?a=1; nearest: GET https://site.example/, which differs in the path"
        );
        let Error::RequestRefused(refused) = error else { panic!("{error:?}") };
        assert!(refused.is_navigation && matches!(refused.why, WhyRefused::NotRecorded(_)));

        // A click on a link that is not in the recording fails like a call of `navigate`.
        page.navigate("https://site.example/", LoadState::Load, soon()).await.unwrap();
        page.take_refused();
        let mark = page.navigation_mark();
        page.evaluate("document.querySelector('a').click()", soon()).await.unwrap();
        let error = page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ReplayMiss, "{error:?}");
        assert!(page.take_refused().iter().any(|refused| refused.is_navigation));
        assert!(replay.misses().len() >= 3);
        offline.close().await;
    }
}

/// A page that tries to reach a server in every way other than a plain request.
pub(crate) const REACHES_OUT: &str = include_str!("pages/reaches_out.html");
/// The service worker of that page.
pub(crate) const REACHING_SERVICE: &str = include_str!("pages/reaches_out.js");

#[tokio::test]
async fn a_replay_makes_no_network_connection() {
    in_time(async {
        for kind in [Kind::HeadlessShell, Kind::Chromium] {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let stun = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
            let out = format!("http://{}", listener.local_addr().unwrap());
            let html =
                REACHES_OUT.replace("OUT", &out).replace("STUN", &stun.local_addr().unwrap().to_string());
            let entry = |path: &str, mime: &str, text: &str| {
                serde_json::json!({
                    "request": { "method": "GET", "url": format!("https://site.example{path}") },
                    "response": { "status": 200, "content": { "mimeType": mime, "text": text } } })
            };
            let entries = [
                entry("/", "text/html", &html),
                entry("/reaches_out.js", "text/javascript", REACHING_SERVICE),
            ];
            let text = serde_json::json!({ "log": { "entries": entries } });
            let har = Har::parse("test.har", text.to_string().as_bytes()).unwrap();
            let options = LaunchOptions { reach: Reach::Nowhere, ..kind.options() };
            let browser = launch(options).await.unwrap().browser;
            let replay = Arc::new(Replay::new(archive(&har)));
            let options = ContextOptions { replay: Some(replay.clone()), ..ContextOptions::default() };
            let context = browser.new_context(options, soon()).await.unwrap();
            let page = context.new_page(soon()).await.unwrap();
            page.navigate("https://site.example/", LoadState::Load, soon()).await.unwrap();
            let tried = page.evaluate("out()", soon()).await.unwrap();
            assert_eq!(tried, serde_json::json!(vec!["failed"; 6]), "{kind:?}");
            // Requests that a page sends while it unloads outlive it.
            page.navigate("about:blank", LoadState::Load, soon()).await.unwrap();
            browser.close().await;
            let accepted =
                std::future::poll_fn(|task| std::task::Poll::Ready(listener.poll_accept(task))).await;
            assert!(accepted.is_pending(), "a connection arrived; {kind:?}");
            let mut packet = [0; 2_000];
            assert!(stun.try_recv_from(&mut packet).is_err(), "a packet arrived; {kind:?}");
            assert!(replay.misses().iter().any(|miss| miss.url.ends_with("/image")));
        }
    })
    .await;
}
