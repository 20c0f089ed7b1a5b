//! Confinement: a page cannot leave the allowed origins by a link, a form, a script, a redirect or a popup.

use std::sync::Arc;

use actions_browser::chromium::{AttachOptions, ChromiumBrowser, LaunchOptions, Reach, attach, launch};
use actions_browser::har::Har;
use actions_browser::{
    Archive, Browser, Call, Confinement, Context, ContextOptions, Error, LoadState, Page, Point, Refused,
    Replay, WhyRefused,
};
use actions_protocol::ErrorCode;
use actions_testserver::{Response, TestServer};

use crate::attach::Foreign;
use crate::recordings::{REACHES_OUT, REACHING_SERVICE};
use crate::stage::{Kind, Stage, click_at, in_time, on_every_browser, soon};

const ESCAPES: &str = include_str!("pages/escapes.html");

/// Starts a site whose page can try every way to leave, and the server those ways lead to.
async fn site_and_evil() -> (TestServer, TestServer) {
    let (site, evil) = (TestServer::start().await.unwrap(), TestServer::start().await.unwrap());
    let out = evil.url_on("evil.localhost", "");
    site.page("/", ESCAPES.replace("EVIL", &out).replace("OTHER", &site.url_on("other.localhost", "")));
    let to = out.clone();
    site.route("/away", move |request| Response::redirect(format!("{to}/{}", request.query)));
    site.route("/hop", |request| Response::redirect(format!("/away?{}", request.query)));
    site.page("/refresh", format!("<meta http-equiv=refresh content='0;url={out}/nav/refresh'>"));
    let to = out.clone();
    site.route("/header", move |_| {
        Response::html("<p>soon").with_header("refresh", format!("0;url={to}/nav/header"))
    });
    // Without a click the browser does not let a cross-site frame navigate the page; the frame tries that first.
    site.page(
        "/nested",
        format!(
            "<a id=up target=_top href='{out}/nav/nested' style='position:fixed;inset:0'>up</a>
            <script>up.click(); fetch('/tried')</script>"
        ),
    );
    (site, evil)
}

async fn confined(stage: &Stage, site: &TestServer) -> Arc<dyn Context> {
    let confinement = Some(Confinement::to([site.origin()]));
    let options = ContextOptions { confinement, ..ContextOptions::default() };
    stage.browser.new_context(options, soon()).await.unwrap()
}

