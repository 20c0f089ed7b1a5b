//! Screenshots.

use actions_browser::{Browser, ContextOptions, ImageFormat, Rect, Screenshot};

use crate::stage::{on_every_browser, soon};

/// Returns the width and the height of a PNG.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

on_every_browser! {
    async fn screenshots_cover_the_viewport_a_clip_or_the_whole_page(stage) {
        stage.show("<body style='margin:0'><div style='height:2000px;background:linear-gradient(red, blue)'></div>").await;
        let plain = Screenshot::default();
        assert_eq!(size(&stage.page.screenshot(plain, soon()).await.unwrap()), (1280, 720));
        let whole = Screenshot { full_page: true, ..plain };
        assert_eq!(size(&stage.page.screenshot(whole, soon()).await.unwrap()), (1280, 2000));
        let clip = Rect { x: 10.0, y: 20.0, width: 200.0, height: 100.0 };
        let part = Screenshot { clip: Some(clip), ..plain };
        assert_eq!(size(&stage.page.screenshot(part, soon()).await.unwrap()), (200, 100));
        let jpeg = Screenshot { format: ImageFormat::Jpeg { quality: 50 }, ..plain };
        assert_eq!(&stage.page.screenshot(jpeg, soon()).await.unwrap()[..2], b"\xff\xd8");
        let webp = Screenshot { format: ImageFormat::Webp { quality: 50 }, ..plain };
        assert_eq!(&stage.page.screenshot(webp, soon()).await.unwrap()[8..12], b"WEBP");
    }

    async fn a_background_page_can_be_captured(stage) {
        stage.show("<p>behind").await;
        let second = stage.context.new_page(soon()).await.unwrap();
        second.bring_to_front(soon()).await.unwrap();
        assert_eq!(size(&stage.page.screenshot(Screenshot::default(), soon()).await.unwrap()), (1280, 720));
        let other = stage.browser.new_context(ContextOptions::default(), soon()).await.unwrap();
        other.new_page(soon()).await.unwrap();
        assert_eq!(size(&stage.page.screenshot(Screenshot::default(), soon()).await.unwrap()), (1280, 720));
    }
}
