//! What pages are told of their visitor, what servers are shown, and where downloads go.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};

use super::{root, seen, stderr, stdout};

/// The login of the site, as browsers send it: `ada` and `open sesame`.
const LOGIN: &str = "Basic YWRhOm9wZW4gc2VzYW1l";

/// A site that asks who is there, repeats a header, and offers a file.
async fn site() -> TestServer {
    let server = TestServer::start().await.expect("a server");
    server.route("/guarded", |request| match request.header("authorization") {
        Some(LOGIN) => Response::html("<p id=who>come in</p>"),
        _ => Response::status(401).with_header("www-authenticate", "Basic realm=\"site\""),
    });
    server.route("/header", |request| {
        Response::html(format!("<p id=who>{}</p>", request.header("x-tenant").unwrap_or("nobody")))
    });
    server.route("/away", |request| Response::redirect(format!("http://localhost:{}/header", port(request))));
    server.page(
        "/place",
        "<p id=who></p><script>navigator.geolocation.getCurrentPosition(({ coords }) => {
            who.textContent = [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
                coords.latitude, coords.longitude].join(' ') }, ({ message }) => { who.textContent = message })</script>",
    );
    server.page("/offer", "<a id=file href=/file>File</a>");
    server.route("/file", |_| Response::download("orders.csv", "id,title\n"));
    server
}

fn port(request: &actions_testserver::Request) -> String {
    request.header("host").and_then(|host| host.rsplit(':').next()).unwrap_or_default().to_owned()
}

/// Runs the command with a variable that holds the password.
fn with_password(arguments: &[&str]) -> Output {
    let command = Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .env("SITE_PASSWORD", "open sesame")
        .output();
    command.expect("the command starts")
}

/// What a page says in `#who`.
fn who(url: &str, more: &[&str]) -> Result<String, String> {
    let args = json!({ "locator": { "selector": "#who", "text_matches": "." } }).to_string();
    let arguments = ["primitives", "locator.text_content", "--try", url, "--args", &args];
    let output = with_password(&[&arguments, more].concat());
    match serde_json::from_str::<Value>(&stdout(&output)) {
        Ok(value) => Ok(value["text"].as_str().unwrap_or_default().to_owned()),
        Err(_) => Err(seen(&output)),
    }
}

/// Runs what blocks beside the server.
async fn beside(work: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(work).await.expect("the commands were run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_goes_to_the_named_origin_and_to_no_other() {
    let server = site().await;
    let (url, origin) = (server.url("/guarded"), server.origin());
    let other = server.url_on("localhost", "/guarded");
    beside(move || {
        let login = format!("{origin}=ada:env:SITE_PASSWORD");
        assert_eq!(who(&url, &["--http-auth", &login]).as_deref(), Ok("come in"));
        let wrong = format!("{origin}=ada:env:HOME");
        assert!(who(&url, &["--http-auth", &wrong]).is_err());
        let refused = who(&other, &["--http-auth", &login]).expect_err("another origin gets no login");
        assert!(!refused.contains("sesame"), "{refused}");
        let shown = with_password(&["primitives", "page.info", "--try", &url, "--http-auth", "x=ada:sesame"]);
        assert!(shown.status.code() == Some(2), "{}", seen(&shown));
    })
    .await;
    let shown = server.served().into_iter().filter(|served| served.request.header("authorization").is_some());
    for served in shown {
        assert_eq!(served.request.header("host"), Some(server.origin().trim_start_matches("http://")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_goes_to_the_site_and_a_redirect_takes_it_nowhere_else() {
    let server = site().await;
    let (url, away) = (server.url("/header"), server.url("/away"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tenant");
    std::fs::write(&file, "blue-4711\n").expect("a file");
    let value = format!("X-Tenant: @{}", file.display());
    beside(move || {
        assert_eq!(who(&url, &["--header", &value]).as_deref(), Ok("blue-4711"));
        assert_eq!(who(&away, &["--header", &value]).as_deref(), Ok("nobody"));
        assert_eq!(who(&url, &[]).as_deref(), Ok("nobody"));
        let missing = who(&url, &["--header", "X-Tenant: env:NO_SUCH_VARIABLE"]).expect_err("a refusal");
        assert!(missing.contains("NO_SUCH_VARIABLE"), "{missing}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_told_language_time_zone_and_place() {
    let server = site().await;
    let url = server.url("/place");
    beside(move || {
        let options = ["--locale", "de-DE", "--timezone", "Asia/Tokyo", "--geolocation", "27.7,85.3"];
        assert_eq!(who(&url, &options).as_deref(), Ok("de-DE Asia/Tokyo 27.7 85.3"));
        let unknown = who(&url, &["--timezone", "Mars/Olympus"]).expect_err("a refusal");
        assert!(unknown.contains("the browser does not know the time zone `Mars/Olympus`"), "{unknown}");
    })
    .await;
}

/// A map of one tool that clicks the file and waits for it.
fn map(origin: &str) -> String {
    let steps = json!([
        { "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "#file" } } },
        { "id": "saved", "primitive": "browser.wait_for_download", "args": {} }]);
    json!({ "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "url": format!("{origin}/offer") },
        "tools": [{ "name": "file.save", "description": "Saves the file.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps,
                "output": "{% steps.saved.output.name %}" } }] })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_is_saved_where_the_option_says_and_refused_without_it() {
    let server = site().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (file, saved) = (folder.path().join("actions.json"), folder.path().join("saved"));
    std::fs::write(&file, map(&server.origin())).expect("a map");
    std::fs::create_dir(&saved).expect("a folder");
    let trace = folder.path().join("trace");
    beside(move || {
        let (file, to) = (file.display().to_string(), saved.display().to_string());
        let refused = with_password(&["run", &file, "file.save"]);
        assert_eq!(refused.status.code(), Some(5), "{}", seen(&refused));
        assert!(stderr(&refused).contains("--download-to DIR"), "{}", seen(&refused));
        let done = with_password(&["run", &file, "file.save", "--download-to", &to]);
        assert_eq!(stdout(&done).trim(), "\"orders.csv\"", "{}", seen(&done));
        let path = saved.join("orders.csv");
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "id,title\n");
        let mode = std::fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let nowhere = with_password(&["run", &file, "file.save", "--download-to", "/no/such/folder"]);
        assert_eq!(nowhere.status.code(), Some(2), "{}", seen(&nowhere));
        // What servers are shown is in no trace.
        let har = trace.with_file_name("a.har").display().to_string();
        let recorded = with_password(&[
            "record",
            &file,
            "file.save",
            "--har",
            &har,
            "--download-to",
            &to,
            "--trace",
            &trace.display().to_string(),
            "--header",
            "X-Tenant: env:SITE_PASSWORD",
        ]);
        assert!(recorded.status.success(), "{}", seen(&recorded));
        let mut texts = vec![std::fs::read_to_string(&har).expect("the recording"), seen(&recorded)];
        let traced = std::fs::read_dir(&trace).expect("the trace").flatten();
        texts.extend(traced.filter_map(|entry| std::fs::read_to_string(entry.path()).ok()));
        assert!(texts.iter().all(|text| !text.contains("open sesame")), "a secret was shown");
        assert!(texts[0].contains("[secret]"), "the header was recorded without its value");
    })
    .await;
}
