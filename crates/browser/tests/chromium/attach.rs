//! Attaching to a browser that the driver did not launch.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use actions_browser::chromium::{self, AttachOptions};
use actions_browser::{Browser, Confinement, ContextOptions, LoadState};
use actions_protocol::ErrorCode;
use actions_testserver::TestServer;

use crate::stage::{Kind, soon};

/// A browser started by the test itself, with a debugging port.
pub(crate) struct Foreign {
    child: Child,
    folder: tempfile::TempDir,
}

impl Foreign {
    pub(crate) fn start(kind: Kind) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let child = Command::new(kind.options().executable.unwrap())
            .args([
                "--headless",
                "--no-sandbox",
                "--remote-debugging-port=0",
                "--no-first-run",
                "about:blank",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, folder }
    }

    /// Waits until the browser has written its port and WebSocket path to a file, and returns them.
    pub(crate) async fn endpoint(&self) -> (u16, String) {
        loop {
            let text =
                std::fs::read_to_string(self.folder.path().join("DevToolsActivePort")).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n')
                && !path.is_empty()
            {
                return (port.parse().unwrap(), path.trim().to_owned());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn attaching_to_a_browser_leaves_it_running(kind: Kind) {
    let server = TestServer::start().await.unwrap();
    server.page("/", "<p>hello");
    let mut foreign = Foreign::start(kind);
    let (port, path) = foreign.endpoint().await;
    for endpoint in [format!("ws://127.0.0.1:{port}{path}"), format!("http://127.0.0.1:{port}")] {
        let browser = chromium::attach(&endpoint, AttachOptions::default()).await.unwrap();
        let context = browser.new_context(ContextOptions::default(), soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&server.url("/"), LoadState::Load, soon()).await.unwrap();
        assert_eq!(page.evaluate("document.body.innerText", soon()).await.unwrap(), "hello");
        browser.close().await;
        assert!(foreign.child.try_wait().unwrap().is_none(), "the browser still runs");
    }
    let browser =
        chromium::attach(&format!("http://localhost:{port}/"), AttachOptions::default()).await.unwrap();
    let lost = browser.lost();
    foreign.child.kill().unwrap();
    assert_eq!(lost.await.code(), ErrorCode::BrowserLost);
}

#[tokio::test]
async fn attaching_to_a_headless_shell_leaves_it_running() {
    attaching_to_a_browser_leaves_it_running(Kind::HeadlessShell).await;
}

#[tokio::test]
async fn attaching_to_chromium_leaves_it_running() {
    attaching_to_a_browser_leaves_it_running(Kind::Chromium).await;
}

#[tokio::test]
async fn an_attached_driver_does_not_block_pages_of_other_clients() {
    let server = TestServer::start().await.unwrap();
    server.page("/theirs", "<p>theirs");
    let foreign = Foreign::start(Kind::HeadlessShell);
    let (port, path) = foreign.endpoint().await;
    let endpoint = format!("ws://127.0.0.1:{port}{path}");
    let ours = chromium::attach(&endpoint, AttachOptions::default()).await.unwrap();
    let theirs = chromium::attach(&endpoint, AttachOptions::default()).await.unwrap();
    // A confined context pauses the documents of all pages of the browser.
    let confinement = Some(Confinement::to(["http://ours.localhost"]));
    let confined = ContextOptions { confinement, ..ContextOptions::default() };
    let confined = ours.new_context(confined, soon()).await.unwrap();
    let context = theirs.new_context(ContextOptions::default(), soon()).await.unwrap();
    let page = context.new_page(soon()).await.unwrap();
    page.navigate(&server.url("/theirs"), LoadState::Load, soon()).await.unwrap();
    assert_eq!(page.evaluate("document.body.innerText", soon()).await.unwrap(), "theirs");
    confined.close(soon()).await.unwrap();
    ours.close().await;
    page.navigate(&server.url("/theirs"), LoadState::Load, soon()).await.unwrap();
    assert_eq!(page.evaluate("1 + 1", soon()).await.unwrap(), 2);
    theirs.close().await;
}

#[tokio::test]
async fn attaching_to_an_endpoint_without_a_browser_fails_and_names_it() {
    let server = TestServer::start().await.unwrap();
    for endpoint in [
        "ftp://127.0.0.1".to_owned(),
        "ws://127.0.0.1:1/devtools".to_owned(),
        server.url(""),
        format!("ws://127.0.0.1:{}/", server.port()),
    ] {
        let error = chromium::attach(&endpoint, AttachOptions::default()).await.err().unwrap();
        assert_eq!(error.code(), ErrorCode::TransportFailed);
        assert!(error.to_string().contains(&endpoint), "{error}");
    }
}
