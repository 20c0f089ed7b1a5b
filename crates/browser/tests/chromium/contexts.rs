//! Browser contexts: isolation, emulation options, and closing.

use actions_browser::{Browser, Context, ContextOptions, Deadline, LoadState, Locale, SystemClock, Viewport};
use actions_testserver::Response;
use serde_json::json;

use crate::stage::{on_every_browser, soon};

on_every_browser! {
    async fn parallel_contexts_share_no_state(stage) {
        stage.server.route("/set", |request| {
            let who = request.parameter("who").unwrap_or_default().to_owned();
            Response::html("<p>set").with_header("set-cookie", format!("who={who}; path=/"))
        });
        stage.server.page("/", "<p>home");
        let one = |number: u32| async move {
            let context = stage.browser.new_context(ContextOptions::default(), soon()).await.unwrap();
            let page = context.new_page(soon()).await.unwrap();
            page.navigate(&stage.server.url(&format!("/set?who={number}")), LoadState::Load, soon()).await.unwrap();
            page.evaluate("localStorage.setItem('who', document.cookie)", soon()).await.unwrap();
            page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
            let seen = page.evaluate("[document.cookie, localStorage.getItem('who')]", soon()).await.unwrap();
            assert_eq!(seen, json!([format!("who={number}"), format!("who={number}")]));
            (context, page)
        };
        let (a, b, c, d) = tokio::join!(one(1), one(2), one(3), one(4));
        assert_eq!(a.0.pages().len(), 1);
        a.0.close(soon()).await.unwrap();
        assert!(a.1.is_closed());
        assert!(!b.1.is_closed() && !c.1.is_closed() && !d.1.is_closed());
    }

    async fn context_options_apply_to_the_pages(stage) {
        stage.server.route("/", |request| {
            Response::html(format!(
                "<p>{}</p><i>{}</i>",
                request.header("user-agent").unwrap_or_default(),
                request.header("accept-language").unwrap_or_default()
            ))
        });
        let options = ContextOptions {
            viewport: Some(Viewport { width: 400, height: 300 }),
            locale: Locale { language: Some("de-DE".to_owned()), timezone: Some("Asia/Tokyo".to_owned()) },
            ..ContextOptions::default()
        };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let seen = page.evaluate(
            "[innerWidth, innerHeight, Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString(),
              navigator.userAgent === document.querySelector('p').textContent, document.querySelector('i').textContent,
              document.hasFocus(), matchMedia('(hover: hover)').matches, navigator.userAgentData?.brands?.at(-1)?.brand ?? 'actions']",
            soon(),
        ).await.unwrap();
        assert_eq!(seen, json!([400, 300, "Asia/Tokyo", "1,5", true, "de-DE", true, true, "actions"]));
        let agent = page.evaluate("navigator.userAgent", soon()).await.unwrap();
        assert_eq!(agent, json!(stage.browser.user_agent()));
        assert!(stage.browser.user_agent().ends_with(concat!(" actions/", env!("CARGO_PKG_VERSION"))));
        assert_eq!(stage.evaluate("[innerWidth, innerHeight]").await, json!([1280, 720]));
    }

    async fn closing_a_context_succeeds_whatever_its_pages_do(stage) {
        // (what the page does, its script, how many times it is closed in the middle of it)
        let pages = [
            ("goes elsewhere again and again", "setTimeout(() => { location = '/away?' + Math.random() }, 5)", 8),
            ("goes elsewhere and is never answered", "location = '/never'", 2),
            ("has a frame that goes elsewhere", "for (;frames.length < 3;) document.body.append(Object.assign(document.createElement('iframe'), { src: '/away' }))", 2),
            ("opens windows", "setInterval(() => open('/away'), 20)", 2),
            ("does not want to leave", "onbeforeunload = (event) => { event.preventDefault(); return 'stay' }", 2),
            ("asks", "setTimeout(() => alert('stay'), 1)", 2),
            ("works in its last moment", "onpagehide = () => { const end = Date.now() + 300; while (Date.now() < end); }", 1),
            ("never rests", "setTimeout(() => { for (;;); }, 1)", 1),
        ];
        let away = pages[0].1;
        stage.server.page("/away", format!("<body><script>{away}</script>"));
        stage.server.route("/never", |_| Response::html("late").after(std::time::Duration::from_secs(30)));
        for (what, script, times) in pages {
            stage.server.page("/busy", format!("<body><p>busy<script>{script}</script>"));
            for round in 0..times {
                let context = stage.browser.new_context(ContextOptions::default(), soon()).await.unwrap();
                let page = context.new_page(soon()).await.unwrap();
                // A dialog or another navigation may interfere.
                let _ = page.navigate(&stage.server.url("/busy"), LoadState::Commit, soon()).await;
                tokio::time::sleep(std::time::Duration::from_millis(7 * round)).await;
                let closed = context.close(soon()).await;
                assert!(closed.is_ok(), "a page that {what}, round {round}: {closed:?}");
                assert!(page.is_closed(), "a page that {what}");
            }
        }
    }

    async fn a_page_that_cannot_be_configured_is_closed_and_never_reported(stage) {
        let locale = Locale { timezone: Some("Mars/Phobos".to_owned()), ..Locale::default() };
        let options = ContextOptions { locale, ..ContextOptions::default() };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let mut events = context.events();
        let error = context.new_page(soon()).await.err().unwrap();
        assert!(error.to_string().contains("time zone"), "{error}");
        assert_eq!(context.pages().len(), 0);
        context.close(soon()).await.unwrap();
        assert!(events.try_recv().is_err(), "the page was never reported");
    }

    async fn a_page_whose_creation_is_cancelled_is_closed(stage) {
        let context = stage.browser.new_chromium_context(ContextOptions::default(), soon()).await.unwrap();
        let nothing = Deadline::after(&SystemClock, std::time::Duration::ZERO);
        assert!(context.new_page(nothing).await.is_err());
        let page = context.new_page(soon()).await.unwrap();
        // The browser has processed all earlier requests, so only the requested page remains.
        while context.pages().len() > 1 {
            tokio::task::yield_now().await;
        }
        assert_eq!(context.pages()[0].main_frame(), page.main_frame());
    }

    async fn dropping_a_context_closes_its_pages(stage) {
        let context = stage.browser.new_chromium_context(ContextOptions::default(), soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        let mut events = page.events();
        drop(context);
        crate::stage::heard(&mut events, |event| matches!(event, actions_browser::PageEvent::Closed).then_some(())).await;
    }
}
