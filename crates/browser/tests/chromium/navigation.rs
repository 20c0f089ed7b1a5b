//! Navigation: loading, failures, timeouts, history, reload, and navigations started by the page.

use std::time::Duration;

use actions_browser::{Error, LoadState, NavigationFailure};
use actions_protocol::ErrorCode;
use actions_testserver::Response;

use crate::stage::{Stage, briefly, on_every_browser, soon};

async fn failure(stage: &Stage, url: &str) -> NavigationFailure {
    match stage.page.navigate(url, LoadState::Load, soon()).await.unwrap_err() {
        Error::NavigationFailed { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

on_every_browser! {
    async fn navigate_returns_after_redirects_with_the_final_url(stage) {
        stage.server.route("/from", |_| Response::redirect("/to"));
        stage.server.page("/to", "<title>There</title>");
        let navigated = stage.goto("/from").await;
        assert_eq!(navigated.url, stage.server.url("/to"));
        assert!(!navigated.same_document && !navigated.redirected_by_page);
        assert_eq!(stage.page.url(), stage.server.url("/to"));
    }

    async fn navigating_to_a_fragment_keeps_the_document(stage) {
        stage.show("<p id=a>a").await;
        let navigated = stage.goto("/#a").await;
        assert!(navigated.same_document);
        assert_eq!(navigated.url, stage.server.url("/#a"));
    }

    async fn each_navigation_failure_has_its_own_reason_and_the_page_stays_usable(stage) {
        stage.server.route("/download", |_| Response::download("a.txt", "a"));
        stage.server.route("/nothing", |_| Response::status(204));
        stage.server.route("/broken", |_| Response::broken());
        stage.show("<p>still here").await;
        assert_eq!(failure(stage, &stage.server.url("/download")).await, NavigationFailure::Download);
        assert_eq!(failure(stage, &stage.server.url("/nothing")).await, NavigationFailure::Aborted);
        assert_eq!(failure(stage, "no address").await, NavigationFailure::InvalidUrl);
        assert_eq!(stage.text("p").await, "still here");
        let NavigationFailure::Network(text) = failure(stage, &stage.server.url("/broken")).await else { panic!() };
        assert_eq!(text, "net::ERR_EMPTY_RESPONSE");
        stage.goto("/").await;
        assert_eq!(stage.text("p").await, "still here");
    }

    async fn a_document_that_never_loads_times_out_with_the_last_load_state(stage) {
        stage.server.route("/hang", |_| Response::hang());
        stage.server.page("/half", "<img src=/hang><p>half");
        let url = stage.server.url("/half");
        let error = stage.page.navigate(&url, LoadState::Load, briefly()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
        stage.page.navigate(&url, LoadState::DomContentLoaded, soon()).await.unwrap();
        assert_eq!(stage.text("p").await, "half");
        let error = stage.page.wait_for_load(&stage.page.main_frame(), LoadState::Load, briefly()).await.unwrap_err();
        assert!(error.to_string().contains("last seen: domcontentloaded"), "{error}");
        let error = stage.page.navigate(&stage.server.url("/hang"), LoadState::Commit, briefly()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
        assert!(error.to_string().starts_with("the new document (commit) did not come within 300ms; last seen: "), "{error}");
    }

    async fn a_superseded_navigation_names_the_newer_url(stage) {
        stage.server.route("/hang", |_| Response::hang());
        stage.server.page("/other", "<p>other");
        let (hang, other) = (stage.server.url("/hang"), stage.server.url("/other"));
        let first = stage.page.navigate(&hang, LoadState::Load, soon());
        let second = async {
            stage.server.asked_for("/hang").await;
            stage.page.navigate(&other, LoadState::Load, soon()).await
        };
        let (first, second) = tokio::join!(first, second);
        second.unwrap();
        let Error::NavigationFailed { reason, .. } = first.unwrap_err() else { panic!() };
        assert_eq!(reason, NavigationFailure::Superseded { by: other });
    }

    async fn navigate_follows_a_redirect_by_script(stage) {
        stage.server.page("/", "<script>location.replace('/second')</script><p>first");
        stage.server.page("/second", "<p>second");
        let navigated = stage.page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        // The browser decides whether the first document still reaches `load`; either way the page ends on the second.
        if navigated.redirected_by_page {
            assert_eq!(navigated.url, stage.server.url("/second"));
        } else {
            let main = stage.page.main_frame();
            while stage.page.url() != stage.server.url("/second") {
                tokio::task::yield_now().await;
            }
            stage.page.wait_for_load(&main, LoadState::Load, soon()).await.unwrap();
        }
        assert_eq!(stage.text("p").await, "second");
    }

    async fn history_and_reload_load_documents_again(stage) {
        stage.server.page("/a", "<p>a");
        stage.server.page("/b", "<p>b");
        stage.goto("/a").await;
        stage.goto("/b").await;
        assert_eq!(stage.page.go(-1, LoadState::Load, soon()).await.unwrap().url, stage.server.url("/a"));
        assert_eq!(stage.text("p").await, "a");
        assert_eq!(stage.page.go(1, LoadState::Load, soon()).await.unwrap().url, stage.server.url("/b"));
        let error = stage.page.go(1, LoadState::Load, soon()).await.unwrap_err();
        assert!(matches!(error, Error::NavigationFailed { reason: NavigationFailure::EndOfHistory, .. }));
        stage.server.page("/b", "<p>b again");
        stage.page.reload(LoadState::Load, soon()).await.unwrap();
        assert_eq!(stage.text("p").await, "b again");
    }

    async fn history_and_reload_are_not_confused_with_same_document_navigations(stage) {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        stage.server.route("/slow", move |_| match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 => Response::html("<p>slow").with_header("cache-control", "no-store"),
            _ => Response::html("<p>slow again").with_header("cache-control", "no-store").after(Duration::from_millis(500)),
        });
        let restless = "<p>restless<script>setInterval(() => history.replaceState(0, '', '?' + Math.random()), 5)</script>";
        stage.server.page("/restless", restless);
        stage.goto("/slow").await;
        stage.goto("/restless").await;
        let back = stage.page.go(-1, LoadState::Load, soon()).await.unwrap();
        assert_eq!((back.url, back.same_document), (stage.server.url("/slow"), false));
        assert_eq!(stage.text("p").await, "slow again");

        stage.goto("/restless").await;
        stage.server.route("/restless", |_| Response::html("<p>at rest").after(Duration::from_millis(500)));
        let again = stage.page.reload(LoadState::Load, soon()).await.unwrap();
        assert!(!again.same_document);
        assert_eq!(stage.text("p").await, "at rest");
    }

    async fn history_navigation_can_keep_the_document(stage) {
        stage.server.page("/", "<p>app<script>onpopstate = () => history.replaceState(0, '', location.pathname + '?seen')</script>");
        stage.goto("/").await;
        stage.evaluate("history.pushState(0, '', '/one'); history.pushState(0, '', '/two'); document.title = 'kept'").await;
        let back = stage.page.go(-1, LoadState::Load, soon()).await.unwrap();
        assert!(back.same_document);
        assert!(back.url.starts_with(&stage.server.url("/one")), "{back:?}");
        let back = stage.page.go(-1, LoadState::Load, soon()).await.unwrap();
        assert!(back.same_document && back.url.starts_with(&stage.server.url("/")), "{back:?}");
        assert_eq!(stage.evaluate("document.title").await, "kept");
    }

    async fn a_pending_navigation_of_the_page_is_not_mistaken_for_ours(stage) {
        stage.server.page("/theirs", "<p>theirs");
        stage.server.route("/ours", |_| Response::html("<p>ours").after(Duration::from_millis(300)));
        for round in 0..8 {
            stage.show("<p>start").await;
            stage.evaluate("void setTimeout(() => { location = '/theirs' }, 0)").await;
            // Each round interrupts the page's own navigation at a different moment.
            for _ in 0..round {
                stage.page.catch_up(soon()).await.unwrap();
            }
            let ours = stage.server.url("/ours");
            match stage.page.navigate(&ours, LoadState::Load, soon()).await {
                Ok(navigated) if navigated.redirected_by_page => {}
                Ok(navigated) => assert_eq!(navigated.url, ours),
                Err(Error::NavigationFailed { reason: NavigationFailure::Superseded { .. }, .. }) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }

    async fn reloading_a_document_that_is_still_loading_succeeds(stage) {
        stage.server.route("/hang", |_| Response::hang());
        stage.server.page("/half", "<img src=/hang><p>half");
        let url = stage.server.url("/half");
        stage.page.navigate(&url, LoadState::DomContentLoaded, soon()).await.unwrap();
        stage.server.asked_for("/hang").await;
        stage.page.reload(LoadState::DomContentLoaded, soon()).await.unwrap();
        assert_eq!(stage.text("p").await, "half");
    }

    async fn wait_for_navigation_sees_a_navigation_that_began_after_the_mark(stage) {
        stage.server.page("/next", "<p>next");
        stage.show("<a href=/next>go</a> <a id=f href='#x'>stay</a>").await;
        let mark = stage.page.navigation_mark();
        stage.click_main("#f").await.unwrap();
        let moved = stage.page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap();
        assert!(moved.same_document);
        let mark = stage.page.navigation_mark();
        stage.click_main("a").await.unwrap();
        let gone = stage.page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap();
        assert_eq!(gone.url, stage.server.url("/next"));
    }

    async fn wait_for_navigation_reports_a_click_that_does_not_navigate(stage) {
        stage.server.route("/nothing", |_| Response::status(204));
        stage.show("<a href=/nothing>go</a>").await;
        let mark = stage.page.navigation_mark();
        stage.click_main("a").await.unwrap();
        let error = stage.page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap_err();
        assert!(matches!(error, Error::NavigationFailed { reason: NavigationFailure::Aborted, .. }), "{error:?}");
        let error = stage.page.wait_for_navigation(stage.page.navigation_mark(), LoadState::Load, briefly()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
    }

    async fn push_state_is_a_same_document_navigation(stage) {
        stage.show("<p>app").await;
        let mark = stage.page.navigation_mark();
        stage.evaluate("history.pushState({}, '', '/deep/link?x=1')").await;
        let moved = stage.page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap();
        assert!(moved.same_document);
        assert_eq!(stage.page.url(), stage.server.url("/deep/link?x=1"));
    }
}
