//! Serves the pages of the cases and some misbehaving addresses.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_testserver::{Response, TestServer};

use crate::case::fixtures;

/// The server of the pages, with some misbehaving addresses.
pub(crate) struct Site {
    pub(crate) server: TestServer,
}

impl Site {
    pub(crate) async fn start() -> Self {
        let site = Self { server: TestServer::start().await.expect("a loopback port is free") };
        site.serve(&fixtures(), "");
        let server = &site.server;
        server.route("/favicon.ico", |_| Response::status(204));
        server.route("/never", |_| Response::hang());
        server.route("/broken", |_| Response::broken());
        server.route("/missing", |_| Response::html("<title>Missing</title>").with_status(404));
        server
            .route("/text", |_| Response::status(200).with_body("text/plain; charset=utf-8", "plain words"));
        server.route("/long", |_| Response::status(200).with_body("text/plain", "x".repeat(5000)));
        let away = server.url_on("localhost", "/text");
        let redirected = Arc::new(Mutex::new(HashMap::<String, usize>::new()));
        let asked = Arc::clone(&redirected);
        server.route("/away", move |request| {
            *asked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(request.query.clone())
                .or_default() += 1;
            Response::redirect(away.clone())
        });
        // Returns how many requests with the same query `/away` has received.
        server.route("/asked", move |request| {
            let times =
                redirected.lock().unwrap_or_else(PoisonError::into_inner).get(&request.query).copied();
            Response::status(200).with_body("text/plain", times.unwrap_or(0).to_string())
        });
        server.route("/no-clipboard", |_| {
            Response::html("<title>No clipboard</title><input id=field>")
                .with_header("permissions-policy", "clipboard-read=(), clipboard-write=()")
        });
        server.route("/file", |_| Response::download("report.txt", "content"));
        server.route("/large-file", |_| Response::download("large.bin", "x".repeat(10_001)));
        server.route("/half-a-file", |_| Response::download("half.txt", "cont").cut_off());
        server
            .route("/endless-file", |_| Response::download("endless.txt", "x".repeat(4_000)).never_ending());
        server.route("/slow", |_| Response::html("<title>Slow</title>").after(Duration::from_millis(300)));
        let asked = Mutex::new(HashSet::new());
        server.route("/once", move |request| {
            match asked.lock().unwrap_or_else(PoisonError::into_inner).insert(request.query.clone()) {
                true => Response::html("<title>Once</title>").with_header("cache-control", "no-store"),
                false => Response::hang(),
            }
        });
        site
    }

    /// Replaces the placeholders for addresses, folders and long texts.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{{origin}}", &self.server.origin())
            .replace("{{other_origin}}", &self.server.url_on("localhost", ""))
            .replace("{{fixtures}}", &fixtures().display().to_string())
            .replace("{{256_kib}}", &"x".repeat(256 * 1024))
    }

    fn serve(&self, folder: &Path, prefix: &str) {
        for entry in std::fs::read_dir(folder).expect("the fixtures can be listed") {
            let path = entry.expect("the fixtures can be listed").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                self.serve(&path, &format!("{prefix}/{name}"));
            } else if name.ends_with(".html") {
                let text = std::fs::read_to_string(&path).expect("pages are text");
                self.server.page(&format!("{prefix}/{name}"), self.fill(&text));
            }
        }
    }
}
