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

    async fn a_download_is_saved_into_a_folder_on_request(stage) {
        stage.server.route("/file", |_| Response::download("a.txt", "content"));
        stage.server.page("/", "<a href=/file>get</a>");
        let folder = tempfile::tempdir().unwrap();
        let options = ContextOptions {
            downloads: DownloadPolicy::SaveTo(folder.path().to_path_buf()),
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
        assert!(file.starts_with(folder.path()));
        assert_eq!(std::fs::read_to_string(file).unwrap(), "content");
    }
}
