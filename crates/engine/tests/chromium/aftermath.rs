use actions_dictionary::Dictionary;
use actions_primitives::perform;
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::page::{Stage, deadline, round_trips, script, tool};

/// Something for every way of changing a page. Once `leaving` is set, whatever is used makes the page leave at once.
const PAGE: &str = "<style>div { width: 60px; height: 40px; background: #ccc }</style>
<a id=link href='/'>Go</a>
<button id=button>Go</button>
<form id=form action='/'><input id=field><button id=send>Send</button></form>
<input id=name>
<input id=box type=checkbox>
<select id=choice><option>one<option>two</select>
<form id=choosing><select id=sending name=s onchange='leaving && this.form.submit()'><option>one<option>two</select></form>
<div id=cargo draggable=true>from</div><div id=goal>to</div>
<div id=far style='margin-top: 3000px'>far</div>
<script>
  let leaving = '';
  const elsewhere = 'http://elsewhere.example/';
  const leave = () => { if (leaving === 'at once') location.href = elsewhere; };
  const on = (id, type) => document.getElementById(id).addEventListener(type, leave);
  on('button', 'click'); on('button', 'dblclick'); on('button', 'contextmenu'); on('button', 'mousemove');
  on('name', 'input'); on('name', 'keyup'); on('box', 'change'); on('choice', 'change');
  on('goal', 'drop'); document.addEventListener('scroll', leave);
  goal.ondragover = (event) => event.preventDefault();
  link.onclick = form.onsubmit = (event) => { if (!leaving) event.preventDefault(); };
  button.oncontextmenu = (event) => event.preventDefault();
  addEventListener('reset-page', () => {
    leaving = ''; document.querySelectorAll('form').forEach((form) => form.reset());
    box.checked = false; name.value = ''; choice.value = 'one'; scrollTo(0, 0);
  });
  function arm() {
    leaving = 'at once'; link.href = form.action = choosing.action = elsewhere;
    return true;
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
            let args = json!({ "locator": { "selector": "#button" }, "button": "right" });
            json!([step("s", "pointer.click", args)])
        },
    },
    Way { name: "double", steps: || json!([step("s", "pointer.double_click", at("#button"))]) },
    Way { name: "move", steps: || json!([step("s", "pointer.move", at("#button"))]) },
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
            let (focus, press) = (at("#name"), json!({ "key": "ArrowLeft" }));
            json!([step("f", "dom.focus", focus), step("s", "keyboard.press", press)])
        },
    },
    Way {
        name: "type",
        steps: || {
            json!([step("s", "text.type", json!({ "target": { "selector": "#name" }, "text": "ada" }))])
        },
    },
    Way {
        name: "insert",
        steps: || {
            json!([step("s", "text.insert", json!({ "target": { "selector": "#name" }, "text": "ada" }))])
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
    Way {
        name: "focus",
        steps: || json!([step("b", "pointer.click", at("#button")), step("s", "dom.focus", at("#name"))]),
    },
    Way { name: "scroll", steps: || json!([step("s", "viewport.scroll", json!({ "delta_y": 400 }))]) },
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
            script(&session, "dispatchEvent(new Event('reset-page')); arm()").await;
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
            script(&session, "dispatchEvent(new Event('reset-page'))").await;
            let by_hand = async {
                for step in (way.steps)().as_array().unwrap() {
                    let primitive = Dictionary::builtin().get(step["primitive"].as_str().unwrap()).unwrap();
                    let args = step["args"].clone();
                    perform(session.stage(), primitive, args, deadline(&session)).await.expect(way.name);
                }
            };
            let ((), by_hand) = round_trips(&session, by_hand).await;
            script(&session, "dispatchEvent(new Event('reset-page'))").await;
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
