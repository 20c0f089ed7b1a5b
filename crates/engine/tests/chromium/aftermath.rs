//! A page that leaves its surface after the last step fails the call.

use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::page::{Stage, by_hand, round_trips, script, tool};

/// Something for every way of changing a page, each of its own. Once the page is armed, using one makes it leave.
const PAGE: &str = "<style>div { width: 60px; height: 40px; background: #ccc }</style>
<a id=link href='/'>Go</a>
<button id=button>Click</button><button id=double>Twice</button><button id=menu>Menu</button><button id=hover>Over</button>
<form id=form action='/'><input id=field><button id=send>Send</button></form>
<input id=person><input id=keyed><input id=focused>
<input id=box type=checkbox>
<select id=choice><option>one<option>two</select>
<form id=choosing><select id=sending name=s onchange='armed && this.form.submit()'><option>one<option>two</select></form>
<div id=cargo draggable=true>from</div><div id=goal>to</div>
<div id=scroller style='overflow: scroll'><p id=long style='height: 900px'>long</p></div>
<script>
  let armed = false;
  const elsewhere = 'http://elsewhere.example/';
  const leave = () => { if (armed) location.href = elsewhere; };
  const ways = {
    button: 'click', double: 'dblclick', menu: 'contextmenu', hover: 'mousemove', person: 'input', keyed: 'keyup',
    focused: 'focus', box: 'change', choice: 'change', goal: 'drop', scroller: 'scroll',
  };
  for (const [id, type] of Object.entries(ways)) document.getElementById(id).addEventListener(type, leave);
  goal.ondragover = (event) => event.preventDefault();
  link.onclick = form.onsubmit = (event) => { if (!armed) event.preventDefault(); };
  menu.oncontextmenu = (event) => event.preventDefault();
  function reset() {
    armed = false;
    document.activeElement.blur();
    document.querySelectorAll('form').forEach((form) => form.reset());
    box.checked = false; person.value = ''; choice.value = 'one'; scroller.scrollTop = 0;
  }
  // What the reset sets off is over by then.
  const frame = () => new Promise(requestAnimationFrame);
  async function arm() {
    reset();
    await frame(); await frame();
    armed = true; link.href = form.action = choosing.action = elsewhere;
  }
</script>";

/// A last step, and what it needs to come first.
struct Way {
    name: &'static str,
    steps: fn() -> Value,
}

fn step(id: &str, primitive: &str, args: Value) -> Value {
    json!({ "id": id, "primitive": primitive, "args": args })
}

fn at(selector: &str) -> Value {
    json!({ "locator": { "selector": selector } })
}

const WAYS: &[Way] = &[
    Way { name: "link", steps: || json!([step("s", "pointer.click", at("#link"))]) },
    Way { name: "button", steps: || json!([step("s", "pointer.click", at("#button"))]) },
    Way { name: "sending", steps: || json!([step("s", "pointer.click", at("#send"))]) },
    Way {
        name: "right",
        steps: || {
            let args = json!({ "locator": { "selector": "#menu" }, "button": "right" });
            json!([step("s", "pointer.click", args)])
        },
    },
    Way { name: "double", steps: || json!([step("s", "pointer.double_click", at("#double"))]) },
    Way { name: "move", steps: || json!([step("s", "pointer.move", at("#hover"))]) },
    Way {
        name: "drag",
        steps: || {
            let args = json!({ "from": { "selector": "#cargo" }, "to": { "selector": "#goal" } });
            json!([step("s", "pointer.drag", args)])
        },
    },
    Way {
        name: "enter",
        steps: || {
            let (focus, press) = (at("#field"), json!({ "key": "Enter" }));
            json!([step("f", "dom.focus", focus), step("s", "keyboard.press", press)])
        },
    },
    Way {
        name: "key",
        steps: || {
            let (focus, press) = (at("#keyed"), json!({ "key": "ArrowLeft" }));
            json!([step("f", "dom.focus", focus), step("s", "keyboard.press", press)])
        },
    },
    Way {
        name: "type",
        steps: || {
            json!([step("s", "text.type", json!({ "target": { "selector": "#person" }, "text": "ada" }))])
        },
    },
    Way {
        name: "insert",
        steps: || {
            json!([step("s", "text.insert", json!({ "target": { "selector": "#person" }, "text": "ada" }))])
        },
    },
    Way {
        name: "check",
        steps: || {
            let args = json!({ "locator": { "selector": "#box" }, "checked": true });
            json!([step("s", "form.set_checked", args)])
        },
    },
    Way {
        name: "choose",
        steps: || {
            let args = json!({ "locator": { "selector": "#choice" }, "label": "two" });
            json!([step("s", "form.select_option", args)])
        },
    },
    Way {
        name: "choose and send",
        steps: || {
            let args = json!({ "locator": { "selector": "#sending" }, "label": "two" });
            json!([step("s", "form.select_option", args)])
        },
    },
    Way { name: "submit", steps: || json!([step("s", "form.submit", at("#form"))]) },
    Way { name: "focus", steps: || json!([step("s", "dom.focus", at("#focused"))]) },
    Way {
        name: "scroll",
        steps: || {
            let args = json!({ "delta_y": 200, "locator": { "selector": "#long" } });
            json!([step("s", "viewport.scroll", args)])
        },
    },
];

