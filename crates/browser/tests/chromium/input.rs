//! Input: mouse, keyboard, text insertion and drags.

use actions_browser::{Call, Drag, DragKind, Error, Input, Key, Modifiers, MouseButton, Point, SystemClock};
use serde_json::{Value, json};

use crate::stage::{briefly, click_at, on_every_browser, soon};

fn letter(key: &str, code: &str, key_code: i64) -> Key {
    Key { key: key.to_owned(), code: code.to_owned(), key_code, text: Some(key.to_owned()), ..Key::default() }
}

on_every_browser! {
    async fn a_click_is_three_commands_and_one_round_trip(stage) {
        stage.show("<button onclick='this.textContent = event.detail + String(event.isTrusted)'>b</button>").await;
        let middle = stage.middle(&stage.page.main_frame(), "button").await;
        let before = stage.page.counters();
        stage.page.input(&crate::stage::click_at(middle), soon()).await.unwrap();
        let cost = stage.page.counters() - before;
        assert_eq!((cost.commands, cost.round_trips), (3, 1));
        assert_eq!(stage.text("button").await, "1true");
    }

    async fn mouse_buttons_modifiers_and_double_clicks_reach_the_page(stage) {
        stage.show("<div style='width:200px;height:200px'></div><script>window.seen = [];
            for (const kind of ['click', 'dblclick', 'auxclick', 'contextmenu'])
              addEventListener(kind, e => seen.push([kind, e.button, e.detail, e.ctrlKey, e.shiftKey, e.altKey, e.metaKey]))
            </script>").await;
        let at = Point::new(50.0, 50.0);
        let ctrl_shift = Modifiers { control: true, shift: true, ..Modifiers::NONE };
        let press = |button, click_count, modifiers| {
            [Input::MouseDown { at, button, click_count, modifiers }, Input::MouseUp { at, button, click_count, modifiers }]
        };
        for (button, count, modifiers) in [
            (MouseButton::Left, 1, ctrl_shift),
            (MouseButton::Left, 2, Modifiers::NONE),
            (MouseButton::Middle, 1, Modifiers::NONE),
            (MouseButton::Right, 1, Modifiers { alt: true, ..Modifiers::NONE }),
        ] {
            stage.page.input(&press(button, count, modifiers), soon()).await.unwrap();
        }
        assert_eq!(stage.evaluate("seen").await, json!([
            ["click", 0, 1, true, true, false, false],
            ["click", 0, 2, false, false, false, false],
            ["dblclick", 0, 2, false, false, false, false],
            ["auxclick", 1, 1, false, false, false, false],
            ["contextmenu", 2, 0, false, false, true, false],
            ["auxclick", 2, 1, false, false, true, false],
        ]));
    }

    async fn keys_enter_text_and_shortcuts_edit_it(stage) {
        stage.show("<input autofocus><script>window.seen = []; document.querySelector('input').focus();
            for (const kind of ['keydown', 'keypress', 'input', 'keyup']) addEventListener(kind, e => seen.push(kind + ':' + (e.key ?? e.data)))</script>").await;
        let none = Modifiers::NONE;
        let key = letter("a", "KeyA", 65);
        stage.page.input(&[Input::KeyDown { key: key.clone(), modifiers: none, repeat: false }, Input::KeyUp { key: key.clone(), modifiers: none }], soon()).await.unwrap();
        assert_eq!(stage.evaluate("seen.splice(0)").await, json!(["keydown:a", "keypress:a", "input:a", "keyup:a"]));
        stage.page.input(&[Input::InsertText { text: "bc 😀".to_owned() }], soon()).await.unwrap();
        assert_eq!(stage.evaluate("document.querySelector('input').value").await, "abc 😀");
        let control = Modifiers { control: true, ..none };
        let all = Key { text: None, commands: vec!["selectAll".to_owned()], ..key };
        let delete = Key { key: "Delete".to_owned(), code: "Delete".to_owned(), key_code: 46, ..Key::default() };
        stage.page.input(&[
            Input::KeyDown { key: all.clone(), modifiers: control, repeat: false },
            Input::KeyUp { key: all, modifiers: control },
            Input::KeyDown { key: delete.clone(), modifiers: none, repeat: false },
            Input::KeyUp { key: delete, modifiers: none },
        ], soon()).await.unwrap();
        assert_eq!(stage.evaluate("document.querySelector('input').value").await, "");
    }

    async fn wheel_input_scrolls_the_page(stage) {
        stage.show("<div style='height:5000px'>tall</div>").await;
        let wheel = Input::Wheel { at: Point::new(100.0, 100.0), delta_x: 0.0, delta_y: 300.0, modifiers: Modifiers::NONE };
        stage.evaluate("window.scrolled = new Promise(done => addEventListener('scrollend', done, { once: true })); 0").await;
        stage.page.input(&[wheel], soon()).await.unwrap();
        stage.evaluate("window.scrolled.then(() => 1)").await;
        assert_eq!(stage.evaluate("scrollY").await, 300);
    }

    async fn dragging_a_draggable_element_is_drag_and_drop(stage) {
        stage.show("<body style='margin:0'><div id=a draggable=true style='width:60px;height:60px'>a</div>
            <div id=b style='position:absolute;left:200px;top:0;width:100px;height:100px'>b</div>
            <script>a.ondragstart = e => e.dataTransfer.setData('text/plain', 'cargo');
              b.ondragover = e => e.preventDefault();
              b.ondrop = e => { b.textContent = e.dataTransfer.getData('text/plain') + e.isTrusted };</script>").await;
        let drag = Drag { path: vec![Point::new(30.0, 30.0), Point::new(40.0, 35.0), Point::new(250.0, 50.0)], modifiers: Modifiers::NONE, pause: std::time::Duration::ZERO, handled_in: None };
        assert_eq!(stage.page.drag(&drag, soon()).await.unwrap(), DragKind::DragAndDrop);
        assert_eq!(stage.text("#b").await, "cargotrue");
        // The mouse still works after the drag.
        stage.evaluate("b.onclick = () => b.textContent = 'clicked'").await;
        stage.click_main("#b").await.unwrap();
        assert_eq!(stage.text("#b").await, "clicked");
    }

    async fn dragging_any_other_element_sends_pointer_events(stage) {
        stage.show("<body style='margin:0'><div id=a style='position:absolute;width:60px;height:60px;touch-action:none'>a</div>
            <script>a.onpointerdown = e => a.setPointerCapture(e.pointerId);
              a.onpointermove = e => { if (e.buttons === 1) a.style.left = e.clientX - 30 + 'px' };
              a.onpointerup = e => a.textContent = 'at ' + a.style.left</script>").await;
        let drag = Drag { path: vec![Point::new(30.0, 30.0), Point::new(100.0, 30.0), Point::new(330.0, 30.0)], modifiers: Modifiers::NONE, pause: std::time::Duration::ZERO, handled_in: None };
        assert_eq!(stage.page.drag(&drag, soon()).await.unwrap(), DragKind::Pointer);
        assert_eq!(stage.text("#a").await, "at 300px");
    }

    async fn a_call_behind_abandoned_input_still_ends_at_its_own_deadline(stage) {
        stage.show("<button onmousedown='for (;;);'>never done</button>").await;
        let main = stage.page.main_frame();
        let middle = stage.middle(&main, "button").await;
        let click = click_at(middle);
        let given_up = tokio::time::timeout(std::time::Duration::from_millis(50), stage.page.input(&click, soon()));
        assert!(given_up.await.is_err(), "the page never finishes handling the click");
        let args = json!({ "locator": { "selector": "button" } });
        let patience = soon();
        let patient = stage.page.call::<Value>(Call::new(&main, "locator.element_info", &args), patience);
        let other = stage.page.call::<Value>(Call::new(&main, "locator.element_info", &args), briefly());
        tokio::select! {
            biased;
            answer = patient => panic!("the page does not answer: {answer:?}"),
            answer = other => assert!(matches!(answer, Err(Error::Timeout { .. })), "{answer:?}"),
        }
        assert!(!patience.remaining(&SystemClock).is_zero(), "the call ended at its own deadline");
    }
}
