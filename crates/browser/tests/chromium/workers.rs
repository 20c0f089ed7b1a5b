//! Workers of every kind start although the driver attaches to them.

use actions_testserver::Response;

use crate::stage::on_every_browser;

on_every_browser! {
    async fn dedicated_nested_shared_and_service_workers_run(stage) {
        let script = |text: &'static str| move |_: &_| Response::status(200).with_body("text/javascript", text);
        stage.server.route("/worker.js", script("postMessage('worker')"));
        stage.server.route(
            "/outer.js",
            script("new Worker('/worker.js').onmessage = (event) => postMessage('nested ' + event.data)"),
        );
        stage.server.route("/shared.js", script("onconnect = (event) => event.ports[0].postMessage('shared')"));
        stage.server.route(
            "/service.js",
            script("onactivate = (event) => event.waitUntil(clients.claim()); onmessage = (event) => event.source.postMessage('service')"),
        );
        stage.show("<p>workers</p>").await;
        let reply = "const reply = (worker) => new Promise((done) => { worker.onmessage = (event) => done(event.data) });";
        for (how, expected) in [
            ("reply(new Worker('/worker.js'))", "worker"),
            ("reply(new Worker('/outer.js'))", "nested worker"),
            ("reply(new SharedWorker('/shared.js').port)", "shared"),
            (
                "(async () => { await navigator.serviceWorker.register('/service.js'); const ready = await navigator.serviceWorker.ready; const answer = reply(navigator.serviceWorker); ready.active.postMessage(1); return answer })()",
                "service",
            ),
        ] {
            assert_eq!(stage.evaluate(&format!("(() => {{ {reply} return {how} }})()")).await, expected);
        }
    }
}
