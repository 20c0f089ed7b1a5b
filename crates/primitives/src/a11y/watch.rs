//! `a11y.watch`: begins to collect the announcements of a page.

use actions_browser::Modifiers;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::keyboard::press::Chord;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    enable_screen_reader: bool,
    screen_reader_chord: String,
}

#[derive(Serialize)]
pub(crate) struct Output {
    watching: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let chord = Chord::parse(&args.screen_reader_chord, Modifiers::NONE)?;
    scene.page().watch_announcements(scene.deadline).await?;
    if args.enable_screen_reader {
        chord.press_once(&scene, true).await?;
    }
    Ok(Output { watching: true })
}
