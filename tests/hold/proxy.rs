//! A program that stands between the command and its browser and spoils one message.
//!
//! It is this test binary itself: the command starts a script as its browser, the script runs the test `between` of this
//! file, and that test runs the real browser. Its descriptors 3 and 4 are those of the command's pipes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::attempt::Ground;

/// Which message is spoiled, and how: `NUMBER KIND`.
pub(super) const FAULT: &str = "ACTIONS_HOLD_FAULT";
/// The file with the flags of the browser.
const FLAGS: &str = "ACTIONS_HOLD_FLAGS";

/// What can happen to a message.
pub(super) const KINDS: &[&str] = &[
    "dropped",
    "delayed",
    "null",
    "mistyped",
    "error",
    "duplicated",
    "reordered",
    "closed",
    "empty",
    "garbage",
    "misnumbered",
    "flooded",
    "silent",
];

/// Writes the script that the command starts as its browser.
pub(super) fn script(ground: &Ground) -> String {
    let script = ground.file("browser");
    let this = std::env::current_exe().expect("this program");
    let text = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$TMPDIR/flags\"\n{FLAGS}=\"$TMPDIR/flags\" \
         exec {} --exact hold::proxy::between --nocapture --test-threads 1 >/dev/null\n",
        this.display()
    );
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("a program");
    script.display().to_string()
}

/// Not a test of its own: the proxy, when the script runs it.
#[test]
fn between() {
    let Ok(flags) = std::env::var(FLAGS) else { return };
    let flags = std::fs::read_to_string(flags).expect("the flags");
    let fault = std::env::var(FAULT).expect("a fault");
    let (number, kind) = fault.split_once(' ').expect("a number and a kind");
    let browser = actions_engine::browser::chromium::launch::find(None, false).expect("a browser").path;
    // The shell moves the pipes to the descriptors that the browser uses.
    let mut child = Command::new("/bin/sh")
        .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
        .arg(browser)
        .args(flags.lines())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the browser starts");
    let mut commands = child.stdin.take().expect("a pipe");
    std::thread::spawn(move || {
        let mut from = File::open("/proc/self/fd/3").expect("the commands");
        // Either side may end first. The browser ends when its commands end.
        let _ = std::io::copy(&mut from, &mut commands);
        drop(commands);
    });
    let answers = BufReader::new(child.stdout.take().expect("a pipe"));
    let to = OpenOptions::new().write(true).open("/proc/self/fd/4").expect("the answers");
    let mut spoiler = Spoiler { to, number: number.parse().expect("a number"), kind, seen: 0, held: None };
    for message in answers.split(0).map_while(Result::ok) {
        if spoiler.pass(message).is_none() {
            break;
        }
    }
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

struct Spoiler<'k> {
    to: File,
    /// The message that is spoiled, counted from 0.
    number: u64,
    kind: &'k str,
    seen: u64,
    /// A message that waits for the next one.
    held: Option<Vec<u8>>,
}

impl Spoiler<'_> {
    /// Passes a message on. `None` ends the connection.
    fn pass(&mut self, message: Vec<u8>) -> Option<()> {
        let is_spoiled = self.seen == self.number;
        self.seen += 1;
        if self.kind == "silent" && self.seen > self.number {
            return Some(());
        }
        if !is_spoiled {
            self.write(&message)?;
            return self.held.take().map_or(Some(()), |held| self.write(&held));
        }
        let mut parsed: Value = serde_json::from_slice(&message).expect("a message");
        match self.kind {
            "dropped" => return Some(()),
            "delayed" => std::thread::sleep(Duration::from_millis(600)),
            "duplicated" => self.write(&message)?,
            "reordered" => {
                self.held = Some(message);
                return Some(());
            }
            "closed" => return None,
            "garbage" => return self.write(b"{\"id\":1,\"result\":{\xff\xfe"),
            "flooded" => {
                for _ in 0..2_000 {
                    self.write(br#"{"method":"Page.frameNavigated","params":{"frame":null}}"#)?;
                }
            }
            "misnumbered" => {
                if let Some(id) = parsed.get("id").and_then(Value::as_u64) {
                    parsed["id"] = json!(id + 1);
                }
            }
            kind => {
                let key = if parsed.get("id").is_some() { "result" } else { "params" };
                match kind {
                    "null" => parsed[key] = Value::Null,
                    "empty" => parsed[key] = json!({}),
                    "mistyped" => parsed[key] = mistyped(&parsed[key]),
                    "error" => {
                        if let Some(answer) = parsed.as_object_mut() {
                            answer.remove("result");
                        }
                        parsed["error"] = json!({ "code": -32_000, "message": "spoiled" });
                    }
                    kind => panic!("there is no fault `{kind}`"),
                }
            }
        }
        self.write(parsed.to_string().as_bytes())
    }

    fn write(&mut self, message: &[u8]) -> Option<()> {
        self.to.write_all(&[message, &[0]].concat()).ok()
    }
}

/// The same value with every part of another type.
fn mistyped(value: &Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, field)| (name.clone(), mistyped(field))).collect::<Map<_, _>>(),
        ),
        Value::String(_) => json!(7),
        Value::Number(_) | Value::Null => json!("seven"),
        Value::Bool(_) => json!([]),
        Value::Array(_) => json!({}),
    }
}
