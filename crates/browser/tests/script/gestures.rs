//! Gestures: the page script prepares an element, the test sends trusted input, and the script reports what received it.

use actions_browser::{Call, Input, Modifiers, MouseButton, Point};
use serde_json::{Value, json};

use crate::stage::{Stage, perform, soon};

/// Returns a page that records the events it receives.
fn page(body: &str) -> String {
    format!(
        "<!doctype html><title>Gestures</title><script>
           const heard = [];
           for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu']) {{
             addEventListener(type, (event) => heard.push(type + ' ' + (event.target.id ?? '')));
           }}
         </script><body>{body}"
    )
}

fn press(at: Point, button: MouseButton, click_count: u8) -> [Input; 2] {
    let modifiers = Modifiers::NONE;
    [
        Input::MouseDown { at, button, click_count, modifiers },
        Input::MouseUp { at, button, click_count, modifiers },
    ]
}

/// Prepares an element, performs a gesture on it and returns the confirmation.
async fn gesture(stage: &Stage, selector: &str, ending: &str, presses: u8, button: MouseButton) -> Value {
    gesture_meanwhile(stage, selector, ending, presses, button, "").await
}

/// Like [`gesture`], but runs JavaScript in the page after the element has been prepared.
async fn gesture_meanwhile(
    stage: &Stage,
    selector: &str,
    ending: &str,
    presses: u8,
    button: MouseButton,
    meanwhile: &str,
) -> Value {
    let main = stage.page.main_frame();
    let question = json!({ "gesture": ending, "timeout_ms": 60_000 });
    let confirm = stage.page.call::<Value>(Call::new(&main, "action.confirm", &question), soon());
    let send = async {
        let args = json!({
            "locator": { "selector": selector }, "gesture": ending, "until": ending, "releases": presses,
        });
        let ready = stage.call("action.prepare", &args).await;
        assert_eq!(ready["ok"]["listening"], json!(true), "{ready}");
        stage.evaluate(meanwhile).await;
        let point = point(&ready);
        let mut events = vec![Input::MouseMove { to: point, modifiers: Modifiers::NONE }];
        for count in 1..=presses {
            events.extend(press(point, button, count));
        }
        stage.page.input(&events, soon()).await.unwrap();
    };
    let (confirmation, ()) = futures_util::future::join(confirm, send).await;
    confirmation.unwrap()
}

fn point(ready: &Value) -> Point {
    let number = |name: &str| ready["ok"]["point"][name].as_f64().unwrap_or_else(|| panic!("{ready}"));
    Point::new(number("x"), number("y"))
}

async fn click(stage: &Stage, selector: &str) -> Value {
    gesture(stage, selector, "click", 1, MouseButton::Left).await
}

async fn heard(stage: &Stage) -> Value {
    stage.evaluate("heard.splice(0)").await
}

#[tokio::test]
async fn the_confirmation_of_a_click_names_the_element_that_received_it() {
    perform(async |stage| {
        stage.show(&page("<button id=b>Pay <b id=inner style='padding: 20px'>now</b></button>")).await;
        let confirmed = click(stage, "#b").await;
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
        assert_eq!((&confirmed["via"], &confirmed["target"]["id"]), (&json!("descendant"), &json!("inner")));
        assert_eq!(heard(stage).await, json!(["mousedown inner", "mouseup inner", "click inner"]));
    })
    .await;
}

#[tokio::test]
async fn an_abandoned_gesture_does_not_replace_a_newer_one() {
    perform(async |stage| {
        stage.show(&page("<button id=b>Pay</button>")).await;
        let late = json!({
            "locator": { "selector": "#late" }, "gesture": "given up", "until": "click", "deadline_ms": 60_000,
        });
        let given_up = stage.call("action.prepare", &late);
        let next = async {
            let comes = "document.body.insertAdjacentHTML('beforeend', '<button id=late>Late</button>')";
            let confirmed = gesture_meanwhile(stage, "#b", "click", 1, MouseButton::Left, comes).await;
            assert_eq!((&confirmed["received"], &confirmed["target"]["id"]), (&json!(true), &json!("b")), "{confirmed}");
        };
        let (given_up, ()) = futures_util::future::join(given_up, next).await;
        assert_eq!(given_up["error"]["code"], json!("cancelled"), "{given_up}");
    })
    .await;
}

