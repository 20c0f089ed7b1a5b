//! File inputs: setting files, and file choosers that the page opens.

use actions_browser::PageEvent;
use actions_protocol::ErrorCode;
use serde_json::json;

use crate::stage::{heard, on_every_browser, soon};

on_every_browser! {
    async fn set_files_fills_a_file_input(stage) {
        stage.show("<input type=file multiple>").await;
        let folder = tempfile::tempdir().unwrap();
        let files = ["one.txt", "two.txt"].map(|name| folder.path().join(name));
        files.iter().for_each(|file| std::fs::write(file, "text").unwrap());
        let main = stage.page.main_frame();
        let input = stage.page.pick(&main, &json!({ "selector": "input" }), &[], soon()).await.unwrap().unwrap();
        stage.page.set_files(&input, &files, soon()).await.unwrap();
        let names = stage.evaluate("[...document.querySelector('input').files].map(file => file.name)").await;
        assert_eq!(names, json!(["one.txt", "two.txt"]));
        let error = stage.page.set_files(&input, &[folder.path().join("no")], soon()).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::FileNotFound);
        stage.page.release(&[input]);
    }

    async fn a_file_chooser_is_reported_and_not_opened(stage) {
        stage.show("<input type=file multiple>").await;
        let mut events = stage.page.events();
        stage.click_main("input").await.unwrap();
        let multiple = heard(&mut events, |event| match event {
            PageEvent::FileChooser { multiple, .. } => Some(multiple),
            _ => None,
        }).await;
        assert!(multiple);
    }
}
