//! JavaScript dialogs: they end waiting calls, refuse new ones, and are answered.

use actions_browser::{DialogAnswer, DialogKind, Error, LoadState, PageEvent};
use actions_protocol::ErrorCode;
use serde_json::Value;

use crate::stage::{heard, on_every_browser, soon};

on_every_browser! {
    async fn a_dialog_ends_waiting_calls_and_refuses_new_ones(stage) {
        stage.show("<button onclick='this.textContent = String(confirm(\"Sure?\"))'>ask</button>").await;
        let mut events = stage.page.events();
        let error = stage.click_main("button").await.unwrap_err();
        let Error::DialogOpen(dialog) = error else { panic!("{error:?}") };
        assert_eq!((dialog.kind, dialog.message.as_str()), (DialogKind::Confirm, "Sure?"));
        heard(&mut events, |event| matches!(event, PageEvent::DialogOpened(_)).then_some(())).await;
        assert_eq!(stage.page.dialog(), Some(dialog));

        let before = stage.page.counters();
        let error = stage.page.evaluate("1", soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::DialogOpen);
        let error = stage.page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::DialogOpen);
        assert_eq!(stage.page.counters() - before, Default::default(), "nothing was sent");

        stage.page.answer_dialog(DialogAnswer::Accept { text: None }, soon()).await.unwrap();
        assert_eq!(stage.page.dialog(), None);
        assert_eq!(stage.text("button").await, "true");
        let error = stage.page.answer_dialog(DialogAnswer::Dismiss, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::NoDialog);
    }

    async fn a_prompt_receives_the_answer_text(stage) {
        stage.show("<p>p</p>").await;
        for (answer, given) in [
            (DialogAnswer::Accept { text: Some("blue".to_owned()) }, Value::from("blue")),
            (DialogAnswer::Accept { text: None }, Value::from("red")),
            (DialogAnswer::Dismiss, Value::Null),
        ] {
            let asked = stage.page.evaluate("window.given = prompt('Colour?', 'red')", soon()).await.unwrap_err();
            let Error::DialogOpen(dialog) = asked else { panic!("{asked:?}") };
            assert_eq!(dialog.default_prompt.as_deref(), Some("red"));
            stage.page.answer_dialog(answer, soon()).await.unwrap();
            assert_eq!(stage.evaluate("window.given").await, given);
        }
    }

    async fn a_beforeunload_dialog_can_be_accepted_or_dismissed(stage) {
        stage.server.page("/next", "<p>next");
        stage.show("<button>touch</button><script>onbeforeunload = event => event.preventDefault()</script>").await;
        stage.click_main("button").await.unwrap();
        let next = stage.server.url("/next");
        let error = stage.page.navigate(&next, LoadState::Load, soon()).await.unwrap_err();
        let Error::DialogOpen(dialog) = error else { panic!("{error:?}") };
        assert_eq!(dialog.kind, DialogKind::BeforeUnload);
        stage.page.answer_dialog(DialogAnswer::Dismiss, soon()).await.unwrap();
        assert_eq!(stage.text("button").await, "touch");

        let mark = stage.page.navigation_mark();
        stage.page.navigate(&next, LoadState::Load, soon()).await.unwrap_err();
        stage.page.answer_dialog(DialogAnswer::Accept { text: None }, soon()).await.unwrap();
        stage.page.wait_for_navigation(mark, LoadState::Load, soon()).await.unwrap();
        assert_eq!(stage.text("p").await, "next");
    }

    async fn long_messages_of_a_page_are_shortened(stage) {
        stage.show("<p>p</p>").await;
        let asked = stage.page.evaluate("window.given = prompt('x'.repeat(1e6), 'y'.repeat(1e5))", soon()).await.unwrap_err();
        assert!(asked.to_string().len() < 20_000 && asked.to_string().contains("(cut: "), "{asked}");
        let dialog = stage.page.dialog().unwrap();
        assert!(dialog.default_prompt.unwrap().ends_with("(cut: 100000 characters)"));
        stage.page.answer_dialog(DialogAnswer::Accept { text: None }, soon()).await.unwrap();
        assert_eq!(stage.evaluate("window.given === 'y'.repeat(1e5)").await, true, "the whole suggestion is accepted");
        let thrown = stage.page.evaluate("(() => { throw new Error('z'.repeat(1e6)) })()", soon()).await.unwrap_err();
        assert!(thrown.to_string().len() < 20_000 && thrown.to_string().contains("characters)"));
    }

    async fn a_page_with_a_dialog_can_be_closed(stage) {
        stage.show("<p>p</p>").await;
        stage.page.evaluate("alert(1)", soon()).await.unwrap_err();
        stage.page.close(soon()).await.unwrap();
        assert!(stage.page.is_closed());
    }

    async fn a_dialog_during_load_ends_the_navigation(stage) {
        stage.server.page("/", "<script>alert('first')</script><p>then");
        let error = stage.page.navigate(&stage.server.url("/"), LoadState::Load, soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::DialogOpen);
        stage.page.answer_dialog(DialogAnswer::Dismiss, soon()).await.unwrap();
        stage.page.wait_for_load(&stage.page.main_frame(), LoadState::Load, soon()).await.unwrap();
        assert_eq!(stage.text("p").await, "then");
    }
}