#[tokio::test]
async fn a_click_that_would_hit_another_element_is_blocked() {
    perform(async |stage| {
        let curtain = "<button id=b>Delete</button><script>
            b.addEventListener('mousemove', () => document.body.insertAdjacentHTML('beforeend',
              '<button id=c style=\"position: fixed; inset: 0\">Curtain</button>'), { once: true });
          </script>";
        stage.show(&page(curtain)).await;
        let confirmed = click(stage, "#b").await;
        assert_eq!(
            (&confirmed["received"], &confirmed["prevented"]),
            (&json!(false), &json!(true)),
            "{confirmed}"
        );
        assert_eq!(confirmed["received_by"]["target_label"], json!("button#c"));
        assert_eq!(heard(stage).await, json!([]));
    })
    .await;
}

#[tokio::test]
async fn a_target_that_is_replaced_on_mousedown_does_not_receive_the_click() {
    perform(async |stage| {
        let replaced = "<div id=place><button id=b>Go</button></div><script>
            b.addEventListener('mousedown', () => { place.innerHTML = '<button id=n>Go</button>'; });
          </script>";
        stage.show(&page(replaced)).await;
        let confirmed = click(stage, "#b").await;
        assert_eq!(
            (&confirmed["received"], &confirmed["prevented"]),
            (&json!(false), &json!(false)),
            "{confirmed}"
        );
        assert_eq!(confirmed["events"]["mousedown"], json!("received"));
        assert_eq!(confirmed["events"]["mouseup"], json!("misdirected"));
        assert_eq!(confirmed["target_connected"], json!(false));
    })
    .await;
}

#[tokio::test]
async fn a_click_on_the_label_of_a_control_reaches_the_control() {
    perform(async |stage| {
        stage
            .show(&page(
                "<label id=l>Agree <a href='#' id=a>terms</a><input id=c type=checkbox style='display: none'></label>",
            ))
            .await;
        let args =
            json!({ "locator": { "selector": "#c" }, "gesture": "g", "until": "click", "through_label": true });
        let ready = stage.call("action.prepare", &args).await;
        assert_eq!(ready["ok"]["via"], json!("label"), "{ready}");
        stage.page.input(&press(point(&ready), MouseButton::Left, 1), soon()).await.unwrap();
        let confirmed = stage.call("action.confirm", &json!({ "gesture": "g" })).await;
        assert_eq!(confirmed["ok"]["received"], json!(true), "{confirmed}");
        assert_eq!(stage.evaluate("c.checked").await, json!(true));
    })
    .await;
}

#[tokio::test]
async fn a_label_that_prevents_the_click_does_not_forward_it() {
    perform(async |stage| {
        let inside = "<input id=c type=checkbox style='position: absolute; opacity: 0'>
            <label id=l for=c style='position: absolute; inset: 0; background: white'>Agree</label>";
        stage.show(&page(&format!("{inside}<script>l.onclick = () => false</script>"))).await;
        let kept = click(stage, "#c").await;
        assert_eq!((&kept["received"], &kept["prevented"]), (&json!(false), &json!(false)), "{kept}");
        assert_eq!(kept["received_by"]["target_label"], json!("label#l"));
        stage.evaluate("l.onclick = null; 0").await;
        let handed_on = click(stage, "#c").await;
        assert_eq!(
            (&handed_on["received"], &handed_on["target"]["id"]),
            (&json!(true), &json!("c")),
            "{handed_on}"
        );
        let args = json!({ "locator": { "selector": "#c" }, "gesture": "g", "until": "contextmenu" });
        let right = stage.call("action.prepare", &args).await;
        assert_eq!(right["error"]["evidence"]["occluded_by"]["target_label"], json!("label#l"), "{right}");
    })
    .await;
}

