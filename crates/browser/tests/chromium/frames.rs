//! Frames, in the process of their page and in others: reading, clicking, moving between processes, disappearing.

use actions_browser::{Call, Error, LoadState, PageEvent, Point};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::stage::{Stage, heard, on_every_browser, soon};

/// Opens a page on 127.0.0.1 with a frame of localhost, which contains a frame of a.localhost: three sites, three
/// processes.
async fn three_sites(stage: &Stage) {
    let (middle, inner) =
        (stage.server.url_on("localhost", "/middle"), stage.server.url_on("a.localhost", "/inner"));
    stage.server.page("/outer", format!(
        "<body style='margin:0'><div style='height:40px'>outer</div>
         <iframe id=m style='margin-left:30px;border:5px solid;padding:7px' src='{middle}' width=500 height=400></iframe>"
    ));
    stage.server.page("/middle", format!(
        "<body style='margin:0'><p>middle</p><iframe id=i style='transform:scale(0.5) rotate(10deg);transform-origin:0 0' src='{inner}' width=300 height=300></iframe>"
    ));
    stage.server.page("/inner", "<body style='margin:0;height:3000px'><p>inner</p>
        <button style='position:absolute;left:120px;top:90px;width:80px;height:40px' onclick='this.textContent = `hit ${event.isTrusted} ${event.clientX} ${event.clientY}`'>no</button>
        <input onfocus='document.querySelector(`p`).textContent = `focused`'>");
    stage.goto("/outer").await;
}

/// Repeats an action until it has an effect. A frame of another process can be hit only after it has been painted, and
/// no event reports that.
async fn until_hit(mut act: impl AsyncFnMut() -> Option<String>) -> String {
    for _ in 0..200 {
        if let Some(heard) = act().await {
            return heard;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the frame was never hit");
}

on_every_browser! {
    async fn nested_frames_of_three_sites_can_be_read(stage) {
        three_sites(stage).await;
        let main = stage.page.main_frame();
        let middle = stage.frame(&main, "#m").await;
        let inner = stage.frame(&middle, "#i").await;
        assert_eq!(stage.text_in(&middle, "p").await, "middle");
        assert_eq!(stage.text_in(&inner, "p").await, "inner");
        let frames = stage.page.frames();
        let parents: Vec<_> = frames.iter().map(|frame| frame.parent.clone()).collect();
        assert_eq!(parents, [None, Some(main), Some(middle)]);
        assert_eq!(frames[2].url, stage.server.url_on("a.localhost", "/inner"));
    }

    async fn a_click_lands_in_a_rotated_and_scaled_nested_frame(stage) {
        three_sites(stage).await;
        let main = stage.page.main_frame();
        let middle = stage.frame(&main, "#m").await;
        let inner = stage.frame(&middle, "#i").await;
        let before = stage.page.counters();
        let points = stage.page.to_viewport(&inner, &[Point::new(160.0, 110.0)], soon()).await.unwrap();
        assert!((stage.page.counters() - before).round_trips <= 4);
        let hit = until_hit(async || {
            stage.page.input(&crate::stage::click_at(points[0]), soon()).await.unwrap();
            Some(stage.text_in(&inner, "button").await).filter(|text| text != "no")
        }).await;
        // The browser rounds positions in a rotated frame to whole pixels.
        let numbers: Vec<f64> = hit.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!((numbers[0] - 160.0).abs() <= 1.0 && (numbers[1] - 110.0).abs() <= 1.0, "{hit}");
    }

    async fn a_click_on_a_frame_waits_for_its_first_paint(stage) {
        // The frame is parsed and can be read, but it is not painted before its script has come.
        let button = "<!doctype html><script async blocking=render src=/slow.js></script>
            <button onclick='this.textContent = `hit`'>no</button>";
        let slow = || actions_testserver::Response::status(200).with_body("text/javascript", "");
        stage.server.route("/slow.js", move |_| slow().after(std::time::Duration::from_millis(500)));
        stage.server.page("/button", button);
        let framed = format!("<iframe src='{}'></iframe>", stage.server.url_on("other.localhost", "/button"));
        stage.server.page("/", framed);
        stage.page.navigate(&stage.server.url("/"), LoadState::DomContentLoaded, soon()).await.unwrap();
        let main = stage.page.main_frame();
        let element = stage.page.pick(&main, &json!({ "selector": "iframe" }), &[], soon()).await.unwrap().unwrap();
        let frame = stage.page.content_frame(&element, soon()).await.unwrap().unwrap();
        while !stage.page.frames().iter().any(|known| known.id == frame && known.url.ends_with("/button")) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        stage.page.wait_for_load(&frame, LoadState::DomContentLoaded, soon()).await.unwrap();
        stage.click(&frame, "button").await.unwrap();
        assert_eq!(stage.text_in(&frame, "button").await, "hit");
    }

    async fn keyboard_input_goes_to_the_focused_frame(stage) {
        three_sites(stage).await;
        let main = stage.page.main_frame();
        let middle = stage.frame(&main, "#m").await;
        let inner = stage.frame(&middle, "#i").await;
        until_hit(async || {
            stage.click(&inner, "input").await.unwrap();
            Some(stage.text_in(&inner, "p").await).filter(|text| text == "focused")
        }).await;
        stage.page.input(&[actions_browser::Input::InsertText { text: "häß".to_owned() }], soon()).await.unwrap();
        let args = json!({ "locator": { "selector": "input" } });
        let value: Value = stage.page.call(Call::new(&inner, "locator.value", &args), soon()).await.unwrap();
        assert_eq!(value["value"], "häß");
    }

    async fn points_in_nested_same_process_frames_map_to_the_viewport(stage) {
        stage.server.page("/mid", "<body style='margin:0'><div style='height:25px'></div><iframe style='border:0;margin-left:15px' src=/leaf></iframe>");
        stage.server.page("/leaf", "<body style='margin:0'><button style='position:absolute;left:10px;top:10px;width:50px;height:20px' onclick='this.textContent=`${event.clientX} ${event.clientY}`'>b");
        stage.show("<body style='margin:0'><div style='height:100px'></div><iframe style='border:3px solid;margin-left:50px' src=/mid></iframe>").await;
        let main = stage.page.main_frame();
        let mid = stage.frame(&main, "iframe").await;
        let leaf = stage.frame(&mid, "iframe").await;
        let points = stage.page.to_viewport(&leaf, &[Point::new(20.0, 15.0)], soon()).await.unwrap();
        assert_eq!(points, [Point::new(50.0 + 3.0 + 15.0 + 20.0, 100.0 + 3.0 + 25.0 + 15.0)]);
        stage.page.input(&crate::stage::click_at(points[0]), soon()).await.unwrap();
        assert_eq!(stage.text_in(&leaf, "button").await, "20 15");
    }

    async fn a_frame_keeps_its_id_when_it_moves_between_processes(stage) {
        stage.server.page("/near", "<p>near");
        stage.server.page("/far", "<p>far");
        stage.show(&format!("<iframe src='{}'></iframe>", stage.server.url_on("localhost", "/far"))).await;
        let main = stage.page.main_frame();
        let frame = stage.frame(&main, "iframe").await;
        for (host, path) in [("127.0.0.1", "/near"), ("localhost", "/far"), ("a.localhost", "/near")] {
            let url = stage.server.url_on(host, path);
            stage.evaluate(&format!("new Promise(done => {{ const f = document.querySelector('iframe'); f.onload = done; f.src = '{url}' }}).then(() => 1)")).await;
            // The page has seen the load event; the driver receives its frame events on the same connection.
            while stage.page.frames().iter().all(|known| known.url != url) {
                tokio::task::yield_now().await;
            }
            stage.page.wait_for_load(&frame, LoadState::Load, soon()).await.unwrap();
            assert_eq!(stage.text_in(&frame, "p").await, &path[1..]);
            assert_eq!(stage.frame(&main, "iframe").await, frame);
        }
    }

    async fn removing_a_frame_ends_the_calls_in_it(stage) {
        three_sites(stage).await;
        let main = stage.page.main_frame();
        let middle = stage.frame(&main, "#m").await;
        let inner = stage.frame(&middle, "#i").await;
        let args = json!({ "locator": { "selector": "#never" }, "state": "visible", "timeout_ms": 60_000 });
        let once = stage.page.call::<Value>(Call::new(&inner, "locator.wait_for", &args), soon());
        let again = stage.page.call::<Value>(Call::new(&inner, "locator.wait_for", &args).repeatable(), soon());
        let removing = async {
            assert_eq!(stage.text_in(&inner, "p").await, "inner");
            stage.evaluate("document.querySelector('iframe').remove()").await;
        };
        let (once, again, ()) = tokio::join!(once, again, removing);
        // The driver may learn that the document is gone before it learns that the frame is.
        let gone = [ErrorCode::FrameDetached, ErrorCode::TargetDetached];
        assert!(gone.contains(&once.unwrap_err().code()));
        assert!(gone.contains(&again.unwrap_err().code()));
        let error = stage.page.to_viewport(&inner, &[Point::default()], soon()).await.unwrap_err();
        assert!(matches!(error, Error::FrameDetached { .. }));
        // Another process reports the parent frame, possibly a little later.
        while stage.page.frames().len() > 1 {
            tokio::task::yield_now().await;
        }
    }

    async fn removing_a_same_process_frame_ends_the_calls_in_it(stage) {
        stage.server.page("/leaf", "<p>leaf");
        stage.show("<iframe src=/leaf></iframe>").await;
        let frame = stage.frame(&stage.page.main_frame(), "iframe").await;
        let mut events = stage.page.events();
        let args = json!({ "locator": { "selector": "#never" }, "state": "visible", "timeout_ms": 60_000 });
        let waiting = stage.page.call::<Value>(Call::new(&frame, "locator.wait_for", &args), soon());
        let removing = async {
            assert_eq!(stage.text_in(&frame, "p").await, "leaf");
            stage.evaluate("document.querySelector('iframe').remove()").await;
        };
        let (waited, ()) = tokio::join!(waiting, removing);
        assert_eq!(waited.unwrap_err().code(), ErrorCode::FrameDetached);
        heard(&mut events, |event| matches!(event, PageEvent::FrameDetached(gone) if gone == frame).then_some(())).await;
    }

    async fn mapping_points_of_an_unrendered_frame_fails(stage) {
        stage.server.page("/leaf", "<p>leaf");
        stage.show("<iframe style='display:none' src=/leaf></iframe>").await;
        let frame = stage.frame(&stage.page.main_frame(), "iframe").await;
        assert_eq!(stage.page.frames().len(), 2);
        let error = stage.page.to_viewport(&frame, &[Point::default()], soon()).await.unwrap_err();
        assert!(matches!(error, Error::FrameNotRendered { .. }), "{error:?}");
    }

    async fn blank_srcdoc_and_sandboxed_frames_can_be_read(stage) {
        stage.show("<iframe id=b></iframe><iframe id=d srcdoc='<p>doc</p>'></iframe><iframe id=s sandbox srcdoc='<p>box</p>'></iframe>").await;
        let main = stage.page.main_frame();
        let blank = stage.frame(&main, "#b").await;
        let info: Value = stage.page.call(Call::new(&blank, "page.info", &json!({})), soon()).await.unwrap();
        assert_eq!(info["url"], "about:blank");
        for (id, text) in [("#d", "doc"), ("#s", "box")] {
            let frame = stage.frame(&main, id).await;
            assert_eq!(stage.text_in(&frame, "p").await, text);
        }
    }

    async fn frame_element_returns_a_handle_in_the_parent_frame(stage) {
        three_sites(stage).await;
        let main = stage.page.main_frame();
        let middle = stage.frame(&main, "#m").await;
        let inner = stage.frame(&middle, "#i").await;
        let element = stage.page.frame_element(&inner, soon()).await.unwrap();
        assert_eq!(element.frame(), &middle);
        assert_eq!(stage.page.content_frame(&element, soon()).await.unwrap(), Some(inner));
    }
}
