//! Serves the corpus under three origins and collects what its pages record.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_testserver::{Request, Response, TestServer};
use serde_json::{Map, Value, json};

use crate::case::{Case, Serve};

const ARRIVED: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Arrived</title><p id=\"arrived\">Arrived</p></html>";

/// The server, and the records that its pages have sent.
pub(crate) struct Site {
    server: TestServer,
    truths: Arc<Truths>,
}

#[derive(Default)]
struct Truths(Mutex<HashMap<String, Vec<Value>>>);

impl Site {
    /// Serves every file of the corpus with the headers and delays of its case.
    pub(crate) async fn start(corpus: &Path, cases: &[Case]) -> Self {
        let server = TestServer::start().await.expect("a loopback port is free");
        let site = Self { server, truths: Arc::default() };
        site.serve_folder(corpus, "", &Serve::default());
        for case in cases {
            site.serve_folder(&corpus.join(&case.name), &format!("/{}", case.name), &case.serve);
        }
        site.server.route("/favicon.ico", |_| Response::status(204));
        let truths = Arc::clone(&site.truths);
        site.server.route("/__truth", move |request| truths.record(request));
        let truths = Arc::clone(&site.truths);
        site.server.route("/__hit", move |request| truths.hit(request));
        site
    }

    /// The address of the page of a case.
    pub(crate) fn url(&self, case: &Case) -> String {
        self.server.url(&format!("/{}/index.html", case.name))
    }

    /// Replaces the placeholders for origins.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{{origin}}", &self.server.origin())
            .replace("{{other_origin}}", &self.server.url_on("localhost", ""))
            .replace("{{third_origin}}", &self.server.url_on("third.localhost", ""))
    }

    /// The records of a case: documents in the order of arrival, and the records of each by number, because requests may
    /// overtake each other.
    pub(crate) fn truth(&self, case: &Case) -> Vec<Value> {
        let mut records = self.truths.of(&case.name);
        let mut documents: Vec<Value> = Vec::new();
        for record in &records {
            if !documents.contains(&record["document"]) {
                documents.push(record["document"].clone());
            }
        }
        records.sort_by_key(|record| {
            let document = documents.iter().position(|document| *document == record["document"]);
            (document, record["seq"].as_u64().unwrap_or(0))
        });
        records
    }

    fn serve_folder(&self, folder: &Path, prefix: &str, rules: &Serve) {
        for entry in std::fs::read_dir(folder).expect("the folder of a case can be listed") {
            let path = entry.expect("the folder of a case can be listed").path();
            if path.is_dir() {
                continue;
            }
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).expect("the files of the corpus are text");
            let mut response = match path.extension().and_then(|extension| extension.to_str()) {
                Some("html") => Response::html(self.fill(&text)),
                Some("js") => Response::status(200).with_body("text/javascript; charset=utf-8", text),
                _ => Response::status(200).with_body("text/plain; charset=utf-8", text),
            };
            if let Some(&status) = rules.status.get(&name) {
                response.status = status;
            }
            for (header, value) in rules.headers.get(&name).into_iter().flatten() {
                response = response.with_header(header, self.fill(value));
            }
            if let Some(&delay) = rules.delays.get(&name) {
                response = response.after(Duration::from_millis(delay));
            }
            self.server.route(&format!("{prefix}/{name}"), move |_| response.clone());
        }
    }
}

impl Truths {
    fn record(&self, request: &Request) -> Response {
        let name = request.parameter("case").map(decode).unwrap_or_default();
        if request.method == "GET" {
            return Response::json(Value::Array(self.of(&name)).to_string());
        }
        match serde_json::from_slice(&request.body) {
            Ok(record) => self.collect(name, record),
            Err(_) => return Response::status(400),
        }
        Response::status(204)
    }

    fn hit(&self, request: &Request) -> Response {
        let word = |name| request.parameter(name).map(decode);
        let value = if request.method == "POST" { fields(&request.body) } else { Value::Null };
        let record = json!({ "element": word("element"), "event": word("event"), "trusted": true, "at": "server", "value": value });
        self.collect(word("case").unwrap_or_default(), record);
        Response::html(ARRIVED)
    }

    fn collect(&self, name: String, record: Value) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default().push(record);
    }

    fn of(&self, name: &str) -> Vec<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned().unwrap_or_default()
    }
}

/// Parses the fields of a submitted form.
fn fields(body: &[u8]) -> Value {
    let text = String::from_utf8_lossy(body);
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let fields: Map<String, Value> = pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), Value::String(decode(value))))
        .collect();
    Value::Object(fields)
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, escaped) {
            (b'%', Some(decoded)) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = tail;
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
