//! Launching a browser: failures, cleanup, the sandbox and proxies.

use std::time::Duration;

use actions_browser::chromium::{self, LaunchNote, LaunchOptions, Sandbox};
use actions_browser::{Browser, ContextOptions, Error, LoadState, Proxy};
use actions_protocol::ErrorCode;
use actions_testserver::{Response, TestServer};

use crate::stage::{Kind, Stage, soon};

fn script(folder: &std::path::Path, text: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join("browser");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

async fn launch_error(options: LaunchOptions) -> Error {
    chromium::launch(options).await.err().expect("the launch fails")
}

#[tokio::test]
async fn a_program_that_exits_at_once_is_reported_with_its_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), "#!/bin/sh\necho 'no display' >&2\nexit 7\n");
    let options = LaunchOptions {
        executable: Some(program),
        profile_root: Some(folder.path().to_path_buf()),
        ..LaunchOptions::default()
    };
    let error = launch_error(options).await;
    assert_eq!(error.code(), ErrorCode::BrowserLaunchFailed);
    let text = error.to_string();
    assert!(text.contains("exited with status 7") && text.contains("no display"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "only the program is left");
}

#[tokio::test]
async fn a_program_that_never_answers_is_killed_after_the_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n");
    let options = LaunchOptions {
        executable: Some(program),
        timeout: Duration::from_millis(300),
        profile_root: Some(folder.path().to_path_buf()),
        ..LaunchOptions::default()
    };
    let error = launch_error(options).await;
    assert!(error.to_string().contains("did not respond within"), "{error}");
    assert!(!crate::stage::runs_in(folder.path()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn launch_does_not_wait_for_processes_that_a_failed_program_leaves_behind() {
    let folder = tempfile::tempdir().unwrap();
    // The leftover process has its own process group and keeps every descriptor of the program open.
    let program = script(
        folder.path(),
        "#!/bin/sh\nsetsid sleep 600 &\necho $! > \"$(dirname \"$0\")/left\"\necho 'went away' >&2\nexit 5\n",
    );
    let options = LaunchOptions {
        executable: Some(program),
        timeout: Duration::from_secs(100),
        profile_root: Some(folder.path().to_path_buf()),
        ..LaunchOptions::default()
    };
    let started = std::time::Instant::now();
    let error = launch_error(options).await;
    let took = started.elapsed();
    let left: i32 = std::fs::read_to_string(folder.path().join("left")).unwrap().trim().parse().unwrap();
    rustix::process::kill_process(
        rustix::process::Pid::from_raw(left).unwrap(),
        rustix::process::Signal::KILL,
    )
    .unwrap();
    let text = error.to_string();
    assert!(text.contains("exited with status 5") && text.contains("went away"), "{text}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "the program and the number are left");
}

#[tokio::test]
async fn a_missing_program_and_one_that_cannot_run_are_different_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = LaunchOptions { executable: Some(folder.path().join("no")), ..LaunchOptions::default() };
    assert_eq!(launch_error(missing).await.code(), ErrorCode::BrowserNotFound);
    let program = script(folder.path(), "this is no program");
    let options = LaunchOptions { executable: Some(program), ..LaunchOptions::default() };
    let error = launch_error(options).await;
    assert_eq!(error.code(), ErrorCode::BrowserLaunchFailed, "{error}");
}

#[tokio::test]
async fn the_sandbox_is_on_except_for_root_which_is_noted() {
    let launched = chromium::launch(Kind::HeadlessShell.options()).await.unwrap();
    let is_root = rustix::process::geteuid().is_root();
    assert_eq!(launched.notes.contains(&LaunchNote::SandboxOffForRoot), is_root);
    launched.browser.close().await;
    if is_root {
        let forced = LaunchOptions { sandbox: Sandbox::On, ..Kind::HeadlessShell.options() };
        assert_eq!(launch_error(forced).await.code(), ErrorCode::BrowserLaunchFailed);
    }
}

#[tokio::test]
async fn requests_go_through_the_proxy_of_the_context() {
    let stage = Stage::on(Kind::HeadlessShell).await;
    let proxy = TestServer::start().await.unwrap();
    proxy.route("http://shop.test/", |_| Response::html("<p>from the proxy"));
    let options = ContextOptions {
        proxy: Some(Proxy { server: format!("http://127.0.0.1:{}", proxy.port()), bypass: None }),
        ..ContextOptions::default()
    };
    let context = stage.browser.new_context(options, soon()).await.unwrap();
    let page = context.new_page(soon()).await.unwrap();
    page.navigate("http://shop.test/", LoadState::Load, soon()).await.unwrap();
    assert_eq!(page.evaluate("document.body.innerText", soon()).await.unwrap(), "from the proxy");
    stage.close().await;
}

#[tokio::test]
async fn dropping_a_browser_leaves_no_process_and_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let options =
        LaunchOptions { profile_root: Some(root.path().to_path_buf()), ..Kind::HeadlessShell.options() };
    let browser = chromium::launch(options).await.unwrap().browser;
    assert!(crate::stage::runs_in(root.path()));
    drop(browser);
    while crate::stage::runs_in(root.path()) || std::fs::read_dir(root.path()).unwrap().count() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn cancelling_a_launch_leaves_no_process_and_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let options = LaunchOptions { profile_root: Some(root.path().to_path_buf()), ..Kind::Chromium.options() };
    let launching = tokio::spawn(chromium::launch(options));
    while std::fs::read_dir(root.path()).unwrap().count() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    launching.abort();
    let _ = launching.await;
    while crate::stage::runs_in(root.path()) || std::fs::read_dir(root.path()).unwrap().count() > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
