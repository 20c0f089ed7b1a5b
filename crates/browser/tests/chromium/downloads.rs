//! Downloads: denied by default, saved into a folder on request.

use actions_browser::{
    Browser, ContextOptions, Download, DownloadPolicy, DownloadState, LoadState, PageEvent,
};
use actions_testserver::Response;

use crate::stage::{heard, on_every_browser, soon};

fn download(event: PageEvent) -> Option<Download> {
    match event {
        PageEvent::Download(download) => Some(download),
        _ => None,
    }
}

on_every_browser! {
    async fn a_download_is_denied_and_reported(stage) {
        stage.server.route("/file", |_| Response::download("../../evil.txt", "content"));
        stage.show("<a href=/file>get</a>").await;
        let mut events = stage.page.events();
        stage.click_main("a").await.unwrap();
        let begun = heard(&mut events, download).await;
        assert_eq!((begun.url, begun.state), (stage.server.url("/file"), DownloadState::Begun));
        assert!(!begun.suggested_name.contains('/'), "{}", begun.suggested_name);
        let ended = heard(&mut events, download).await;
        assert_eq!(ended.state, DownloadState::Cancelled);
        assert_eq!(stage.text("a").await, "get");
    }

    async fn a_download_is_kept_until_its_context_closes(stage) {
        stage.server.route("/file", |_| Response::download("a.txt", "content"));
        stage.server.page("/", "<a href=/file>get</a>");
        let options = ContextOptions {
            downloads: DownloadPolicy::Keep { max_bytes: 1_000 },
            ..ContextOptions::default()
        };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let mut events = page.events();
        page.evaluate("document.querySelector('a').click()", soon()).await.unwrap();
        heard(&mut events, download).await;
        let ended = heard(&mut events, download).await;
        let DownloadState::Completed(Some(file)) = ended.state else { panic!("{:?}", ended.state) };
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "content");
        assert_eq!(page.downloads().unwrap().len(), 1);
        context.close(soon()).await.unwrap();
        drop((page, context));
        assert!(!file.exists());
    }

    async fn a_download_that_is_too_large_is_ended(stage) {
        stage.server.route("/file", |_| Response::download("a.txt", "x".repeat(1_001)));
        stage.server.page("/", "<a href=/file>get</a>");
        let options = ContextOptions {
            downloads: DownloadPolicy::Keep { max_bytes: 1_000 },
            ..ContextOptions::default()
        };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let mut events = page.events();
        page.evaluate("document.querySelector('a').click()", soon()).await.unwrap();
        heard(&mut events, download).await;
        let ended = heard(&mut events, download).await;
        assert_eq!(ended.state, DownloadState::TooLarge { max_bytes: 1_000 });
    }

    async fn a_download_of_a_page_that_a_page_opened_belongs_to_both(stage) {
        stage.server.route("/file", |_| Response::download("a.txt", "content"));
        stage.server.page("/", "<a href=/file target=_blank>get</a>");
        let options = ContextOptions {
            downloads: DownloadPolicy::Keep { max_bytes: 1_000 },
            ..ContextOptions::default()
        };
        let context = stage.browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap();
        let mut events = page.events();
        page.evaluate("document.querySelector('a').click()", soon()).await.unwrap();
        heard(&mut events, download).await;
        let ended = heard(&mut events, download).await;
        assert!(matches!(ended.state, DownloadState::Completed(Some(_))), "{:?}", ended.state);
    }
}