/// Waits until a navigation of the page has been refused.
async fn kept(page: &dyn Page, way: &str) -> Refused {
    loop {
        if let Some(refused) = page.take_refused().into_iter().find(|refused| refused.is_navigation) {
            return refused;
        }
        assert!(!page.is_closed(), "{way}");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

on_every_browser! {
    async fn every_attempt_to_leave_is_refused_and_reported(stage) {
        let (site, evil) = site_and_evil().await;
        let context = confined(stage, &site).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
        let ways = page.evaluate("Object.keys(ways)", soon()).await.unwrap();
        let ways: Vec<String> = serde_json::from_value(ways).unwrap();
        for way in ways.iter().filter(|way| *way != "nested") {
            let page = context.new_page(soon()).await.unwrap();
            page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
            page.evaluate(&format!("void ways['{way}']()"), soon()).await.unwrap();
            let refused = kept(&*page, way).await;
            assert_eq!(refused.url, evil.url_on("evil.localhost", &format!("/nav/{way}")), "{way}");
            assert_eq!(refused.code(), ErrorCode::UnsafeState);
            let WhyRefused::Confined { by, allowed } = &refused.why else { panic!("{refused:?}") };
            assert!(!by.is_empty() && *allowed == [site.origin()], "{refused:?}");
            assert!(page.url().contains(&site.origin()), "{way}: the page stays, at {}", page.url());
            page.close(soon()).await.unwrap();
        }
        assert_eq!(ways.len(), 19);
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn a_page_that_leaves_while_it_loads_is_refused_at_once(stage) {
        let (site, evil) = site_and_evil().await;
        let out = evil.url_on("evil.localhost", "/nav/loading");
        let context = confined(stage, &site).await;
        for leaving in [
            "location = 'OUT'",
            "location.replace('OUT')",
            "document.forms[0].submit()",
            "document.links[0].click()",
            "fetch('/slow').then(() => { location = 'OUT' })",
        ] {
            site.route("/slow", |_| Response::html("").after(std::time::Duration::from_millis(50)));
            site.route("/never", |_| Response::hang());
            site.page("/loading", format!(
                "<a href='OUT'>out</a><form action='OUT' method=post></form><script>{leaving}</script>
                 <p>more</p><img src=/never>",
            ).replace("OUT", &out));
            let page = context.new_page(soon()).await.unwrap();
            let error = page.navigate(&site.url("/loading"), LoadState::Load, soon()).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::UnsafeState, "{leaving}: {error}");
            let Error::RequestRefused(refused) = error else { panic!("{error:?}") };
            assert_eq!(refused.url, out, "{leaving}");
            // The same document again, by a reload.
            let error = page.reload(LoadState::Load, soon()).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::UnsafeState, "{leaving}, reloaded: {error}");
            page.close(soon()).await.unwrap();
        }
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn what_a_click_sets_off_is_known_when_the_page_has_caught_up(stage) {
        let (site, evil) = site_and_evil().await;
        let context = confined(stage, &site).await;
        for round in 0..10 {
            let page = context.new_page(soon()).await.unwrap();
            page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
            let link = if round % 2 == 0 { "#link" } else { "#blank" };
            let (frame, args) = (page.main_frame(), serde_json::json!({ "locator": { "selector": link } }));
            let info: serde_json::Value =
                page.call(Call::new(&frame, "locator.element_info", &args), soon()).await.unwrap();
            let corner = |side: &str| info["bounding_box"][side].as_f64().unwrap() + 2.0;
            page.input(&click_at(Point::new(corner("x"), corner("y"))), soon()).await.unwrap();
            page.catch_up(soon()).await.unwrap();
            let going = page.navigating_to().is_some_and(|url| url.starts_with("http://evil.localhost"));
            let kept = page.take_refused();
            assert!(going || kept.iter().any(|refused| refused.is_navigation), "{link} in round {round}");
            page.close(soon()).await.unwrap();
        }
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn a_cross_site_frame_cannot_navigate_the_page(stage) {
        let (site, evil) = site_and_evil().await;
        let context = confined(stage, &site).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
        page.evaluate("void ways.nested()", soon()).await.unwrap();
        site.asked_for("/tried").await;
        let (main, args) = (page.main_frame(), serde_json::json!({ "locator": { "selector": "iframe" } }));
        let info: serde_json::Value =
            page.call(Call::new(&main, "locator.element_info", &args), soon()).await.unwrap();
        let middle = |start: &str, size: &str| {
            let side = |name: &str| info["bounding_box"][name].as_f64().unwrap();
            side(start) + side(size) / 2.0
        };
        // Without a click the browser itself blocks the navigation; with one, the confinement must. A click does not
        // hit a frame that has not been painted yet.
        let click = click_at(Point::new(middle("x", "width"), middle("y", "height")));
        let refused = loop {
            page.input(&click, soon()).await.unwrap();
            page.catch_up(soon()).await.unwrap();
            if let Some(refused) = page.take_refused().pop() {
                break refused;
            }
            assert_eq!(page.url(), site.url("/"));
        };
        assert_eq!(refused.url, evil.url_on("evil.localhost", "/nav/nested"));
        assert_eq!(page.url(), site.url("/"));
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn a_frame_of_another_site_that_is_clicked_cannot_take_the_page_away(stage) {
        let (site, evil) = site_and_evil().await;
        let out = evil.url_on("evil.localhost", "/nav/clicked");
        site.page("/framed", format!("<iframe src='{}'></iframe>", site.url_on("other.localhost", "/taking")));
        site.page("/taking", format!("<a target=_top href='{out}'>away</a>"));
        stage.context.confine(Confinement::to([site.origin()]), soon()).await.unwrap();
        stage.goto_url(&site.url("/framed")).await;
        let frame = stage.frame(&stage.page.main_frame(), "iframe").await;
        stage.click(&frame, "a").await.unwrap();
        let refused = kept(&*stage.page, "a click in a frame").await;
        assert_eq!(refused.url, out);
        assert_eq!(stage.page.url(), site.url("/framed"));
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn history_navigation_cannot_leave_the_origin(stage) {
        let (site, evil) = site_and_evil().await;
        let before = evil.url_on("evil.localhost", "/before");
        evil.page("/before", "<link rel=icon href='data:,'><p>before");
        stage.goto_url(&before).await;
        stage.goto_url(&site.url("/")).await;
        stage.context.confine(Confinement::to([site.origin()]), soon()).await.unwrap();
        let error = stage.page.go(-1, LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnsafeState, "{error}");
        stage.page.take_refused();
        stage.page.evaluate("void history.back()", soon()).await.unwrap();
        assert_eq!(kept(&*stage.page, "by a script").await.url, before);
        assert_eq!(stage.page.url(), site.url("/"));
        assert_eq!(evil.served().len(), 1, "{:?}", evil.served());
    }

    async fn a_service_worker_redirect_cannot_leave_the_origin(stage) {
        let (site, evil) = site_and_evil().await;
        let out = evil.url_on("evil.localhost", "/nav/service");
        site.page("/served", include_str!("pages/served.html"));
        let script = include_str!("pages/redirects.js").replace("EVIL", &out);
        site.route("/service.js", move |_| Response::status(200).with_body("text/javascript", script.clone()));
        let context = confined(stage, &site).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&site.url("/served"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate("served('/who')", soon()).await.unwrap(), "the service");
        let error = page.navigate(&site.url("/moved"), LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::UnsafeState, "{error}");
        page.take_refused();
        page.evaluate("void (location.href = '/moved')", soon()).await.unwrap();
        assert_eq!(kept(&*page, "a redirect of the worker").await.url, out);
        assert_eq!(page.url(), site.url("/served"));
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn navigate_refuses_a_foreign_url_before_any_request(stage) {
        let (site, evil) = site_and_evil().await;
        let context = confined(stage, &site).await;
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
        let out = evil.url("/nav/direct");
        for url in [out.as_str(), "data:text/html,<h1>x", "file:///etc/hostname", "chrome://version", "javascript:1", "view-source:http://a/"] {
            let error = page.navigate(url, LoadState::Load, soon()).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::UnsafeState, "{url}: {error}");
        }
        let error = page.navigate(&site.url("/away?nav/navigate"), LoadState::Load, soon()).await.unwrap_err();
        let Error::RequestRefused(refused) = error else { panic!("{error:?}") };
        assert!(refused.url.ends_with("/nav/navigate") && refused.to_string().starts_with("a redirect on the way from"));
        page.navigate("about:blank", LoadState::Load, soon()).await.unwrap();
        assert_eq!(evil.served().len(), 0, "{:?}", evil.served());
    }

    async fn frames_and_subresources_are_not_confined_by_default(stage) {
        let (site, evil) = site_and_evil().await;
        evil.page("/frame", "<p>in a frame</p>");
        site.page("/open", format!("<iframe src='{0}/frame'></iframe><img src='{0}/image'>", evil.url_on("evil.localhost", "")));
        let context = confined(stage, &site).await;
        let page = context.new_page(soon()).await.unwrap();
        let before = page.counters();
        page.navigate(&site.url("/open"), LoadState::Load, soon()).await.unwrap();
        assert_eq!((page.counters() - before).commands, 1, "confinement does not count as commands of the caller");
        let mut paths: Vec<String> = evil.served().into_iter().map(|served| served.request.path).collect();
        paths.sort();
        assert_eq!(paths, ["/frame", "/image"]);
        assert!(page.take_refused().is_empty());
    }
}

/// Browsers that the driver launches do not prefetch; a browser it attaches to may.
#[tokio::test]
async fn a_prefetched_foreign_document_is_left_at_once_and_reported() {
    in_time(async {
        for kind in [Kind::HeadlessShell, Kind::Chromium] {
            let (site, evil) = site_and_evil().await;
            let out = evil.url_on("evil.localhost", "/nav/link");
            evil.page("/nav/link", "<p>there");
            let foreign = Foreign::start(kind);
            let (port, path) = foreign.endpoint().await;
            let endpoint = format!("ws://127.0.0.1:{port}{path}");
            let browser = attach(&endpoint, AttachOptions::default()).await.unwrap();
            let confinement = Some(Confinement::to([site.origin()]));
            let options = ContextOptions { confinement, ..ContextOptions::default() };
            let context = browser.new_context(options, soon()).await.unwrap();
            let page = context.new_page(soon()).await.unwrap();
            page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
            evil.asked_for("/nav/link").await;
            page.evaluate("void ways.link()", soon()).await.unwrap();
            let refused = kept(&*page, "a prefetched document").await;
            assert_eq!(refused.url, out, "{kind:?}");
            assert_eq!(refused.code(), ErrorCode::UnsafeState);
            while page.url() == out {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
            browser.close().await;
        }
    })
    .await;
}

async fn strict(kind: Kind, site: &TestServer) -> (ChromiumBrowser, Arc<dyn Context>) {
    let options = LaunchOptions { reach: Reach::Proxied, ..kind.options() };
    let browser = launch(options).await.unwrap().browser;
    let confinement = Some(Confinement::to([site.origin()]).with_subresources());
    let options = ContextOptions { confinement, ..ContextOptions::default() };
    let context = browser.new_context(options, soon()).await.unwrap();
    (browser, context)
}

#[tokio::test]
async fn with_subresources_confined_only_allowed_origins_are_reachable() {
    in_time(async {
        for kind in [Kind::HeadlessShell, Kind::Chromium] {
            let site = TestServer::start().await.unwrap();
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let stun = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
            let out = format!("http://evil.localhost:{}", listener.local_addr().unwrap().port());
            let html =
                REACHES_OUT.replace("OUT", &out).replace("STUN", &stun.local_addr().unwrap().to_string());
            site.page("/", html);
            site.route("/reaches_out.js", |_| {
                Response::status(200).with_body("text/javascript", REACHING_SERVICE)
            });
            let to = out.clone();
            site.route("/away", move |_| Response::redirect(format!("{to}/redirected")));
            site.route("/echo", |request| Response::json(String::from_utf8_lossy(&request.body)));
            let (browser, context) = strict(kind, &site).await;
            let page = context.new_page(soon()).await.unwrap();
            page.navigate(&site.url("/"), LoadState::Load, soon()).await.unwrap();
            let inside = page.evaluate(
                "fetch('/echo', { method: 'POST', body: '\"inside\"' }).then((r) => r.json())",
                soon(),
            );
            assert_eq!(inside.await.unwrap(), "inside", "{kind:?}");
            let tried = page.evaluate("out()", soon()).await.unwrap();
            assert_eq!(tried, serde_json::json!(vec!["failed"; 6]), "{kind:?}");
            let redirected = page.evaluate(
                "Promise.all(['/away', '/away?2'].map((url) => settled(fetch(url, { mode: 'no-cors' }))))",
                soon(),
            );
            assert_eq!(redirected.await.unwrap(), serde_json::json!(["failed", "failed"]), "{kind:?}");
            // Requests that a page sends while it unloads outlive it.
            page.navigate("about:blank", LoadState::Load, soon()).await.unwrap();
            browser.close().await;
            let accepted =
                std::future::poll_fn(|task| std::task::Poll::Ready(listener.poll_accept(task))).await;
            assert!(accepted.is_pending(), "a connection arrived; {kind:?}");
            let mut packet = [0; 2_000];
            assert!(stun.try_recv_from(&mut packet).is_err(), "a packet arrived; {kind:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn replay_and_full_confinement_require_a_browser_without_open_network_access() {
    in_time(async {
        let har = Har::parse("a.har", br#"{"log": {"entries": []}}"#).unwrap();
        let replay = Replay::new(Arc::new(Archive::of(&har, "a.har").unwrap()));
        let replayed = ContextOptions { replay: Some(Arc::new(replay)), ..ContextOptions::default() };
        let confinement = Some(Confinement::to(["https://a.example"]).with_subresources());
        let confined = ContextOptions { confinement, ..ContextOptions::default() };
        let opened = async |browser: &ChromiumBrowser| {
            let mut opened = Vec::new();
            for options in [&replayed, &confined] {
                let context = browser.new_context(options.clone(), soon()).await;
                let refused = context.err().map(|error| (error.code(), error.to_string()));
                let explained = refused.iter().all(|(code, text)| {
                    *code == ErrorCode::CapabilityUnavailable && text.contains("without using a proxy")
                });
                assert!(explained, "{refused:?}");
                opened.push(refused.is_none());
            }
            opened
        };
        for (reach, expected) in
            [(Reach::Open, [false, false]), (Reach::Proxied, [false, true]), (Reach::Nowhere, [true, true])]
        {
            let options = LaunchOptions { reach, ..Kind::HeadlessShell.options() };
            let browser = launch(options).await.unwrap().browser;
            assert_eq!(opened(&browser).await, expected, "{reach:?}");
            browser.close().await;
        }
        let foreign = Foreign::start(Kind::HeadlessShell);
        let (port, path) = foreign.endpoint().await;
        for (reach, expected) in [(Reach::Open, [false, false]), (Reach::Nowhere, [true, true])] {
            let options = AttachOptions { reach, ..AttachOptions::default() };
            let browser = attach(&format!("ws://127.0.0.1:{port}{path}"), options).await.unwrap();
            assert_eq!(opened(&browser).await, expected, "attached to, {reach:?}");
            browser.close().await;
        }
    })
    .await;
}

#[tokio::test]
async fn confinement_that_cannot_be_enforced_is_refused() {
    in_time(async {
        let options = LaunchOptions { reach: Reach::Proxied, ..Kind::HeadlessShell.options() };
        let stage = Stage::with(options, ContextOptions::default()).await;
        let confinement = Confinement::to([stage.server.origin()]).with_subresources();
        let error = stage.context.confine(confinement.clone(), soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::CapabilityUnavailable, "{error}");
        let proxy = Some(actions_browser::Proxy { server: "http://127.0.0.1:1".to_owned(), bypass: None });
        let options = ContextOptions { confinement: Some(confinement), proxy, ..ContextOptions::default() };
        let error = stage.browser.new_context(options, soon()).await.err().unwrap();
        assert_eq!(error.code(), ErrorCode::CapabilityUnavailable, "{error}");
        stage.close().await;
    })
    .await;
}
