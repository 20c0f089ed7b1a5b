//! Calls of page script functions and of the page's own functions.

use actions_browser::{Call, Error, LoadState};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::stage::{briefly, on_every_browser, soon};

on_every_browser! {
    async fn a_read_takes_one_round_trip(stage) {
        stage.show("<title>Maps</title><h1>Hello</h1>").await;
        assert_eq!(stage.text("h1").await, "Hello");
        let before = stage.page.counters();
        assert_eq!(stage.text("h1").await, "Hello");
        let cost = stage.page.counters() - before;
        assert_eq!((cost.commands, cost.round_trips), (1, 1));
        assert_eq!(stage.page.title(soon()).await.unwrap(), "Maps");
    }

    async fn the_first_call_after_a_navigation_takes_one_round_trip(stage) {
        stage.show("<h1>One</h1>").await;
        stage.server.page("/two", "<h1>Two</h1>");
        stage.goto("/two").await;
        let before = stage.page.counters();
        assert_eq!(stage.text("h1").await, "Two");
        assert_eq!((stage.page.counters() - before).round_trips, 1);
    }

    async fn the_page_script_runs_under_a_content_security_policy_without_scripts(stage) {
        stage.server.route("/", |_| {
            actions_testserver::Response::html("<h1>Shut</h1>")
                .with_header("content-security-policy", "default-src 'none'; script-src 'none'; sandbox")
        });
        stage.goto("/").await;
        assert_eq!(stage.text("h1").await, "Shut");
    }

    async fn the_page_can_neither_see_nor_patch_the_page_script(stage) {
        stage.show(
            "<h1>Truth</h1><script>
               JSON.stringify = () => '\"lie\"'; JSON.parse = () => ({});
               Array.prototype.map = function () { return ['lie'] };
               Document.prototype.querySelectorAll = () => [];
               Object.defineProperty(Node.prototype, 'textContent', { get: () => 'lie' });
             </script>",
        ).await;
        assert_eq!(stage.text("h1").await, "Truth");
        let seen = stage.evaluate("Object.getOwnPropertySymbols(globalThis).map(String).join()").await;
        assert!(!seen.to_string().contains("actions"), "{seen}");
    }

    async fn a_refusal_of_the_page_script_becomes_an_error_with_the_same_code(stage) {
        stage.show("<p>nothing").await;
        let main = stage.page.main_frame();
        let args = json!({ "locator": { "selector": "#no" } });
        let error = stage.page.call::<Value>(Call::new(&main, "locator.text_content", &args), soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::TargetNotFound);
        assert!(matches!(error, Error::Answered { .. }), "{error:?}");
    }

    async fn a_waiting_call_times_out_at_its_deadline(stage) {
        stage.show("<p>nothing").await;
        let main = stage.page.main_frame();
        let args = json!({ "locator": { "selector": "#never" }, "state": "visible", "timeout_ms": 60_000 });
        let call = Call::new(&main, "locator.wait_for", &args);
        let error = stage.page.call::<Value>(call, briefly()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::Timeout);
    }

    async fn a_call_fails_when_its_document_is_replaced_unless_it_is_repeatable(stage) {
        stage.show("<p>first").await;
        stage.server.page("/next", "<p id=there>next</p>");
        let main = stage.page.main_frame();
        let args = json!({ "locator": { "selector": "#there" }, "state": "visible", "timeout_ms": 60_000 });
        let once = stage.page.call::<Value>(Call::new(&main, "locator.wait_for", &args), soon());
        let again = stage.page.call::<Value>(Call::new(&main, "locator.wait_for", &args).repeatable(), soon());
        let next = stage.server.url("/next");
        let going = async {
            // Both waits have begun in the first document before it is replaced.
            while stage.page.counters().commands < 2 {
                tokio::task::yield_now().await;
            }
            assert_eq!(stage.text("p").await, "first");
            stage.page.navigate(&next, LoadState::Load, soon()).await.unwrap();
        };
        let (once, again, ()) = tokio::join!(once, again, going);
        assert!(matches!(once.unwrap_err(), Error::DocumentReplaced { .. }));
        assert_eq!(again.unwrap()["matched"], json!(true));
    }

    async fn a_handle_becomes_stale_when_its_document_is_replaced(stage) {
        stage.show("<p>first").await;
        let main = stage.page.main_frame();
        let handle = stage.page.pick(&main, &json!({ "selector": "p" }), &[], soon()).await.unwrap().unwrap();
        stage.show("<p>second").await;
        let nodes = [handle.clone()];
        let args = json!({ "locator": { "node": 0 } });
        let call = Call::new(&main, "locator.text_content", &args).with_nodes(&nodes);
        let error = stage.page.call::<Value>(call, soon()).await.unwrap_err();
        assert!(matches!(error, Error::HandleStale), "{error:?}");
        assert_eq!(error.code(), ErrorCode::TargetDetached);
        let error = stage.page.content_frame(&handle, soon()).await.unwrap_err();
        assert!(matches!(error, Error::HandleStale), "{error:?}");
    }

    async fn a_lone_surrogate_in_the_page_does_not_break_the_answer(stage) {
        stage.show("<p></p><script>document.querySelector('p').textContent = 'a\\ud83db'</script>").await;
        assert_eq!(stage.text("p").await, "a\u{fffd}b");
    }

    async fn call_page_function_calls_a_function_by_its_path(stage) {
        stage.show("<script>window.shop = { cart: { async add(a, b) { return { sum: a + b.n, self: this === shop.cart } }, bad() { throw new Error('no') } } }</script>").await;
        let value = stage.page.call_page_function("shop.cart.add", &[json!(1), json!({ "n": 2 })], soon()).await.unwrap();
        assert_eq!(value, json!({ "sum": 3, "self": true }));
        let error = stage.page.call_page_function("shop.till.add", &[], soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::MissingHandler);
        let error = stage.page.call_page_function("shop.cart.bad", &[], soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::ScriptFailed);
    }
}