#[tokio::test]
async fn double_and_right_clicks_are_confirmed_by_their_own_events() {
    perform(async |stage| {
        stage.show(&page("<button id=b>Go</button>")).await;
        let twice = gesture(stage, "#b", "dblclick", 2, MouseButton::Left).await;
        assert_eq!(twice["events"]["dblclick"], json!("received"), "{twice}");
        let right = gesture(stage, "#b", "contextmenu", 1, MouseButton::Right).await;
        assert_eq!(right["received"], json!(true), "{right}");
    })
    .await;
}

#[tokio::test]
async fn the_confirmation_survives_a_navigation_caused_by_the_click() {
    perform(async |stage| {
        stage.server.page("/next", "<title>Next</title>");
        stage.show(&page("<button id=b onclick=\"location = '/next'\">Go</button>")).await;
        let confirmed = click(stage, "#b").await;
        assert_eq!(confirmed["received"], json!(true), "{confirmed}");
    })
    .await;
}

#[tokio::test]
async fn synthetic_events_of_the_page_do_not_count_as_the_gesture() {
    perform(async |stage| {
        stage.show(&page("<button id=b>Go</button><button id=o>Other</button>")).await;
        let args = json!({
            "locator": { "selector": "#b" }, "gesture": "g", "until": "click", "gesture_timeout_ms": 300,
        });
        stage.call("action.prepare", &args).await;
        stage.evaluate("b.click(); o.click(); b.dispatchEvent(new MouseEvent('mousedown')); 0").await;
        let confirmed = stage.call("action.confirm", &json!({ "gesture": "g" })).await;
        assert_eq!(
            (&confirmed["ok"]["received"], &confirmed["ok"]["events"]),
            (&json!(false), &json!({})),
            "{confirmed}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_refused_gesture_ends_its_confirmation() {
    perform(async |stage| {
        stage.show(&page("<button id=b disabled>Go</button>")).await;
        let main = stage.page.main_frame();
        let question = json!({ "gesture": "g", "timeout_ms": 60_000 });
        let confirm = stage.page.call::<Value>(Call::new(&main, "action.confirm", &question), soon());
        let args = json!({ "locator": { "selector": "#b" }, "gesture": "g", "until": "click" });
        let (confirmation, ready) =
            futures_util::future::join(confirm, stage.call("action.prepare", &args)).await;
        assert_eq!(ready["error"]["code"], json!("target_not_actionable"));
        assert!(confirmation.is_err(), "{confirmation:?}");
    })
    .await;
}

#[tokio::test]
async fn confirming_a_gesture_that_was_not_announced_is_refused() {
    perform(async |stage| {
        stage.show(&page("<button id=b>Go</button>")).await;
        let confirmed = stage.call("action.confirm", &json!({ "gesture": "g" })).await;
        assert_eq!(confirmed["error"]["code"], json!("invalid_input"));
    })
    .await;
}

#[tokio::test]
async fn text_that_the_page_alters_does_not_count_as_entered() {
    perform(async |stage| {
        stage
            .show(&page(
                "<input id=plain value=abc><input id=digits oninput=\"this.value = this.value.replace(/\\d/g, '')\">",
            ))
            .await;
        for (selector, holds, exact) in [("#plain", true, true), ("#digits", false, false)] {
            let args = json!({ "locator": { "selector": selector }, "mode": "append" });
            let aimed = stage.call("text.aim", &args).await;
            assert_eq!(aimed["ok"]["caret"], json!("end"), "{aimed}");
            stage.page.input(&[Input::InsertText { text: "x1".to_owned() }], soon()).await.unwrap();
            let args = json!({ "token": aimed["ok"]["token"], "text": "x1" });
            let verified = stage.call("text.verify", &args).await;
            assert_eq!((&verified["ok"]["holds"], &verified["ok"]["exact"]), (&json!(holds), &json!(exact)), "{verified}");
        }
    })
    .await;
}