fn name_of(way: &Way) -> String {
    way.name.replace(' ', "_")
}

fn tools() -> Vec<Value> {
    WAYS.iter().map(|way| tool(&name_of(way), &(way.steps)())).collect()
}

#[tokio::test]
async fn a_page_that_is_made_to_leave_its_surface_by_the_last_step_is_never_a_success() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&tools()).await;
    for round in 0..5 {
        for way in WAYS {
            script(&session, "arm()").await;
            let outcome = session.call(name_of(way)).run().await;
            let error = outcome.result.expect_err(way.name);
            assert_eq!(error.code, ErrorCode::UnsafeState, "{} ({round}): {error:?}", way.name);
        }
    }
}

#[tokio::test]
async fn a_confined_page_takes_no_round_trip_more() {
    let stage = Stage::with(PAGE).await;
    let session = stage.confined(&tools()).await;
    let mut differences = Vec::new();
    for way in WAYS {
        let mut taken = Vec::new();
        // What is there once per document is there before anything is counted.
        for _ in 0..2 {
            script(&session, "reset()").await;
            let ((), by_hand) = round_trips(&session, by_hand(&session, &(way.steps)())).await;
            script(&session, "reset()").await;
            let (outcome, engine) = round_trips(&session, session.call(name_of(way)).run()).await;
            outcome.result.expect(way.name);
            taken.push((engine, by_hand));
        }
        differences.extend(
            taken.last().filter(|(engine, by_hand)| engine != by_hand).map(|taken| (way.name, *taken)),
        );
    }
    assert!(differences.is_empty(), "by the engine and by hand: {differences:?}");
}

#[tokio::test]
async fn a_page_that_takes_its_time_to_leave_is_waited_for() {
    const BUSY: &str = "<input id=field onkeyup=\"
        const end = performance.now() + 2500;
        while (performance.now() < end);
        location.href = 'http://elsewhere.example/'\">";
    let stage = Stage::with(BUSY).await;
    let (focus, press) = (at("#field"), json!({ "key": "ArrowLeft" }));
    let steps = json!([step("f", "dom.focus", focus), step("s", "keyboard.press", press)]);
    let session = stage.confined(&[tool("press", &steps)]).await;
    let error = session.call("press").run().await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::UnsafeState, "{error:?}");
}

#[tokio::test]
async fn a_key_whose_release_goes_to_a_frame_does_not_hold_up_the_call() {
    const FRAMED: &str =
        "<input id=field onkeydown=\"document.querySelector('iframe').contentWindow.focus()\">
        <iframe srcdoc='<input>'></iframe>";
    let stage = Stage::with(FRAMED).await;
    let (focus, press) = (at("#field"), json!({ "key": "ArrowLeft" }));
    let steps = json!([step("f", "dom.focus", focus), step("s", "keyboard.press", press)]);
    let session = stage.confined(&[tool("press", &steps)]).await;
    session.call("press").run().await.result.unwrap();
}
