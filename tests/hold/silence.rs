//! Browsers that never answer: the time of the command ends everything, and the message says what did not come.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::attempt::Ground;

fn error(output: &std::process::Output) -> Value {
    serde_json::from_slice::<Value>(&output.stdout).expect("an item")["error"].clone()
}

#[test]
fn a_program_that_is_no_browser_ends_with_the_time() {
    let ground = Ground::new();
    let program = ground.file("browser");
    std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let attempt = ground.start("button.press", &["--browser", &program.display().to_string()], &[]);
    let ended = attempt.end("a silent program", &json!("Pressed"));
    let error = error(&ended.output);
    assert_eq!(error["code"], "handler_timeout");
    assert_eq!(error["message"], "the browser did not start within 2s");
    ground.is_clean("a silent program");
}

#[test]
fn an_endpoint_that_does_not_answer_ends_with_the_time() {
    let ground = Ground::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    for endpoint in [format!("ws://{address}/devtools"), format!("http://{address}")] {
        let ended =
            ground.start("button.press", &["--browser", &endpoint], &[]).end(&endpoint, &json!("Pressed"));
        let error = error(&ended.output);
        assert_eq!(error["code"], "handler_timeout");
        assert_eq!(error["message"], format!("the browser at {endpoint} did not answer within 2s"));
    }
}
