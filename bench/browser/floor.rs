//! The browser benchmark with bare CDP commands on a pipe and no checks except of the result: the lower bound for any driver
//! that sends the same commands. See ../README.md.
//!
//!     bench_floor CHROMIUM ORIGIN
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

type Answer<T> = Result<T, Box<dyn Error>>;

const TEXT: &str = "twenty characters ok";
const FACTS: &str = include_str!("floor/element_facts.js");
const RECORDS: &str = include_str!("floor/record_fields.js");
const LATE: &str = include_str!("floor/late.js");
const POINT: &str = include_str!("floor/point.js");

fn main() -> Answer<()> {
    let mut arguments = std::env::args().skip(1);
    let (executable, origin) =
        (arguments.next().ok_or("the program is missing")?, arguments.next().ok_or("the origin is missing")?);
    let mut page = Page::start(&executable)?;
    let (mut shown, mut clicks) = ("", 0);
    println!("{}", json!({ "ready": {} }));
    for task in std::io::stdin().lock().lines() {
        let task = task?;
        let wanted = match task.as_str() {
            "launch" => shown,
            "element_info" => "elements.html",
            "click" => "click.html",
            "type" => "type.html",
            "wait_for" => "wait.html",
            "extract" => "table.html",
            other => return Err(format!("there is no task `{other}`").into()),
        };
        if wanted != shown {
            page.navigate(&format!("{origin}/{wanted}"))?;
            (shown, clicks) = (wanted, 0);
        }
        let start = Instant::now();
        match task.as_str() {
            "launch" => {
                let mut fresh = Page::start(&executable)?;
                fresh.navigate(&format!("{origin}/click.html"))?;
                same(&fresh.read("document.getElementById('count').textContent")?, "0")?;
                answer(start);
                continue;
            }
            "element_info" => same(&page.read(FACTS)?["name"], "Item number 1250")?,
            "click" => {
                clicks += 1;
                page.click()?;
                let seen = page.read("document.getElementById('count').textContent")?;
                same(&seen, &clicks.to_string())?;
            }
            "type" => {
                page.write()?;
                same(&page.read("document.getElementById('field').value")?, TEXT)?;
            }
            "wait_for" => {
                page.read("begin()")?;
                page.read(LATE)?;
            }
            _ => same(&page.read(RECORDS)?[9_999]["name"], "Record number 10000")?,
        }
        answer(start);
        if task == "type" {
            page.read("document.getElementById('field').value = ''")?;
        }
    }
    Ok(())
}

fn answer(start: Instant) {
    println!("{}", json!({ "ms": start.elapsed().as_secs_f64() * 1000.0 }));
}

/// A browser with one page. It exits when its pipe closes.
struct Page {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    session: String,
    last: u64,
    _profile: tempfile::TempDir,
}

impl Page {
    fn start(executable: &str) -> Answer<Self> {
        let profile = tempfile::tempdir()?;
        // The shell moves our pipes to descriptors 3 and 4, where Chromium expects them.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null", "sh", executable])
            .args(["--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run"])
            .args(["--disable-gpu", "--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--window-size=1280,720"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("the pipe is missing")?);
        let mut page = Self { child, input, output, session: String::new(), last: 0, _profile: profile };
        let made = page.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": made["targetId"], "flatten": true });
        let attached = page.call("Target.attachToTarget", attach)?;
        page.session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        page.call("Page.enable", json!({}))?;
        Ok(page)
    }

    fn send(&mut self, method: &str, params: Value) -> Answer<u64> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.as_mut().ok_or("the pipe is closed")?.write_all(&bytes)?;
        Ok(self.last)
    }

    fn next(&mut self) -> Answer<Value> {
        let mut bytes = Vec::new();
        self.output.read_until(0, &mut bytes)?;
        bytes.pop();
        Ok(serde_json::from_slice(&bytes)?)
    }

    fn wait(&mut self, id: u64) -> Answer<Value> {
        loop {
            let mut message = self.next()?;
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.to_string().into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Answer<Value> {
        let id = self.send(method, params)?;
        self.wait(id)
    }

    fn navigate(&mut self, url: &str) -> Answer<()> {
        self.send("Page.navigate", json!({ "url": url }))?;
        while self.next()?["method"] != "Page.loadEventFired" {}
        Ok(())
    }

    fn read(&mut self, expression: &str) -> Answer<Value> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", params)?;
        Ok(answer["result"]["value"].take())
    }

    fn click(&mut self) -> Answer<()> {
        let point = self.read(POINT)?;
        let mut last = 0;
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": point["x"], "y": point["y"], "button": button, "buttons": buttons, "clickCount": 1 });
            last = self.send("Input.dispatchMouseEvent", event)?;
        }
        self.wait(last).map(drop)
    }

    fn write(&mut self) -> Answer<()> {
        self.read("document.getElementById('field').focus()")?;
        let mut last = 0;
        for letter in TEXT.chars() {
            let key = json!({ "type": "keyDown", "text": letter.to_string(), "key": letter.to_string() });
            self.send("Input.dispatchKeyEvent", key)?;
            last =
                self.send("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": letter.to_string() }))?;
        }
        self.wait(last).map(drop)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if self.send("Browser.close", json!({})).is_ok() {
            // The browser has exited when the pipe ends.
            let _ = self.output.read_to_end(&mut Vec::new());
        }
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Fails a benchmark with a wrong result: its time would mean nothing.
fn same(seen: &Value, expected: &str) -> Answer<()> {
    match seen.as_str() == Some(expected) {
        true => Ok(()),
        false => Err(format!("expected {expected}, saw {seen}").into()),
    }
}
